"""What a measurement of curves found, as plain data. Importing it does not import torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from ..costs import Costs

CURVES: dict[str, tuple[str, str]] = {
    "tau_star": ("ersd", "tau_star"),
    "specinfer": ("gsd", "specinfer"),
    "sequence": ("ersd", "sequence"),
    "batch": ("ersd", "batch"),
}
"""name -> (algorithm, topology): the methods of figures 3 and 4 (arXiv 2504.15475). `specinfer` has the best branching of its size."""

MAX_DRAFTED = 64
"""The largest number of drafted tokens of a curve."""


@dataclass(frozen=True)
class Line:
    """What a method is expected to do, by the measured acceptance."""

    accepted: list[float]
    """expected accepted tokens per call with at most 1, 2, … drafted tokens"""
    next: list[float]
    """probability that the 1st, 2nd, … token of the largest tree is accepted, the likeliest first"""
    by_levels: list[list[float]]
    """`accepted` of the best trees with up to 1, 2, … levels; for a sequence a single list, with k levels at k"""


@dataclass(frozen=True)
class Lines:
    """The expectations at one temperature."""

    temperature: float
    decisions: int
    """ranks that they are computed from"""
    entropy: float
    """H[R] in nats"""
    limit: list[float | None]
    """upper bound on the accepted tokens of an ERSD tree of 1, 2, … tokens (`theory.length_bound` less the target's own); None: no bound"""
    lines: dict[str, Line]
    """by the names of CURVES"""


@dataclass(frozen=True)
class Measured:
    """A mean over target calls."""

    mean: float
    error: float | None
    """standard error of the mean; None after a single call"""


@dataclass(frozen=True)
class Shares:
    """How often the tokens of a tree from the `first` to the `last`, the likeliest first, were accepted, on average over them."""

    first: int
    last: int
    share: Measured


@dataclass(frozen=True)
class Point:
    """What direct runs of a method with k drafted tokens gave."""

    curve: str
    temperature: float
    k: int
    calls: int
    """target calls that the means are taken over"""
    accepted: Measured
    next: list[Shares]
    """from 1 to k"""

    @property
    def key(self) -> tuple[str, float, int]:
        """What it is a point of."""
        return self.curve, self.temperature, self.k


@dataclass(frozen=True)
class Curves:
    """A whole measurement."""

    models: str
    """name of the pair"""
    costs: Costs | None
    """of its calls on the machine that measured; None: not known"""
    texts: int
    lines: list[Lines]
    """by temperature"""
    points: list[Point]
    source: str = "model"
    """of the guesses, as `Settings.source`"""

    def to_json(self) -> str:
        """As JSON; `from_json` reads it."""
        return TypeAdapter(Curves).dump_json(self).decode()

    def save(self, path: str | Path, view: str | None = None, theme: str | None = None) -> None:
        """Write it to a `.json` file, or a picture to a `.svg` or `.png` file.

        Args:
            path: its ending says what is written; ValueError for any other.
            view: of an image: `accepted` (the default), `next` or `speed`, the views of the Curves tab.
            theme: of an image: `light` (the default) or `dark`.

        Images need the package choreographer and Chrome or Chromium; ValueError where they are missing.
        """
        from ..trace.files import exporter, save

        def image(format: str, **given: str) -> bytes:
            return bytes(exporter("an image").curves_image(self, format, **given))

        save(path, {".json": self.to_json}, image, view=view, theme=theme)

    @classmethod
    def from_json(cls, text: str) -> Curves:
        """The measurement of `to_json`; ValueError if the text is anything else."""
        return TypeAdapter(cls).validate_json(text)
