"""The preview beside the tree's controls: the shape that will be drafted and what it is expected to give, before anything runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ersd
from ersd.rules import RULES
from ersd.topologies import RankLaw, shape_of
from visual import shape
from visual.words import escape, number, plural

from .looks import marks
from .pairs import Pairs

Lines = list[tuple[str, str]]
"""Class and words of every paragraph."""


def preview(pairs: Pairs, models: str, note: str = "", **fields: Any) -> str:
    """The preview as HTML.

    Args:
        pairs: the model pairs of this server; none is loaded for a preview.
        models: the pair chosen.
        note: what was changed without being asked for, and why; may be empty.
        fields: of Settings, as they stand in the controls. What is wrong with them is said in the words of Settings.
    """
    lines = [("note", note)] if note else []
    try:
        settings = ersd.Settings(**fields)
    except ValueError as problem:
        return _card("", [*lines, ("wrong", f"✕ {problem}")])
    drawn, words = _unknown(settings) if settings.topology == "dynamic" else _known(settings, pairs.hazards(models, settings.algorithm))
    if not settings.vertices:
        drawn, words = shape.picture([], []), [("figure", "one token per target call"), ("", "nothing is drafted")]
    if settings.leniency and not RULES[settings.algorithm].lossless:
        lines.append(("wrong", f"⚠ Biased: the text is off by {number(settings.leniency)} × TV(P, Q)."))
    return _card(drawn, [*lines, *words], marks(settings.algorithm))


def _known(settings: ersd.Settings, hazards: Sequence[float] | None) -> tuple[str, Lines]:
    """Shape and expectation by what is measured; None where the pair is not in memory yet."""
    found = shape_of(settings, RankLaw(hazards or ()))
    rule = RULES[settings.algorithm]
    # the law counts each token alone and without leniency: deciding about a whole block, or leniently, gives no less
    least = "at least " if rule.joint or (settings.leniency and not rule.lossless) else ""
    law = f"by the rank law measured for {settings.algorithm} on this pair"
    if not hazards:
        missing = (
            "this pair's is known once it is loaded" if hazards is None else f"nothing is measured for {settings.algorithm} on this one"
        )
        law = f"by the rank law of a typical small pair; {missing}"
    size = f"{plural(len(found.parents), 'drafted token')}, {plural(len(shape.levels(found.parents)), 'level')}"
    figure = f"{least}{found.expected:.2f} tokens per call expected"
    return shape.picture(found.parents, found.ranks), [("", size), ("figure", figure), ("law", law)]


def _unknown(settings: ersd.Settings) -> tuple[str, Lines]:
    """What can be said of a tree that is shaped while it is drafted."""
    size = f"{plural(settings.vertices, 'drafted token')}, shaped anew at every step"
    words = "best first, by the gaps between the draft's arrivals; every step tells what its own tree promised"
    return shape.unknown(), [("figure", size), ("law", words)]


def _card(drawn: str, lines: Lines, style: str = "") -> str:
    """The picture above its lines."""
    paragraphs = "".join(f'<p class="{kind}">{escape(words)}</p>' for kind, words in lines)
    return f'<div class="ersd-shape"><style>{style}</style>{drawn}<div aria-live="polite">{paragraphs}</div></div>'
