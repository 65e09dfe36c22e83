"""Drafting while the target verifies: outcomes against all ranks enumerated, waiting against a schedule of two machines, tick by tick."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from ersd.theory.predrafting import outcome_values, place_of, waits

RANKS = [0.5, 0.2, 0.15, 0.1, 0.05]
"""P(R = 1), …, P(R = 4) and the rest"""
PARENTS, NUMBERS, CHILDREN = [-1, -1, 0, 2], [1, 2, 1, 1], [2, 1, 0, 1, 0]
"""two children of the root, a chain of two more below the first; the last list begins with the root"""


def enumerated() -> dict[tuple[int, int], float]:
    """Every outcome (row, arrival after the children) with its probability: the ranks of three positions, all combinations."""
    found: dict[tuple[int, int], float] = {}
    below = {(-1, 1): 0, (-1, 2): 1, (0, 1): 2, (2, 1): 3}
    for ranks in itertools.product(range(5), repeat=4):
        node, chance = -1, float(np.prod([RANKS[rank] for rank in ranks]))
        for rank in ranks:
            if (node, rank + 1) not in below:
                if rank < 4 and rank - CHILDREN[1 + node] < 2:
                    outcome = (1 + node, rank - CHILDREN[1 + node])
                    found[outcome] = found.get(outcome, 0) + chance
                break
            node = below[node, rank + 1]
    return found


def test_an_outcome_is_as_likely_as_the_walks_that_end_with_it():
    values = outcome_values(PARENTS, NUMBERS, CHILDREN, RANKS, 2)
    assert values.shape == (5, 2)
    for (row, arrival), chance in enumerated().items():
        assert values[row, arrival] == pytest.approx(chance)


def test_the_likeliest_outcomes_come_first_and_every_place_is_taken_once():
    values = outcome_values(PARENTS, NUMBERS, CHILDREN, RANKS, 2)
    places = {place_of(values, row, column): values[row, column] for row, column in np.ndindex(values.shape)}
    assert sorted(places) == list(range(1, 11))
    assert [places[place] for place in sorted(places)] == sorted(values.ravel(), reverse=True)


def schedule(draft: list[int], busy: list[int], prepared: list[int], is_prepared: list[bool]) -> int:
    """Ticks until the last call is over, on two machines that know nothing of a formula."""
    clock, target_free, ready, preparing = 0, 0, None, None
    call, drafting_anew = 0, draft[0]  # what the draft still has to do for call 0
    outcome_known = 0
    while True:
        if call and clock == outcome_known and not is_prepared[call]:
            preparing, drafting_anew = None, draft[call]
        if drafting_anew == 0 and ready is None:
            ready, drafting_anew = clock, None
        if preparing == 0 and clock >= outcome_known and ready is None and is_prepared[call]:
            ready, preparing = clock, None
        if ready is not None and clock >= target_free:
            target_free, ready = clock + busy[call], None
            if call + 1 == len(busy):
                return target_free
            call += 1
            outcome_known, preparing, drafting_anew = target_free, prepared[call], None
            continue
        clock += 1
        preparing = preparing - 1 if preparing else preparing
        drafting_anew = drafting_anew - 1 if drafting_anew else drafting_anew


@pytest.mark.parametrize("seed", range(40))
def test_two_machines_take_as_long(seed):
    chance = random.Random(seed)
    calls = chance.randint(2, 9)
    draft, busy, prepared = ([chance.randint(1, most) for _ in range(calls)] for most in (6, 9, 14))
    is_prepared = [False, *(chance.random() < 0.6 for _ in range(calls - 1))]
    before = [0, *busy[:-1]]
    waited = waits(*(np.array(each) for each in (draft, before, prepared, is_prepared)))
    assert schedule(draft, busy, prepared, is_prepared) == waited.sum() + sum(busy)


def test_with_equal_calls_it_is_the_formula_of_the_paper():
    hit, draft, prepared = 0.75, 0.4, 1.3  # in target calls: T_b and T_p
    is_prepared = np.arange(400) % 4 > 0
    step = 1 + waits(np.full(400, draft), np.ones(400), np.full(400, prepared), is_prepared).mean()
    assert step == pytest.approx(hit * max(1, prepared) + (1 - hit) * (1 + draft))
