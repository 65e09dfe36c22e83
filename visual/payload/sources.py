"""What there is to see of a source of guesses: which of several was chosen before each step, and which tokens can be guessed at all."""

from __future__ import annotations

from ersd.trace.step import Step

from .message_types.panels import Routing
from .sentences.names import short_source
from .sentences.numbers import number

_CHOICE = "Before each step the source with the largest weight is chosen."
_MEMORY = (
    "What happened long ago counts less. Every source is asked in every step, which takes part of the step’s time: where one source is "
    "best throughout, it is faster without the others."
)
WORDS: dict[str, str] = {
    "title_routed": "Which source guesses",
    "about_routed": "the weight of every source before each step, and the one that was chosen",
    "now": "Step {step}: {source}, with the largest weight",
    "tie": "Step {step}: {source}, the first of those with equal weights",
    "nothing": "Step {step}: nothing was drafted",
    "steps": "weights before steps 1–{last}",
    "weight": "weight",
    "loss": "loss here",
    "chosen": "chosen",
    "times": "{chosen} of {steps}",
    "note": f"{_CHOICE} A first guess that is the target’s token costs a source nothing, any other costs it weight. {_MEMORY}",
    "note_coins": f"{_CHOICE} A source loses weight by the probability that a coin rejects its guess. {_MEMORY}",
    "key_weight": "weight, from 0 to 1",
    "key_chosen": "the source chosen",
    "title_frequent": "Which tokens can be guessed",
    "about_frequent": "the vocabulary by frequency: no token behind the cut is ever guessed",
    "inside": "Step {step}: every token could be guessed",
    "outside": "Step {step}: {count} not frequent enough to be guessed",
    "rank": "is number {rank} by frequency",
    "playing": "Step {step}",
    "scale": "Places by frequency, log scale, cut after {kept}.",
    "missed": "So far {missed} of {all} tokens of the text lie behind the cut: the draft could not guess them.",
}
"""Texts of the panel; {…} is filled in by the browser."""


def routing(step: Step) -> Routing | None:
    """The choice of a source before a step, columns by source; None where there was none."""
    chosen = step.routing
    if chosen is None:
        return None
    names = list(chosen.weights)
    return {
        "names": [short_source(name) for name in names],
        "weights": [round(chosen.weights[name], 4) for name in names],
        "losses": [number(chosen.losses[name]) if name in chosen.losses else "–" for name in names],
        "chosen": names.index(chosen.source),
    }
