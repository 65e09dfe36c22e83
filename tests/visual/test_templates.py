"""The templates of the pictures: which colour, sign and side says what."""

from __future__ import annotations

import pytest

from visual.payload import decision_chart as butterfly, timeline
from visual.payload.theme import SIGNS
from visual.payload.tree_style import BOXES, MARKERS

CHOSEN = {"accepted", "target"}


def test_the_drafts_bars_grow_to_the_left_and_the_targets_to_the_right():
    axes = {name: trace["xaxis"] for name, trace in butterfly.TRACES.items()}
    assert {name for name, axis in axes.items() if axis == "x"} == {"draft_before", "draft", "draft_breaks", "draft_values"}
    assert {name for name, axis in axes.items() if axis == "x2"} == {"target_before", "target", "target_breaks", "target_values"}
    assert axes["tokens"] == "x3"
    left, right, middle = (butterfly.LAYOUT[name] for name in ("xaxis", "xaxis2", "xaxis3"))
    assert left["range"][0] > left["range"][1]
    assert right["range"][0] < right["range"][1]
    assert left["domain"][1] == middle["domain"][0] < middle["domain"][1] == right["domain"][0]
    assert butterfly.DRAWING["middle"] == pytest.approx(middle["domain"][1] - middle["domain"][0])


def test_outlines_lie_behind_the_bars():
    names = list(butterfly.TRACES)
    assert names.index("draft_before") < names.index("draft")
    assert names.index("target_before") < names.index("target")


def test_the_token_chosen_is_coloured_on_the_targets_side_and_others_on_the_drafts():
    marks = butterfly.MARKS
    assert {name: mark["target"] for name, mark in marks.items() if mark["target"] not in ("$bar", "$drafted")} == {
        **{name: f"${name}" for name in CHOSEN},
        "accepted_leader": "$accepted",
    }
    assert {name: mark["draft"] for name, mark in marks.items() if mark["draft"] not in ("$bar", "$drafted")} == {
        "rejected": "$rejected",
        "leader": "$leader",
        "accepted_leader": "$leader",
    }


def test_marks_say_what_was_drafted_and_every_colour_has_its_sign():
    marks = butterfly.MARKS
    assert {name for name, mark in marks.items() if not mark["drafted"]} == {"target", ""}
    assert {name: mark["sign"] for name, mark in marks.items()} == {
        "accepted": "✓", "accepted_leader": "◆✓", "target": "★", "rejected": "✕", "leader": "◆", "drafted": "", "": "",
    }  # fmt: skip
    assert len(set(SIGNS.values())) == len(SIGNS)


def test_the_timeline_shows_accepted_tokens_and_the_targets_own():
    assert {name: trace["marker"]["color"] for name, trace in timeline.TRACES.items()} == {"accepted": "$accepted", "own": "$target"}
    assert timeline.LAYOUT["barmode"] == "stack"
    assert {name["text"] for name in timeline.LAYOUT["annotations"]} == {"tokens", "step"}, "its axes are named"


@pytest.mark.parametrize("state", ["accepted", "rejected", "target"])
def test_vertices_have_the_colour_of_their_state(state):
    assert MARKERS[state]["marker"]["color"] == f"${state}"
    assert MARKERS[state]["marker"].get("opacity") is None
    assert BOXES[state]["marker"]["opacity"] == 0  # the boxes are shapes
    assert BOXES[state]["textposition"] == "middle center"
