"""Labels of the controls, and error messages that use them."""

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
    "source": "Guesses from",
    "keys": "Clocks depend on",
}
"""Field -> label."""


def field_of(message: str) -> str:
    """The field that an error of Settings is about, which it names first; empty if it names none."""
    first = message.split(" ", 1)[0]
    return first if first in LABELS else ""


def in_labels(message: str) -> str:
    """An error of Settings with the control's label in place of the field's name."""
    field = field_of(message)
    return LABELS[field] + message.removeprefix(field) if field else message
