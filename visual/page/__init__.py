"""The Gradio page: one file per tab, the player and what they share."""
