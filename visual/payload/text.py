"""The text: which tokens a step added and where each came from."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Emitted, Step

from .sentences.visits import chosen_name

_ORIGINS = {"draft": "drafted and accepted", "target": "the target's own token"}
"""What `Emitted.source` says of a token, in words."""
NEAR_TIE = (
    "Near tie: another token was so close that the rounding noise of this precision could have made it win, "
    "so the same seed may give the other token in another run."
)


def tokens(step: Step) -> list[dict[str, Any]]:
    """What the step added, token by token; `text` is plain, the browser sets it as text, never as HTML."""
    return [_token(one, chosen_name(visit), step.index + 1) for one, visit in zip(step.emitted, step.walk, strict=True)]


def _token(one: Emitted, name: str, step: int) -> dict[str, Any]:
    hover = f"{name} · step {step} · {_ORIGINS.get(one.source, one.source)}"
    segment = {"text": one.text, "source": one.source, "hover": hover}
    return {**segment, "near_tie": True, "hover": f"{hover}\n{NEAR_TIE}"} if one.near_tie else segment
