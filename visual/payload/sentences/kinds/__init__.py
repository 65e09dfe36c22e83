"""The kinds of decisions: the texts of each, and its sentences."""
