"""The measurement: first the acceptance at each temperature, which gives the lines, then direct runs, text by text, for the points."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from ..isolation import isolated
from ..models.pair import ModelPair
from .acceptance import Acceptance
from .expected import expected
from .plan import Plan
from .results import Curves, Lines, Point
from .runs import Runs


@dataclass(frozen=True)
class Progress:
    """What is new, and how far the measurement is."""

    done: float
    """share of the work that is done, estimated"""
    doing: str
    """what was measured, in words"""
    tokens: int = 0
    """tokens written for it"""
    lines: Lines | None = None
    point: Point | None = None


LINES_SHARE = 0.25
"""Share of the work that the lines take with the usual plan."""


@isolated
def measure(pair: ModelPair, plan: Plan) -> Generator[Progress, None, None]:
    """Measure the curves of a pair. Each item is one step's worth of work; closing the generator ends it.

    Raises:
        ValueError: if a prompt does not fit into the context, of the target or of the draft, or the pair does not have the source.
    """
    acceptances: dict[float, Acceptance] = {}
    total = len(plan.temperatures) * plan.texts
    done, doing = 0.0, _reading(plan.temperatures[0])
    yield Progress(done, doing)
    for temperature in plan.temperatures:
        acceptance = acceptances[temperature] = Acceptance(temperature, plan.source)
        for text in range(plan.texts):
            for tokens in acceptance.add(pair, *plan.text(text), place=text / plan.texts):
                yield Progress(done, doing, tokens)
            if not acceptance.decisions:
                raise ValueError("prompts must leave room in the draft's context: after this one nothing can be drafted")
            done = LINES_SHARE * (len(acceptances) * plan.texts - plan.texts + text + 1) / total
            doing, is_last = _reading(temperature), text == plan.texts - 1
            yield Progress(done, doing, lines=expected(acceptance, pair.vocab_size) if is_last else None)
    points = list(plan.points())
    runs = {each: Runs(each[2], each[1], acceptances[each[0]]) for each in points}
    # a chain of k tokens takes k draft calls, any other tree a few
    weights = [8 + (k if curve == "sequence" else k / 4) for _, k, curve in points]
    weighed, work = 0.0, sum(weights) * plan.texts
    for text in range(plan.texts):
        _, seed = plan.text(text)
        for (temperature, k, curve), weight in zip(points, weights, strict=True):
            run = runs[temperature, k, curve]
            for tokens in run.add(pair, acceptances[temperature].beginnings[text], seed, plan.calls):
                yield Progress(done, doing, tokens)
            weighed += weight
            done = LINES_SHARE + (1 - LINES_SHARE) * weighed / work
            doing = f"text {text + 1} of {plan.texts}, k = {k}, T = {temperature:g}"
            yield Progress(done, doing, point=run.point())


def whole(pair: ModelPair, plan: Plan) -> Curves:
    """Measure to the end."""
    lines: list[Lines] = []
    points: dict[tuple[str, float, int], Point] = {}
    for progress in measure(pair, plan):
        if progress.lines:
            lines.append(progress.lines)
        if progress.point:
            points[progress.point.key] = progress.point
    return Curves(pair.name, pair.costs.get(plan.source), plan.texts, lines, list(points.values()), plan.source)


def _reading(temperature: float) -> str:
    return f"ranks of the target’s tokens, T = {temperature:g}"
