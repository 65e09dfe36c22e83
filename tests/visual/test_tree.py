from __future__ import annotations

from itertools import combinations

import pytest

from ersd.settings import Settings
from visual import tree
from visual.treestyle import TEMPLATES, Style
from visual.words import width

from .fakes import SETTINGS, bare_step, large_step, race_step

SHAPES = {
    "one": [-1],
    "chain": list(range(-1, 63)),
    "batch": [-1] * 64,
    "binary": [-1, -1, *((v - 2) // 2 for v in range(2, 64))],
}


def test_states():
    assert tree.states(race_step()) == {0: "rejected", 1: "accepted", 2: "rejected", 3: "open"}


def test_states_differ_without_colour():
    marks = [trace["marker"]["symbol"] for trace in TEMPLATES["markers"][-5:]]
    assert len(set(marks)) == 5


def test_every_vertex_is_drawn_once_and_the_own_token_too():
    drawn = tree.figure(race_step(), SETTINGS, "Once she")
    vertices = [v for data in drawn["data"] for v in data.get("customdata", [])]
    assert sorted(vertices) == [-1, 0, 1, 2, 3, 4]


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
    drawn = tree.figure(large_step(parents), settings, "a very long context before the tree")
    placed = [(x, y, text) for data in drawn["data"] for x, y, text in zip(data["x"], data["y"], data.get("text", []), strict=False)]
    letter = 6.95 if style.boxes else 6.35
    for (x, y, text), (other_x, other_y, other) in combinations(placed, 2):
        if y == other_y:
            # in a chain neighbours take turns above and below, so a label meets the next but one
            reach = 2 if style.alternate and abs(x - other_x) == 1 else 1
            assert (width(text) + width(other)) / 2 * letter <= abs(x - other_x) * style.pitch * reach + 4


def test_hover_tells_probabilities_times_and_reason():
    drawn = tree.figure(race_step(), SETTINGS, "Once she")
    hover = {v: text for data in drawn["data"] for v, text in zip(data.get("customdata", []), data.get("hovertext", []), strict=True)}
    assert "q 0.20" in hover[1]
    assert "p 0.50" in hover[1]
    assert "draft 0.30, target 0.12" in hover[1]
    assert "Accepted" in hover[1]


def test_no_tree_is_a_root_and_the_own_token():
    drawn = tree.figure(bare_step(), SETTINGS, "Once she")
    assert (drawn["columns"], drawn["rows"]) == (2, 1)
