"""The draft tree of a step: what became of every vertex, and room for every label."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from ersd.settings import Settings
from ersd.trace.model import Try
from visual.payload import tree
from visual.payload.sentences.formatting import visible
from visual.payload.tree_style import BOX_COLOURS, BOXES, EDGE_STEPS, EDGES, LETTER, MARKERS, Style

from .fakes import bare_step, block_step, large_step, leaf_step, race_step, row, step, visit

SHAPES = {
    "one": [-1],
    "chain": list(range(-1, 63)),
    "batch": [-1] * 64,
    "binary": [-1, -1, *((v - 2) // 2 for v in range(2, 64))],
}


def test_states():
    assert tree.states(race_step()) == ["rejected", "accepted", "rejected", "open"]


def test_a_child_drawn_again_after_it_was_rejected_may_be_accepted_and_stays_so():
    tries = [Try(vertex=0, accepted=accepted, p=0.4, q=0.6, ratio=0.6, coin=0.5) for accepted in (False, True, False)]
    decided = visit("coins", [row(5, " x", p=0.4, q=0.6)], token=5, tries=tries)
    assert tree.states(step([decided], parents=[-1], tokens=[5])) == ["accepted"]


def test_what_block_verification_looked_at_behind_the_cut_is_no_open_vertex():
    assert tree.states(block_step((0.1, 0.9, 0.9))) == ["accepted", "rejected", "rejected"]


def test_every_vertex_is_told_and_the_own_token_too():
    told = tree.data(race_step(), "Once she")
    assert told["names"] == ["␣liked", "␣loved", "␣play", "␣dog", "␣swim"]
    assert told["states"] == ["rejected", "accepted", "rejected", "open", "target"]
    assert told["parents"] == [-1, -1, 1, 0, 1]
    assert told["columns"] == [1, 1, 2, 2, 2]
    assert told["lanes"] == [0, 1, 1, 0, 2]
    assert (told["q"], told["ranks"]) == ([0.6, 0.2, 0.5, 0.03], [1, 2, 1, 1])
    assert set(told["why"]) == {0, 2}
    assert (told["root"], told["next"]) == ("Once she", "Once she loved swim")


def test_an_accepted_end_has_no_token_of_the_targets_own():
    whole = leaf_step("race")
    told = tree.data(replace(whole, walk=whole.walk[:1]), "")
    assert (told["names"], told["states"]) == (["␣a"], ["accepted"])


def test_the_own_token_stands_below_all_children():
    told = tree.data(large_step([-1] * 5), "")
    assert told["lanes"] == [0, 1, 2, 3, 4, 5]
    assert told["states"][-1] == "target"


def test_names_are_whole_the_browser_shortens_them():
    large = large_step([-1])
    assert tree.data(large, "")["names"] == [visible(large.texts[0]), "␣own"]


def test_no_tree_is_a_root_and_the_own_token():
    told = tree.data(bare_step(), "Once she")
    assert (told["states"], told["columns"], told["lanes"], told["q"]) == (["target"], [1], [0], [])


# --- style ----------------------------------------------------------------------------------------------------------------------


def test_states_differ_without_colour():
    marks = [trace["marker"]["symbol"] for trace in MARKERS.values() if "marker" in trace]
    assert len(marks) == len(set(marks)) == 5


def test_every_state_and_every_edge_has_its_template():
    states = {"accepted", "rejected", "open", "target", "root"}
    assert set(BOXES) == states | {"tries"}
    assert set(MARKERS) == states | {"tries"} | {f"edge_{name}" for name in EDGES}
    assert set(BOX_COLOURS) == states
    assert set(EDGES) == {"accepted", "target"} | {f"q{count}" for count in range(len(EDGE_STEPS) + 1)}
    assert list(MARKERS)[-1] == list(BOXES)[-1] == "tries"


def test_edges_grow_with_the_drafts_probability():
    widths = [EDGES[f"q{count}"]["width"] for count in range(len(EDGE_STEPS) + 1)]
    assert widths == sorted(set(widths))
    assert list(EDGE_STEPS) == sorted(EDGE_STEPS)


@pytest.mark.parametrize("parents", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("topology", ["tau_star", "sequence", "batch"])
def test_labels_of_a_lane_have_room(parents, topology):
    style = Style.of(Settings(topology=topology, draft_tokens=len(parents)))
    told = tree.data(large_step(parents), "")
    letter = LETTER if style.boxes else 6.35
    label = style.label_columns + (2 if style.boxes else 0)  # the sign in front
    places = [(0, 0), *zip(told["columns"], told["lanes"], strict=True)]
    for (column, lane), (other, other_lane) in combinations(places, 2):
        if lane == other_lane:
            apart = abs(column - other)
            # in a chain neighbours take turns above and below, so a label meets the next but one
            reach = 2 if style.alternate and apart == 1 else 1
            assert label * letter <= apart * style.pitch * reach + 4


@pytest.mark.parametrize(
    ("topology", "k", "boxes", "alternate"),
    [
        ("tau_star", 16, True, False),
        ("tau_star", 17, False, False),
        ("tau_star", 33, False, False),
        ("sequence", 6, True, False),
        ("sequence", 7, False, True),
    ],
)
def test_the_style_follows_the_number_of_tokens(topology, k, boxes, alternate):
    style = Style.of(Settings(topology=topology, draft_tokens=k))
    assert (style.boxes, style.alternate) == (boxes, alternate)
