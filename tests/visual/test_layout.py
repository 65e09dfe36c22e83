"""The one layout of draft trees: of the live tree and of the preview."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from visual.payload import tree, tree_preview
from visual.payload.tree_layout import place

from .fakes import large_step


def _random_tree(count: int, seed: int) -> tuple[list[int], list[int]]:
    """Parents before children, siblings ranked in any order."""
    random_ = random.Random(seed)
    parents = [random_.randrange(-1, vertex) for vertex in range(count)]
    ranks = [0] * count
    for parent in set(parents):
        siblings = [vertex for vertex in range(count) if parents[vertex] == parent]
        for rank, vertex in enumerate(random_.sample(siblings, len(siblings)), 1):
            ranks[vertex] = rank
    return parents, ranks


TREES = {
    "nothing": ([], []),
    "one": ([-1], [1]),
    "chain": (list(range(-1, 255)), [1] * 256),
    "batch": ([-1] * 256, list(range(1, 257))),
    "2 × 2": ([-1, -1, 0, 0, 1, 1], [1, 2, 1, 2, 1, 2]),
    **{f"random {seed}": _random_tree(40, seed) for seed in range(8)},
}
every_tree = pytest.mark.parametrize(("parents", "ranks"), TREES.values(), ids=TREES)


def test_a_small_tree_by_hand():
    places = place(*TREES["2 × 2"])
    assert places.columns == [1, 1, 2, 2, 2, 2]
    assert places.lanes == [0, 2, 0, 1, 2, 3]
    assert places.per_column == [2, 4]


@every_tree
def test_a_column_per_depth(parents, ranks):
    columns = [0, *place(parents, ranks).columns]
    assert all(columns[vertex + 1] == columns[parent + 1] + 1 for vertex, parent in enumerate(parents))


@every_tree
def test_the_first_child_is_on_its_parents_row_and_its_siblings_below_in_order(parents, ranks):
    lanes = place(parents, ranks).lanes
    for parent in set(parents):
        children = sorted((vertex for vertex in range(len(parents)) if parents[vertex] == parent), key=lambda vertex: ranks[vertex])
        assert lanes[children[0]] == (lanes[parent] if parent >= 0 else 0)
        assert all(lanes[one] < lanes[other] for one, other in pairwise(children))


@every_tree
def test_every_leaf_has_a_row_of_its_own_and_no_row_is_empty(parents, ranks):
    lanes = place(parents, ranks).lanes
    leaves = sorted(lane for vertex, lane in enumerate(lanes) if vertex not in parents)
    assert leaves == list(range(len(leaves)))
    assert set(lanes) == set(leaves)


@every_tree
def test_subtrees_share_no_rows(parents, ranks):
    lanes = place(parents, ranks).lanes
    below: dict[int, set[int]] = {vertex: {vertex} for vertex in range(len(parents))}
    for vertex in reversed(range(len(parents))):
        if parents[vertex] >= 0:
            below[parents[vertex]] |= below[vertex]
    for parent in set(parents):
        spans = [{lanes[each] for each in below[child]} for child in range(len(parents)) if parents[child] == parent]
        assert len(set().union(*spans)) == sum(map(len, spans))


@pytest.mark.parametrize(("parents", "ranks"), [(parents, ranks) for parents, ranks in TREES.values() if 0 < len(parents) < 100])
def test_the_preview_and_the_live_tree_agree(parents, ranks):
    live = tree.data(replace(large_step(parents), ranks=ranks), "")
    count = len(parents)
    svg = tree_preview.picture(parents, ranks)
    dots = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", svg)]
    across = {x: column for column, x in enumerate(sorted({x for x, _ in dots}), 1)}
    down = {y: lane for lane, y in enumerate(sorted({y for _, y in dots}))}
    assert [across[x] for x, _ in dots] == live["columns"][:count]
    assert [down[y] for _, y in dots] == live["lanes"][:count]
