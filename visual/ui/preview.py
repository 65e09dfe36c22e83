"""The preview next to the tree's controls: the shape that will be drafted and its expected yield, before anything runs.

Below it what its guesses are like: how often the first one is the target's token, and what a draft call costs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ersd.costs import Costs
from ersd.drafts.topologies import TREES, places_and_levels
from ersd.rules.registry import TRAITS
from ersd.settings import FREQUENT_TOKENS, Settings
from visual.payload.sentences.exactness import is_biased, is_certain
from visual.payload.sentences.formatting import decimal, escape, plural
from visual.payload.sentences.names import BY_PARTS, in_labels, method_label, method_of, source_name
from visual.payload.sentences.numbers import number
from visual.payload.theory import is_least
from visual.payload.tree import preview as tree_preview
from visual.server.average import measured_as, shape_before
from visual.server.pairs import Pairs

from .field_properties import refusal_marks

USED = ("algorithm", "topology", "draft_tokens", "branching", "sequences", "leniency", "temperature", "top_k", "models", "source")
"""The controls that a preview is drawn from."""

Lines = list[tuple[str, str]]
"""Style class and text of every paragraph."""


def preview(pairs: Pairs, values: Mapping[str, Any], note: str = "") -> str:
    """The preview as HTML.

    Args:
        pairs: the model pairs of this server; none is loaded for a preview.
        values: fields of Settings and `models` from the controls; the preview shows what is wrong with them.
        note: what the page changed by itself, and why; may be empty.
    """
    lines = [("note", note)] if note else []
    try:
        settings = Settings(**{name: value for name, value in values.items() if name != "models"})
    except ValueError as problem:
        return _card("", [*lines, ("wrong", f"✕ {in_labels(str(problem))}")])
    parts = (settings.algorithm, settings.topology)
    if method_of(*parts) == BY_PARTS:  # the menu calls it custom
        lines.append(("figure", method_label(*parts)))
    if is_biased(settings):
        lines.append(("wrong", f"⚠ Biased: the text is off by {number(settings.leniency)} · TV(P, Q)."))
    hazards, measured = (pairs.prior(values["models"], each) for each in (settings, measured_as(settings)))
    picture, about = _tree(settings, hazards, measured)
    meters = _meters(settings, measured, pairs.costs(values["models"], settings.source)) if settings.vertices else ""
    return _card(picture, [*lines, *about], refusal_marks(settings.algorithm), meters)


def _tree(settings: Settings, hazards: Sequence[float] | None, measured: Sequence[float] | None) -> tuple[str, Lines]:
    """Picture and lines of the tree.

    Args:
        settings: of the run.
        hazards: what the tree is built from, as in `Pairs.prior`.
        measured: what its yield is estimated from, as in `shape_before`.
    """
    if not settings.vertices:
        return tree_preview.picture([], []), [("figure", "one token per target call"), ("", "nothing is drafted")]
    if TREES[settings.topology].in_laps:
        places, deep = places_and_levels(settings.draft_tokens, settings.sequences)
        size = f"{plural(places, 'arrival')} on each of {plural(deep, 'level')}; equal tokens are merged"
        return tree_preview.unknown(), [("", size), ("source", "the more often a token arrives, the more guesses follow it")]
    if TREES[settings.topology].while_drafting:
        size = f"{plural(settings.vertices, 'drafted token')}, shaped anew at every step"
        return tree_preview.unknown(), [("", size), ("source", "the best guesses first")]
    shape = shape_before(settings, hazards or (), measured or ())
    may_coincide = TRAITS[settings.algorithm].with_replacement and max(shape.ranks) > 1
    tokens, levels = plural(len(shape.parents), "drafted token"), plural(len(tree_preview.levels(shape.parents)), "level")
    if TREES[settings.topology].branching is None:  # later trees differ, as more ranks are measured
        levels += " at step 1"
    size = f"at most {tokens}, {levels}; duplicates are merged" if may_coincide else f"{tokens}, {levels}"
    expected = f"{'at least ' if is_least(settings) else ''}{shape.expected:.2f} tokens per call expected at step 1"
    lines = [("", size), ("figure", expected), ("source", _source(settings, measured))]
    return tree_preview.picture(shape.parents, shape.ranks), lines


def _meters(settings: Settings, measured: Sequence[float] | None, costs: Costs | None) -> str:
    """How often the first guess is accepted, and the cost of a draft call, each with its number and a bar; only what was measured."""
    meters = []
    if measured:
        traits = TRAITS[settings.algorithm]
        what = "accepted" if traits.uses_sampling and not traits.has_clocks else "the target’s token"
        meters.append(_meter("kept", f"first guess is {what}", f"{decimal(100 * measured[0], 0)}%", measured[0], _temperature(settings)))
    if costs and costs.draft_ms is not None:
        share = costs.draft_ms / costs.target_1_ms
        times = f"{number(costs.draft_ms)} ms against {number(costs.target_1_ms)} ms, measured here when the pair was loaded"
        meters.append(_meter("cost", "draft call ÷ target call", decimal(share), share, times))
    return "".join(meters)


def _meter(kind: str, what: str, value: str, share: float, about: str) -> str:
    return (
        f'<p class="meter {kind}" style="--share: {min(1.0, share):.3f}" title="{escape(about)}">'
        f"<span>{escape(what)}</span> <b>{escape(value)}</b></p>"
    )


def _temperature(settings: Settings) -> str:
    """For which runs the measured ranks hold."""
    tokens = f" with {FREQUENT_TOKENS:,} frequent tokens" if settings.source == "frequent" else ""
    sampled = " at temperature 1" if TRAITS[settings.algorithm].uses_sampling and not is_certain(settings) else ""
    return f"measured for this pair{tokens}{sampled}"


def _source(settings: Settings, measured: Sequence[float] | None) -> str:
    """What the expectation is estimated from, and for which temperature it holds."""
    if measured:
        return _temperature(settings)
    reason = "is not loaded yet" if measured is None else f"was not measured for {settings.algorithm}"
    if settings.source != "model" and measured is not None:
        reason += f" with {source_name(settings.source)}"
    return f"estimated for a typical small pair: this one {reason}"


def _card(picture: str, lines: Lines, style: str = "", meters: str = "") -> str:
    """The picture above its lines, the meters before the last one."""
    *first, last = [f'<p class="{kind}">{escape(text)}</p>' for kind, text in lines]
    return f'<div class="ersd-shape"><style>{style}</style>{picture}<div aria-live="polite">{"".join(first)}{meters}{last}</div></div>'
