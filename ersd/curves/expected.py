"""The lines: what the best tree of every size is expected to yield (arXiv 2504.15475, section 4, figures 3 and 4)."""

from __future__ import annotations

import itertools
import math

from ..draft_tree import Shape
from ..drafts.shapes import regular_shape
from ..settings import LEVELS
from ..theory import best_branchings, length_bound, tau_star, vertex_values
from .acceptance import Acceptance
from .results import MAX_DRAFTED, Line, Lines

MAX_LEVELS = int(LEVELS.high)
"""Most levels of a tree that is not a sequence."""
DIGITS = 5


def expected(acceptance: Acceptance, vocab_size: int) -> Lines:
    """The lines for a pair at one temperature."""
    race = acceptance.race_ranks()
    entropy = acceptance.ranks.entropy() or 0.0
    limits = [length_bound(vocab_size, k, entropy) - 1 for k in range(1, MAX_DRAFTED + 1)]
    return Lines(
        temperature=acceptance.temperature,
        decisions=acceptance.decisions,
        entropy=entropy,
        limit=[limit if math.isfinite(limit) else None for limit in limits],
        lines={
            "tau_star": _tau_star(race),
            "specinfer": _specinfer(acceptance),
            "sequence": _sequence(race[0]),
            "batch": _batch(race),
        },
    )


def tree_of(curve: str, k: int, acceptance: Acceptance) -> Shape:
    """The tree that a curve has at k drafted tokens; for `tau_star` the one that its run begins with."""
    if curve == "tau_star":
        parents, ranks, _ = tau_star(acceptance.race_ranks(), k)
        return Shape(tuple(parents), tuple(ranks))
    if curve == "specinfer":
        return regular_shape(branching_of(k, acceptance))
    return regular_shape((1,) * k if curve == "sequence" else (k,))


def branching_of(k: int, acceptance: Acceptance) -> tuple[int, ...]:
    """SpecInfer's best branching with at most k drafted tokens."""
    return best_branchings(acceptance.gsd_acceptances(), k, MAX_LEVELS)[-1][k].branching


def _tau_star(ranks: list[float]) -> Line:
    by_levels: list[list[float]] = []
    for levels in range(1, MAX_LEVELS + 1):
        # the best tree of a size has one node more than the one before, so the sums of one tree are the values of all
        parents, numbers, _ = tau_star(ranks, MAX_DRAFTED, levels)
        sums = list(itertools.accumulate(vertex_values(parents, numbers, ranks)))
        if by_levels and sums == by_levels[-1]:
            break
        by_levels.append(sums)
    parents, numbers, _ = tau_star(ranks, MAX_DRAFTED)
    values = vertex_values(parents, numbers, ranks)
    return _line(list(itertools.accumulate(values)), values, by_levels)


def _specinfer(acceptance: Acceptance) -> Line:
    table = best_branchings(acceptance.gsd_acceptances(), MAX_DRAFTED, MAX_LEVELS)
    by_levels = [[tree.accepted for tree in row[1:]] for row in table[1:]]
    tree = regular_shape(table[-1][-1].branching)
    values = vertex_values(tree.parents, tree.ranks, acceptance.gsd_ranks())
    return _line(by_levels[-1], sorted(values, reverse=True), by_levels)


def _sequence(match: float) -> Line:
    values = [match**length for length in range(1, MAX_DRAFTED + 1)]
    sums = list(itertools.accumulate(values))
    return _line(sums, values, [sums])


def _batch(ranks: list[float]) -> Line:
    sums = list(itertools.accumulate(ranks[:MAX_DRAFTED]))
    return _line(sums, sorted(ranks[:MAX_DRAFTED], reverse=True), [sums])


def _line(accepted: list[float], following: list[float], by_levels: list[list[float]]) -> Line:
    def short(values: list[float]) -> list[float]:
        return [round(value, DIGITS) for value in values]

    return Line(short(accepted), short(following), [short(values) for values in by_levels])
