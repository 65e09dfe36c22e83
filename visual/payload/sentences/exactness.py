"""Is the output of a run the target's? The badge that says so, and what tells it."""

from __future__ import annotations

from ersd.rules.registry import TRAITS
from ersd.settings import Settings


def is_biased(settings: Settings) -> bool:
    """Is the output not distributed as the target's?"""
    return bool(settings.leniency) and not TRAITS[settings.algorithm].lossless


def law_of(settings: Settings) -> tuple[float | str, ...] | None:
    """What fixes the distribution of the output, for one prompt and pair: two runs with equal laws write texts of the same distribution.
    None where it is not the target's."""
    if is_biased(settings):
        return None
    takes_likeliest = not TRAITS[settings.algorithm].uses_sampling or settings.temperature == 0 or settings.top_k == 1
    return ("likeliest",) if takes_likeliest else (settings.temperature, settings.top_k, settings.top_p)


def text_of(settings: Settings) -> tuple[float | str, ...] | None:
    """What fixes the text itself, in exact arithmetic, for one prompt and pair, whatever is drafted: two runs in which it is equal write
    the same. None where the text depends on what is drafted."""
    traits, law = TRAITS[settings.algorithm], law_of(settings)
    if law is None or law == ("likeliest",):
        return law
    return (*law, settings.seed) if traits.exact_on_any_shape or not traits.drafts else None


def badge(settings: Settings) -> dict[str, str]:
    """`kind`: `same-text`, `same-law` or `biased`; `words` on the badge; `term`: the entry of the glossary that explains it."""
    traits = TRAITS[settings.algorithm]
    if is_biased(settings):
        words = f"⚠ biased on purpose: off by {settings.leniency:g} · TV(P, Q) per drafted token"
        return {"kind": "biased", "words": words, "term": "biased"}
    if traits.exact_on_any_shape or not traits.drafts:
        if not traits.uses_sampling:
            words = "✓ exact: the target's own likeliest text, whatever is drafted"
        else:
            words = "✓ exact, and the same text for this seed whatever is drafted"
        return {"kind": "same-text", "words": words, "term": "same-text"}
    return {"kind": "same-law", "words": "✓ exact: every token is distributed as the target's own", "term": "same-law"}
