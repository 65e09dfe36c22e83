"""Was it worth it: a run's time beside that of the target alone, on this machine and where a target call costs more."""

from __future__ import annotations

from typing import Any

from ersd.models.costs import SLOWER, Costs, places
from ersd.theory.speed import speedup
from ersd.trace.model import Step
from ersd.trace.statistics import Statistics

from .sentences.formatting import decimal, plural, rounded
from .sentences.numbers import number

HELP = (
    "tokens per call · c / (C + draft levels per call), up to this step: a target call on one token costs c draft levels, on a tree C. "
    "Weights read a call: decoding one sequence waits for memory, and every call reads every weight once, so C is c. At load: measured "
    "when the models were loaded, with 0, 4 and 16 drafted tokens, in turns with the draft as in a run, and C on a straight line between "
    "them. All else that a run does takes no time here"
)


def elsewhere(costs: Costs | None) -> list[dict[str, Any]]:
    """Where as many tokens per call would be worth more (`Elsewhere` of page/player/types.js), in the order of `values`."""
    return [
        {"label": f"{place.label}: {place.ratio:g}", "ratio": place.ratio, "calls": place.calls, "source": place.source, "help": HELP}
        for place in places(costs)
    ]


def values(step: Step, total: Statistics, costs: Costs | None, drafts: bool, alone_ms: float | None) -> dict[str, Any]:
    """What is told once `step` has been added to `total` (`Speedup` of page/player/types.js), where one by one takes `alone_ms` a token."""
    gained, alone = gain(total, costs, drafts, alone_ms), None if alone_ms is None else _read(alone_ms)
    words = {"over": over(total.steps), "words": _words(gained["factor"], costs, drafts), "step": _this_step(step, total, alone)}
    return {**gained, **words, "alone": alone}


def gain(total: Statistics, costs: Costs | None, drafts: bool, alone_ms: float | None) -> dict[str, Any]:
    """How many times as fast as one by one, at `alone_ms` a token, a run is: `factor` here, `elsewhere` by the places there, of the figures
    in `basis` (tokens per call, draft levels and tokens scored a call); nothing of one by one itself."""
    if not drafts or not total.steps:
        return {"factor": None, "elsewhere": [], "basis": None}
    # of the figures as they are written, here and in the card What if: they come out for who checks them
    per_call, levels = (rounded(count / total.steps) for count in (total.tokens, total.draft_calls))
    scored = round(total.drafted / total.steps + 1, 3)
    there = [speedup(per_call, place.ratio, levels, place.call(scored)) for place in places(costs)]
    return {"factor": _factor(alone_ms, total.ms_per_token), "elsewhere": there, "basis": [per_call, levels, scored]}


def over(steps: int) -> str:
    """Over which of so many steps time is told: all but the first, which reads the prompt too."""
    return {1: "from step 2 on", 2: "in step 2"}.get(steps, f"in steps 2–{steps}")


def written(ms: float) -> str:
    """Milliseconds of a token."""
    return number(ms, 3)


def _factor(alone_ms: float | None, ms: float | None) -> float | None:
    """The quotient of what is written of both; None where one of them is not known."""
    return rounded(_read(alone_ms) / _read(ms)) if alone_ms and ms else None


def _read(ms: float) -> float:
    """What is written, as a number; what is only said to be less or more than something, as it is."""
    words = written(ms)
    return ms if words[0] in "<>" else float(words.replace(",", ""))


def _words(factor: float | None, costs: Costs | None, drafts: bool) -> str:
    if costs is None:
        return "not known of a recorded run: press Generate for one on this machine"
    if not drafts:
        return "this is one by one"
    if factor is None:
        return "told from step 2 on: step 1 reads the prompt too"
    if factor == 1:
        return "as fast here"
    return f"slower: {SLOWER}" if factor < 1 else "faster here"


def _this_step(step: Step, total: Statistics, alone: float | None) -> str:
    """Its milliseconds and those of as many tokens one by one; the sum and the product come out for who checks them."""
    parts = [round(step.draft_ms, 1), round(step.target_ms, 1), round(step.verify_ms, 1)]
    draft, call, check = parts
    count = len(step.emitted)
    words = f"draft {draft:.1f} + call {call:.1f} + check {check:.1f} = {sum(parts):.1f} ms{' with the prompt' if total.steps == 1 else ''}"
    if alone is None:
        return words
    return f"{words}; one by one {plural(count, 'token')} · {written(alone)} = {decimal(count * alone, 1)} ms"
