"""What the controls are called on the screen, and messages in these words."""

from __future__ import annotations

LABELS: dict[str, str] = {
    "prompt": "Prompt",
    "method": "Method",
    "algorithm": "Algorithm",
    "topology": "Draft tree",
    "draft_tokens": "Drafted tokens",
    "branching": "Branching",
    "sequences": "Sequences",
    "leniency": "Leniency (biased)",
    "max_new_tokens": "Length",
    "seed": "Seed",
    "temperature": "Temperature",
    "top_k": "Top-k",
    "top_p": "Top-p",
    "models": "Models",
    "chat": "Chat template",
}
"""Field -> label."""


def field_of(words: str) -> str:
    """The field that a message of Settings is about; empty where it is about none."""
    first = words.split(" ", 1)[0]
    return first if first in LABELS else ""


def in_labels(words: str) -> str:
    """A message of Settings, which names the field at fault first, by the label on the screen."""
    field = field_of(words)
    return LABELS[field] + words.removeprefix(field) if field else words
