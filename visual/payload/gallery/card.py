"""A card of the gallery: its runs, and how the effect is found in them and described."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ersd.settings import Settings
from ersd.trace.model import Trace
from ersd.trace.step import Step

LENGTH = 48
"""Tokens of a run."""
OPEN = "Open"
"""Text of a button that needs no name."""


class View(NamedTuple):
    """The step and the node of a run that show the effect."""

    step: int
    """from 0"""
    vertex: int | None = None
    """None: the decision that the player shows by default"""


@dataclass(frozen=True)
class Card:
    """One or two runs on one prompt and seed, and the effect they show."""

    title: str
    runs: dict[str, Settings]
    """name of the file -> settings, apart from the seed"""
    find: Callable[[Sequence[Trace]], list[View] | None]
    """the view of each run that shows the effect; None where the runs do not show it"""
    tell: Callable[[Sequence[Trace], Sequence[View]], tuple[str, str]]
    """two sentences about the runs and the views found"""
    labels: dict[str, str] = field(default_factory=dict)
    """name of the file -> text of its button; others say OPEN"""
    prompts: tuple[str, ...] = ()
    """to try, instead of those of the table"""


def longest_step(trace: Trace) -> Step:
    """The step that accepted most."""
    return max(trace.steps, key=lambda step: step.accepted)


def settings(algorithm: str, topology: str, k: int, **more: float | str) -> Settings:
    """Of a run of the gallery."""
    return Settings(algorithm=algorithm, topology=topology, draft_tokens=k, max_new_tokens=LENGTH, **more)  # type: ignore[arg-type]
