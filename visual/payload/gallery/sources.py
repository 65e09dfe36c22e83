"""Cards about sources of guesses: where one suits a text, and where another does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from ersd.trace.model import Trace
from ersd.trace.step import Step

from ..copied import copied
from ..sentences.formatting import decimal
from ..sentences.names import source_name
from .card import LENGTH, Card, View, longest_step, settings

# --- n-grams ----------------------------------------------------------------------------------------------------------------------------

_BEAR, _FOX = (
    f'the {one} said, "I will help you find your mom." They walked and walked, but they did not find her. ' for one in ("bear", "fox")
)
REPEATED = f"First, {_BEAR}Then, {_FOX}Then, the owl said,"
"""A story that tells the same twice: the target tells it once more."""


def _find_copy(traces: Sequence[Trace]) -> list[View] | None:
    longest = longest_step(traces[0])
    before = traces[0].prompt + "".join(one.text for step in traces[0].steps[: longest.index] for one in step.emitted)
    return [View(longest.index)] if longest.accepted >= 8 and copied(longest, before) else None


def _tell_copy(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,), (view,) = traces, views
    step = trace.steps[view.step]
    others = len(trace.steps) - 1
    rest = decimal((len(trace.token_ids) - len(step.emitted)) / others)
    return (
        f"The prompt tells the same twice, and the target begins a third time. N-grams copy what followed the same words: in step "
        f"{view.step + 1}, one call kept {step.accepted} of {len(step.tokens)} guesses and gave {len(step.emitted)} tokens, with no draft "
        "model.",
        f"Elsewhere there is little to copy: the other {others} calls gave {rest} tokens on average. The text shows what was copied.",
    )


# --- several sources --------------------------------------------------------------------------------------------------------------------

TURNING = 'The little frog said, "Hop, hop, hop, hop, hop, hop, hop, hop, hop, hop,'
"""A story that turns into a list: the target ends the list, and goes on with the story."""
MIN_ALIKE = 6
"""Steps in a row with one source that show whom it suits."""


class _Streak(NamedTuple):
    """Steps in a row in which one source was chosen."""

    source: str
    steps: list[Step]


def _streaks(trace: Trace) -> list[_Streak]:
    """Of a routed run, in order."""
    routed = [step for step in trace.steps if step.routing]
    return [_Streak(source, list(steps)) for source, steps in groupby(routed, key=lambda step: step.routing.source if step.routing else "")]


def _weight(streak: _Streak) -> float:
    """The largest weight that its source had."""
    return max(step.routing.weights[streak.source] for step in streak.steps if step.routing)


def _find_turn(traces: Sequence[Trace]) -> list[View] | None:
    long = [streak for streak in _streaks(traces[0]) if len(streak.steps) >= MIN_ALIKE]
    if [streak.source for streak in long] != ["ngram", "model"] or min(map(_weight, long)) < 0.6:
        return None
    return [View(long[1].steps[0].index)]


def _tell_turn(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,) = traces
    first, last = (streak for streak in _streaks(trace) if len(streak.steps) >= MIN_ALIKE)
    before, after = (
        f"{source_name(each.source)} in steps {each.steps[0].index + 1} to {each.steps[-1].index + 1}, with a weight of up to "
        f"{decimal(_weight(each))}"
        for each in (first, last)
    )
    return (
        "The prompt turns from a story to a list, and the text turns back. The source is chosen before every step, by how well it guessed "
        f"in the steps before: {before}; {after}.",
        f"Whichever guesses, the text is the same for this seed, here {len(trace.token_ids)} tokens in {len(trace.steps)} calls. Which "
        "source guesses, below the steps, shows all weights.",
    )


# --- the cards --------------------------------------------------------------------------------------------------------------------------

CARDS: tuple[Card, ...] = (
    Card(
        "Repeat the story with one change",
        {"repeated": settings("ersd", "dynamic", 12, temperature=0.7, source="ngram")},
        _find_copy,
        _tell_copy,
        prompts=(REPEATED,),
    ),
    Card(
        "A text that turns",
        {"routed": replace(settings("ersd", "tau_star", 4, temperature=0.4, source="routed"), max_new_tokens=2 * LENGTH)},
        _find_turn,
        _tell_turn,
        prompts=(TURNING,),
    ),
)
