"""Probabilities to start from in the lab: pairs of p and q that show something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..message_types.lab import Pair, Presets

NAMES = ("dog", "cat", "tree", "ball", "fish", "box", "bird", "hill", "sun", "hat")
"""The tokens, as many as the lab has at most."""
MAX_TOKENS, MIN_TOKENS, USUAL_TOKENS = len(NAMES), 2, 8
DECIMALS = 2


@dataclass(frozen=True)
class Preset:
    """Weights of the tokens; the first n are used and sum to 1 once rounded."""

    label: str
    q: Sequence[float]
    p: Sequence[float]


_FALLING = (20, 26, 20, 13, 9, 6, 4, 2, 1.5, 1)
_RISING = (4, 7, 13, 20, 24, 17, 10, 5, 3, 2)
PRESETS: dict[str, Preset] = {
    "equal": Preset("Equal", _RISING, _RISING),
    "shifted": Preset("Shifted", _FALLING, _RISING),
    "disjoint": Preset("Disjoint", (3, 0, 2, 0, 2, 0, 1, 0, 1, 0), (0, 3, 0, 2, 0, 2, 0, 1, 0, 1)),
    "peaked": Preset("Peak, flat", (1,) * 10, (1, 1, 14, 1, 1, 1, 1, 1, 1, 1)),
    "new": Preset("New token", (25, 22, 18, 15, 10, 0, 6, 4, 3, 2), (14, 12, 11, 9, 6, 40, 4, 3, 2, 1)),
}
"""Name -> preset; `new` has a token that only the target knows, where there are six or more."""
USUAL = "shifted"


def probabilities(weights: Sequence[float]) -> list[float]:
    """Weights as probabilities of DECIMALS digits that sum to 1 exactly as printed: the largest remainders are rounded up."""
    unit = 10**DECIMALS
    total = sum(weights) or 1.0
    exact = [unit * weight / total for weight in weights]
    whole = [int(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda place: whole[place] - exact[place])
    for place in by_remainder[: unit - sum(whole)]:
        whole[place] += 1
    return [each / unit for each in whole]


def of_size(count: int) -> dict[str, Pair]:
    """Every preset for this many tokens: q and p."""
    return {name: {"q": probabilities(one.q[:count]), "p": probabilities(one.p[:count])} for name, one in PRESETS.items()}


KIT: Presets = {
    "names": list(NAMES),
    "usual": {"start": USUAL, "tokens": USUAL_TOKENS},
    "labels": {name: one.label for name, one in PRESETS.items()},
    "sizes": {count: of_size(count) for count in range(MIN_TOKENS, MAX_TOKENS + 1)},
}
"""What the browser needs of them."""
