"""The Gradio page: one file a tab, the controls and the links."""
