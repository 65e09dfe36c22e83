"""Enumerate all that chance may do in a program: exact distributions of what is usually sampled."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Chance:
    """Replays choices, then makes the first that is possible."""

    script: list[int]
    trail: list[list[int]] = field(default_factory=list)
    """the choices made: what was taken, and what else is possible after it"""
    probability: float = 1.0
    intervals: dict[object, tuple[float, float]] = field(default_factory=dict)
    """coin -> where it is known to lie"""

    def choose(self, probabilities: list[float]) -> int:
        possible = [index for index, one in enumerate(probabilities) if one > 0]
        at = self.script[len(self.trail)] if len(self.trail) < len(self.script) else 0
        self.trail.append([at, len(possible)])
        self.probability *= probabilities[possible[at]]
        return possible[at]

    def is_below(self, key: object, limit: float) -> bool:
        low, high = self.intervals.get(key, (0.0, 1.0))
        if not low < limit < high:
            return limit >= high
        share = (limit - low) / (high - low)
        below = self.choose([share, 1 - share]) == 0
        self.intervals[key] = (low, limit) if below else (limit, high)
        return below


class Coin(float):
    """A coin whose comparison is a choice."""

    def __new__(cls, chance, key):
        coin = super().__new__(cls, 0.5)
        coin.chance, coin.key = chance, key
        return coin

    def __lt__(self, limit):
        return self.chance.is_below(self.key, limit)


def outcomes(program):
    """What a program of Chance gives, and how likely that is, for all that chance may do."""
    script = []
    while True:
        chance = Chance(script)
        yield program(chance), chance.probability
        trail = chance.trail
        while trail and trail[-1][0] + 1 == trail[-1][1]:
            trail.pop()
        if not trail:
            return
        script = [at for at, _ in trail]
        script[-1] += 1
