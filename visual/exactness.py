"""Is the output of a run the target's? The badge that says so, and what tells it."""

from __future__ import annotations

from ersd.algorithms import TRAITS
from ersd.settings import Settings


def is_biased(settings: Settings) -> bool:
    """Is the output not distributed as the target's?"""
    return bool(settings.leniency) and not TRAITS[settings.algorithm].lossless


def badge(settings: Settings) -> dict[str, str]:
    """`kind`: `same-text`, `same-law` or `biased`; `words` on the badge; `term`: the entry of the glossary that explains it."""
    traits = TRAITS[settings.algorithm]
    if is_biased(settings):
        words = f"⚠ biased on purpose: off by {settings.leniency:g} × TV(P, Q) per drafted token"
        return {"kind": "biased", "words": words, "term": "biased"}
    if traits.exact_on_any_shape or not traits.drafts:
        if not traits.uses_sampling:
            words = "✓ exact: the target's own likeliest text, whatever is drafted"
        else:
            words = "✓ exact, and the same text for this seed whatever is drafted"
        return {"kind": "same-text", "words": words, "term": "same-text"}
    return {"kind": "same-law", "words": "✓ exact: every token is distributed as the target's own", "term": "same-law"}
