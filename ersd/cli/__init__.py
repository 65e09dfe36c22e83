"""The terminal program `python -m ersd`: streamed text, draft trees, the figures of a run and the table of methods."""
