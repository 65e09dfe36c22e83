"""Whether a run's output is the target's: the badge of a run, and which runs have the same distribution or the same text."""

from __future__ import annotations

from collections.abc import Sequence

from ersd.rules.registry import TRAITS
from ersd.settings import Settings

from ..message_types.run import Exactness


def is_biased(settings: Settings) -> bool:
    """Whether the output is not distributed as the target's."""
    return bool(settings.leniency) and not TRAITS[settings.algorithm].lossless


def is_certain(settings: Settings) -> bool:
    """Whether sampling has no choice: draft and target have one possible token at every place, their likeliest."""
    return TRAITS[settings.algorithm].uses_sampling and (settings.temperature == 0 or settings.top_k == 1)


def distribution_key(settings: Settings) -> tuple[float | str, ...] | None:
    """Everything the output's distribution depends on, for one prompt and pair: equal values, equal distributions.

    None where it is not the target's distribution.
    """
    if is_biased(settings):
        return None
    takes_likeliest = not TRAITS[settings.algorithm].uses_sampling or is_certain(settings)
    return ("likeliest",) if takes_likeliest else (settings.temperature, settings.top_k, settings.top_p)


def text_key(settings: Settings) -> tuple[float | str, ...] | None:
    """Everything the text depends on in exact arithmetic, for one prompt and pair: equal values, equal texts.

    None where the text depends on what is drafted.
    """
    traits, distribution = TRAITS[settings.algorithm], distribution_key(settings)
    if distribution is None or distribution == ("likeliest",):
        return distribution
    return (*distribution, settings.seed) if traits.exact_on_any_shape or not traits.drafts else None


def badge(settings: Settings, left_out: Sequence[str] = ()) -> Exactness:
    """The badge: its `kind` (`same-text`, `same-law` or `biased`), its text and the glossary's `term` that explains it.

    `left_out`: options of the target's generation_config that are not applied (`ModelPair.left_out`).
    """
    about = _badge(settings)
    if left_out:
        about["words"] += f" (without the target’s own {', '.join(left_out)})"
    return about


def _badge(settings: Settings) -> Exactness:
    traits = TRAITS[settings.algorithm]
    if is_biased(settings):
        text = f"⚠ Biased on purpose: off by {settings.leniency:g} × TV(P, Q) at each drafted token"
        return {"kind": "biased", "words": text, "term": "biased"}
    if traits.exact_on_any_shape or not traits.drafts or is_certain(settings):
        text = "✓ Exact: with this seed, the same text as without a draft"
        if not traits.uses_sampling or is_certain(settings):
            text = "✓ Exact: the same text as without a draft"
        if not traits.drafts:
            text = "✓ Exact: the target model writes alone"
        return {"kind": "same-text", "words": text, "term": "same-text"}
    return {"kind": "same-law", "words": "✓ Exact: same distribution as the target model", "term": "same-law"}
