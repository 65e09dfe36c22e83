"""The texts of the page: a sentence for every decision, names, numbers, the glossary."""
