"""Draft trees: what became of every node, and the preview's layout and picture."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest

from ersd.trace.step import Try
from visual.payload.tree import step_tree as tree
from visual.payload.tree.preview import HEIGHT, WIDTH, described, levels, picture, unknown
from visual.payload.tree.step_tree import layout
from visual.payload.tree.style import BOX_COLOURS, EDGE_COLOURS, TRACES

from .fakes import bare_step, block_step, large_step, leaf_step, race_step, row, step, visit


def _random_tree(count: int, seed: int) -> tuple[list[int], list[int]]:
    """Parents before children, siblings ranked in any order."""
    random_ = random.Random(seed)
    parents = [random_.randrange(-1, node) for node in range(count)]
    ranks = [0] * count
    for parent in set(parents):
        siblings = [node for node in range(count) if parents[node] == parent]
        for rank, node in enumerate(random_.sample(siblings, len(siblings)), 1):
            ranks[node] = rank
    return parents, ranks


BINARY = ([-1, -1, 0, 0, 1, 1], [1, 2, 1, 2, 1, 2])
TREES = {
    "nothing": ([], []),
    "one": ([-1], [1]),
    "chain": (list(range(-1, 255)), [1] * 256),
    "batch": ([-1] * 256, list(range(1, 257))),
    "2 × 2": BINARY,
    **{f"random {seed}": _random_tree(40, seed) for seed in range(8)},
}
every_tree = pytest.mark.parametrize(("parents", "ranks"), TREES.values(), ids=TREES)

# --- the data of a step ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (race_step(), ["rejected", "accepted", "rejected", "not reached"]),
        (block_step((0.1, 0.9, 0.9)), ["accepted", "rejected", "rejected"]),  # the coins looked at all of the sequence
        (
            # a child that is drawn again after it was rejected may be accepted, and stays so
            step(
                [
                    visit(
                        "coins",
                        [row(5, " x", p=0.4, q=0.6)],
                        token=5,
                        tries=[Try(vertex=0, accepted=accepted, p=0.4, q=0.6, ratio=0.6, coin=0.5) for accepted in (False, True, False)],
                    )
                ],
                parents=[-1],
                tokens=[5],
            ),
            ["accepted"],
        ),
    ],
)
def test_states_of_drafted_tokens(made, found):
    assert made.states == found


def test_every_node_is_sent_and_the_targets_own_token_too():
    sent = tree.data(race_step(), "Once she")
    assert sent["names"] == ["liked", "loved", "play", "dog", "swim"]
    assert sent["states"] == ["rejected", "accepted", "rejected", "not reached", "target"]
    assert sent["parents"] == [-1, -1, 1, 0, 1]
    assert (sent["q"], sent["ranks"]) == ([0.6, 0.2, 0.5, 0.03], [1, 2, 1, 1])
    assert set(sent["why"]) == {0, 2}
    assert sent["root"] == "Once she"


def test_the_own_token_is_the_last_or_the_only_one_or_absent():
    below = tree.data(large_step([-1] * 5), "")
    assert (below["parents"][-1], below["states"][-1]) == (-1, "target")
    alone = tree.data(bare_step(), "Once she")
    assert (alone["states"], alone["parents"], alone["q"]) == (["target"], [-1], [])
    ended = leaf_step("race")  # an accepted token ends the text
    assert tree.data(replace(ended, emitted=ended.emitted[:1], walk=ended.walk[:1]), "")["states"] == ["accepted"]


# --- the layout -----------------------------------------------------------------------------------------------------------------


def test_the_layout_of_a_small_tree():
    drawn = layout(*BINARY)
    assert (drawn.columns, drawn.lanes, drawn.per_column) == ([1, 1, 2, 2, 2, 2], [0, 2, 0, 1, 2, 3], [2, 4])


@every_tree
def test_columns_are_depths_and_subtrees_share_no_lanes(parents, ranks):
    drawn, nodes = layout(parents, ranks), range(len(parents))
    lanes, columns = drawn.lanes, [0, *drawn.columns]
    assert all(columns[node + 1] == columns[parent + 1] + 1 for node, parent in enumerate(parents))
    below: dict[int, set[int]] = {node: {lanes[node]} for node in nodes}
    for node in reversed(nodes):
        if parents[node] >= 0:
            below[parents[node]] |= below[node]
    for parent in set(parents):
        children = sorted((node for node in nodes if parents[node] == parent), key=lambda node: ranks[node])
        assert lanes[children[0]] == (lanes[parent] if parent >= 0 else 0), "the first child is in its parent’s lane"
        assert all(max(below[one]) < min(below[other]) for one, other in pairwise(children))
    leaves = sorted(lane for node, lane in enumerate(lanes) if node not in parents)
    assert leaves == list(range(len(leaves))), "every leaf has a lane of its own"


# --- the style ------------------------------------------------------------------------------------------------------------------


def test_every_state_has_a_template_and_the_colour_of_its_meaning():
    states = {"accepted", "rejected", "not reached", "target", "root"}
    assert set(TRACES) == set(BOX_COLOURS) == states == {*EDGE_COLOURS, "root"}
    assert [state for state in states if "accepted" in BOX_COLOURS[state]["fill"]] == ["accepted"], "green is for accepted tokens only"
    assert [state for state, colour in EDGE_COLOURS.items() if "accepted" in colour] == ["accepted"]


# --- the preview ----------------------------------------------------------------------------------------------------------------


def _dots(svg: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", svg)]


@every_tree
def test_every_node_is_drawn_inside_the_picture_and_none_on_another(parents, ranks):
    svg = picture(parents, ranks)
    ET.fromstring(svg)
    dots = _dots(svg)
    assert len(set(dots)) == len(dots) == len(parents)
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in dots)
    assert all(float(y) >= 9.5 for y in re.findall(r'<text x="[\d.]+" y="([\d.]+)"', svg)), "the numbers are not cut off"


def test_every_edge_goes_from_the_parent_to_the_child():
    svg = picture(*BINARY)
    root = re.search(r'<rect x="([\d.]+)" y="([\d.]+)"', svg)
    assert root
    starts = [(float(root[1]) + 3, float(root[2]) + 3), *_dots(svg)]
    edges = re.findall(r"M([\d.]+) ([\d.]+)(?:h[\d.]+V([\d.]+))?H([\d.]+)", svg)
    assert len(edges) == 6
    for node, (x0, y0, y, x) in enumerate(edges):
        assert (float(x0), float(y0)) == pytest.approx(starts[BINARY[0][node] + 1])
        assert (float(x), float(y or y0)) == pytest.approx(starts[node + 1])
    numbers = {float(element.attrib["x"]): element.text for element in ET.fromstring(svg).iter("text")}
    assert numbers == dict(zip(sorted({x for x, _ in starts[1:]}), ["2", "4"], strict=True))
    assert not list(ET.fromstring(picture(*TREES["chain"])).iter("text")), "no room for numbers"


def test_the_label_describes_the_picture():
    label = ET.fromstring(picture(*BINARY)).attrib["aria-label"]
    assert label == described(levels(BINARY[0])) == "Draft tree of 6 drafted tokens on 2 levels: 2, 4."
    assert described([1]) == "Draft tree of 1 drafted token on 1 level: 1."
    assert "nothing is drafted" in described([])
    assert described([1] * 256).endswith("1, ….")


def test_a_shape_that_is_not_known_is_drawn_so_low_that_a_card_24_pixels_high_shows_it():
    drawn = ET.fromstring(unknown())
    assert "chosen at every step" in drawn.attrib["aria-label"]
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    dots = next(float(path.attrib["stroke-width"]) for path in drawn.iter("path") if path.get("stroke-linecap") == "round")
    assert dots * min(24 / height, 160 / width) >= 5, "pixels"
