"""What the lab is sent: presets, the answer to a question, and its words."""
