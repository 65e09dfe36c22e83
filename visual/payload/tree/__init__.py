"""The draft tree: its nodes in a step, the preview of its shape, and how it looks."""
