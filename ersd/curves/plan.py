"""What to measure: temperatures, numbers of drafted tokens, texts and calls, with their bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..formatting import quoted
from ..settings import RANGES, SOURCES, Range, Settings, one_of
from .results import CURVES, MAX_DRAFTED

TEXTS = Range(int, 1, 64)
CALLS = Range(int, 1, 500)
DRAFTED = Range(int, 1, MAX_DRAFTED)
MAX_POINTS = 8
"""Most numbers of drafted tokens."""
ALLOWED_DRAFTED = f"1 to {MAX_POINTS} different numbers from 1 to {MAX_DRAFTED}, such as 1, 4, 16, 64"
PROMPTS = (
    "Once upon a time there was a little girl named",
    "One day, a small dog went to the park and",
    "Tom had a red ball. He wanted to",
    "The sun was hot, and the cat",
    "Mom said they could bake a cake together, so",
    "Deep in the forest lived an old bear who",
    "It was raining, and Ben could not",
    "Sara found a shiny key under the",
)
"""How the texts begin, in turns."""


@dataclass(frozen=True)
class Plan:
    """A measurement. Raises ValueError naming the field, the value and what is allowed."""

    temperatures: Sequence[float] = (1.0, 0.6)
    drafted: Sequence[int] = (1, 4, 16, 64)
    """numbers of drafted tokens to run directly"""
    texts: int = 6
    """texts that each mean is taken over"""
    calls: int = 4
    """target calls in each text"""
    seed: int = 0
    """of the first text; each further one has the next"""
    prompts: Sequence[str] = field(default=PROMPTS)
    source: str = "model"
    """where guesses come from, as `Settings.source`"""

    def __post_init__(self) -> None:
        for temperature in self.temperatures:
            RANGES["temperature"].check("temperature", temperature)
        if not 1 <= len(self.temperatures) <= 2 or len(set(self.temperatures)) < len(self.temperatures):
            raise ValueError(f"temperatures must be one or two different numbers, got {quoted(list(self.temperatures))}")
        TEXTS.check("texts", self.texts)
        CALLS.check("calls", self.calls)
        RANGES["seed"].check("seed", self.seed)
        RANGES["seed"].check("seed", self.seed + self.texts)
        if not 1 <= len(self.drafted) <= MAX_POINTS or len(set(self.drafted)) < len(self.drafted):
            raise ValueError(f"drafted must be {ALLOWED_DRAFTED}, got {quoted(list(self.drafted))}")
        for k in self.drafted:
            DRAFTED.check("drafted", k)
        one_of("source", self.source, SOURCES)
        if not self.prompts or not all(isinstance(prompt, str) and prompt.strip() for prompt in self.prompts):
            raise ValueError(f"prompts must be at least one text, got {quoted(list(self.prompts))}")

    def text(self, number: int) -> tuple[str, int]:
        """Prompt and seed of a text, from 0."""
        return self.prompts[number % len(self.prompts)], self.seed + number

    def points(self) -> Iterator[tuple[float, int, str]]:
        """Temperature, number of drafted tokens and curve of every point, those with few tokens first."""
        for k in sorted(self.drafted):
            for temperature in self.temperatures:
                for curve in CURVES:
                    yield temperature, k, curve

    def settings(self) -> list[Settings]:
        """Approximate settings, used only to estimate the run time."""
        tokens = self.texts * self.calls
        return [
            Settings("ersd", "sequence" if curve == "sequence" else "tau_star", k, max_new_tokens=tokens, source=self.source)
            for _, k, curve in self.points()
        ]


def numbers_in(name: str, text: Any, allowed: str) -> list[int]:
    """The whole numbers of a text such as "1, 4, 16"; ValueError naming the field."""
    parts = str(text).split(",")
    if not isinstance(text, str) or not all(part.strip().isdecimal() for part in parts):
        raise ValueError(f"{name} must be {allowed}, got {quoted(text)}")
    return [int(part) for part in parts]
