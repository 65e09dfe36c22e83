"""The preview beside the tree's controls: the shape that will be drafted and what it is expected to give, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.topologies import TREES, shape_of
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from visual.payload import tree_preview
from visual.payload.sentences.exactness import is_biased
from visual.payload.sentences.formatting import escape, plural
from visual.payload.sentences.labels import in_labels
from visual.payload.sentences.numbers import number
from visual.payload.theory import is_least
from visual.server.pairs import Pairs

from .field_properties import refusal_marks

USED = ("algorithm", "topology", "draft_tokens", "branching", "sequences", "leniency", "models")
"""The controls that a preview is drawn from."""

Lines = list[tuple[str, str]]
"""Style class and words of every paragraph."""


@dataclass(frozen=True)
class Preview:
    """Draws the previews of one workbench."""

    pairs: Pairs
    """the model pairs of this server; none is loaded for a preview"""
    topology_menu: str
    """the id of the menu of topologies, where the refused ones are marked"""

    def html(self, values: Mapping[str, Any], note: str = "") -> str:
        """The preview.

        Args:
            values: fields of Settings and `models` as they stand in the controls; what is wrong with them is said in the words of Settings.
            note: what was changed without being asked for, and why; may be empty.
        """
        lines = [("note", note)] if note else []
        try:
            settings = Settings(**{name: value for name, value in values.items() if name != "models"})
        except ValueError as problem:
            return _card("", [*lines, ("wrong", f"✕ {in_labels(str(problem))}")])
        if is_biased(settings):
            lines.append(("wrong", f"⚠ Biased: the text is off by {number(settings.leniency)} · TV(P, Q)."))
        drawn, words = self._tree(settings, values["models"])
        return _card(drawn, [*lines, *words], refusal_marks(settings.algorithm, self.topology_menu))

    def _tree(self, settings: Settings, models: str) -> tuple[str, Lines]:
        if not settings.vertices:
            return tree_preview.picture([], []), [("figure", "one token per target call"), ("", "nothing is drafted")]
        if TREES[settings.topology].while_drafting:
            return tree_preview.unknown(), _about_unknown(settings)
        hazards = self.pairs.hazards(models, settings.algorithm)
        found = shape_of(settings, RankDistribution(hazards or ()))
        coincide = TRAITS[settings.algorithm].with_replacement and max(found.ranks) > 1
        at_most = "at most " if coincide else ""
        size = f"{at_most}{plural(len(found.parents), 'drafted token')}, {plural(len(tree_preview.levels(found.parents)), 'level')}"
        figure = f"{'at least ' if is_least(settings) else ''}{found.expected:.2f} tokens per call expected at step 1"
        lines = [("", f"{size}; draws that coincide are one" if coincide else size)]
        return tree_preview.picture(found.parents, found.ranks), [*lines, ("figure", figure), ("law", _which_law(settings, hazards))]


def _about_unknown(settings: Settings) -> Lines:
    """What can be said of a tree that is shaped while it is drafted."""
    size = f"{plural(settings.vertices, 'drafted token')}, shaped anew at every step"
    words = "best first, by the gaps between the draft's arrivals; every step tells what its own tree was expected to give"
    return [("figure", size), ("law", words)]


def _which_law(settings: Settings, hazards: Sequence[float] | None) -> str:
    """Where the expectation is from; `hazards` as in `Pairs.hazards`."""
    if hazards:
        return f"by the rank law measured for {settings.algorithm} on this pair"
    why = "this pair's is known once it is loaded" if hazards is None else f"nothing is measured for {settings.algorithm} on this one"
    return f"by the rank law of a typical small pair; {why}"


def _card(drawn: str, lines: Lines, style: str = "") -> str:
    """The picture above its lines."""
    paragraphs = "".join(f'<p class="{kind}">{escape(words)}</p>' for kind, words in lines)
    return f'<div class="ersd-shape"><style>{style}</style>{drawn}<div aria-live="polite">{paragraphs}</div></div>'
