"""The terminal program `python -m ersd`: streamed text, draft trees, figures and the table of methods."""
