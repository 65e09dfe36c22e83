from __future__ import annotations

from itertools import combinations

import pytest

from ersd.settings import Settings
from visual import tree
from visual.treestyle import TEMPLATES, Style
from visual.words import visible

from .fakes import bare_step, block_step, large_step, race_step

SHAPES = {
    "one": [-1],
    "chain": list(range(-1, 63)),
    "batch": [-1] * 64,
    "binary": [-1, -1, *((v - 2) // 2 for v in range(2, 64))],
}


def test_states():
    assert tree.states(race_step()) == {0: "rejected", 1: "accepted", 2: "rejected", 3: "open"}


def test_states_differ_without_colour():
    marks = [trace["marker"]["symbol"] for trace in TEMPLATES["markers"] if "marker" in trace]
    assert len(marks) == len(set(marks)) == 5


def test_what_block_verification_looked_at_behind_the_cut_is_no_open_vertex():
    assert tree.states(block_step((0.1, 0.9, 0.9))) == {0: "accepted", 1: "rejected", 2: "rejected"}


def test_every_vertex_is_told_and_the_own_token_too():
    told = tree.data(race_step(), "Once she")
    assert told["names"] == ["␣liked", "␣loved", "␣play", "␣dog", "␣swim"]
    assert told["states"] == "rarot"
    assert len(told["rows"]) == 5
    assert told["root"] == "Once she"


@pytest.mark.parametrize("parents", SHAPES.values(), ids=SHAPES)
def test_left_to_right_and_nothing_in_the_same_place(parents):
    step = large_step(parents)
    nodes = tree.tree_of(step).graph.nodes
    places = [(nodes[v]["column"], nodes[v]["row"]) for v in nodes]
    assert len(set(places)) == len(places)
    assert all(nodes[v]["column"] == step.depths[v] for v in range(len(parents)))
    assert all(nodes[v]["row"] >= nodes[step.parents[v]]["row"] for v in range(len(parents)))


@pytest.mark.parametrize("parents", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("topology", ["tau_star", "sequence", "batch"])
def test_labels_of_a_row_have_room(parents, topology):
    settings = Settings(topology=topology, draft_tokens=len(parents))
    style = Style.of(settings)
    nodes = tree.tree_of(large_step(parents)).graph.nodes
    letter = 6.95 if style.boxes else 6.35
    label = style.label_columns + (2 if style.boxes else 0)  # the sign in front
    for one, other in combinations(nodes, 2):
        if nodes[one]["row"] == nodes[other]["row"]:
            apart = abs(nodes[one]["column"] - nodes[other]["column"])
            # in a chain neighbours take turns above and below, so a label meets the next but one
            reach = 2 if style.alternate and apart == 1 else 1
            assert label * letter <= apart * style.pitch * reach + 4


def test_names_are_whole_the_browser_shortens_them():
    step = large_step([-1])
    assert tree.data(step, "")["names"] == [visible(step.texts[0]), "␣own"]


def test_no_tree_is_a_root_and_the_own_token():
    told = tree.data(bare_step(), "Once she")
    assert (told["states"], told["rows"], told["q"]) == ("t", [0], [])
