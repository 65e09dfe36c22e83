"""Text: prompts as token ids, and tokens as text."""
