"""Texts of the page: sentences for every kind of decision, names, numbers and the glossary."""
