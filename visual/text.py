"""The text: which tokens a step added and where each came from."""

from __future__ import annotations

from ersd.trace import Step

from .words import visible

SOURCES = {"draft": "drafted and accepted", "target": "the target's own token"}
NEAR_TIE = (
    "Near tie: the target's first two arrivals are closer than the rounding noise of this precision, "
    "so the same seed may give the other token in another run."
)


def segments(step: Step) -> list[list[str | int]]:
    """What the step added: `[text, source, near tie (0 or 1), hover]` for every token.

    The text is plain; the browser sets it as text, never as HTML.
    """
    return [[one.text, one.source, int(one.near_tie), _hover(step, one.text, one.token, one.source, one.near_tie)] for one in step.emitted]


def _hover(step: Step, text: str, token: int, source: str, near_tie: bool) -> str:
    line = f"{visible(text, token)} · step {step.index + 1} · {SOURCES.get(source, source)}"
    return f"{line}\n{NEAR_TIE}" if near_tie else line
