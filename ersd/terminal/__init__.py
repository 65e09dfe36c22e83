"""What `python -m ersd` shows: the text as it comes, trees, figures, the table of methods."""
