"""What the browser is told of one decision, against the numbers of its visit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from visual.payload.decision import decision
from visual.payload.messages import RunMessages

from .fakes import SETTINGS, bare_step, block_step, coin_step, greedy_step, race_step, residual_step, row


def _panel(step, place=0):
    return decision(step, step.walk[place], "Once she")


def _with(step, **changes):
    return replace(step, walk=[replace(step.walk[0], **changes)])


def test_the_table_of_a_race():
    told = _panel(race_step())
    assert told["title"] == "Race after “Once she”"
    assert told["names"] == ["␣liked", "␣loved", "⏎"]
    assert (told["p"], told["q"], told["clock"]) == ([0.1, 0.5, 0.05], [0.6, 0.2, 0.05], [0.12, 0.06, 2.0])
    assert told["say"].startswith("Accepted: “␣loved”")


def test_a_title_ends_with_the_text_in_front_of_the_decision():
    decisions = json.loads(RunMessages("Once she", SETTINGS, "a pair").step(race_step()))["decisions"]
    assert [decision["title"] for decision in decisions.values()] == ["Race after “Once she”", "Race after “Once she loved”"]
    assert decision(race_step(), race_step().walk[0], "x" * 50)["title"] == f"Race after “…{'x' * 21}”"


def test_marks_of_a_race():
    assert (_panel(race_step())["marks"], _panel(race_step())["chosen"]) == (["leader", "accepted", ""], 1)
    assert (_panel(race_step(), 1)["marks"], _panel(race_step(), 1)["chosen"]) == (["leader", "target"], 1)


def test_without_a_draft_nobody_leads():
    leaf = bare_step()
    rows = [row(1, " a", p=0.4, q=None, clock=0.1), *leaf.walk[0].rows]
    assert _panel(_with(leaf, rows=rows))["marks"] == ["", "target"]


def test_marks_of_coins_and_of_the_likeliest():
    assert _panel(residual_step())["marks"] == ["rejected", "accepted", ""]
    assert _panel(residual_step(accepted=False))["marks"] == ["rejected", "", "target"]
    assert _panel(block_step((0.9, 0.9, 0.9)))["marks"] == ["rejected", "target"]
    step = greedy_step(accepted=True)
    rows = [step.walk[0].rows[1], step.walk[0].rows[0]]
    assert _panel(step)["marks"] == ["leader", "accepted"]
    assert _panel(_with(step, rows=rows))["marks"] == ["accepted_leader", "drafted"]


def test_every_child_knows_its_row():
    assert _panel(race_step())["row_of"] == {0: 0, 1: 1}
    assert _panel(race_step(), 1)["row_of"] == {2: 0}
    assert _panel(replace(race_step(), tokens=[77, 2, 8, 4]))["row_of"] == {1: 1}  # what is not listed has none


def test_figures_are_those_of_the_visit():
    assert _panel(_with(race_step(), kl=0.2))["facts"] == {"optimum": 0.9, "tv": 0.26, "match": 0.71, "kl": 0.2, "entropy": 1.0}
    assert _panel(_with(residual_step(), rho=1.5, bias=0.1, kl=0.3, d_hm=0.2))["facts"] == {
        "predicted": 0.8, "optimum": 0.9, "tv": 0.2, "kl": 0.3, "d_hm": 0.2, "entropy": 1.0, "rho": 1.5, "bias": 0.1,
    }  # fmt: skip


def test_a_kl_that_is_infinite_is_told_and_one_that_is_not_known_is_not():
    assert _panel(_with(race_step(), kl=None))["facts"]["kl"] is None
    assert "kl" not in _panel(_with(race_step(), tv=None, kl=None))["facts"]


def test_only_races_have_a_match_probability():
    assert "match" not in _panel(_with(residual_step(), match=0.7))["facts"]


def test_coins_are_told_one_by_one():
    told = _panel(residual_step(rejections=2))["tries"]
    assert [{name: value for name, value in one.items() if name != "say"} for one in told] == [
        {"vertex": 0, "coin": 0.83, "ratio": 0.621212121, "accepted": False},
        {"vertex": 0, "coin": 0.83, "ratio": 0.310606061, "accepted": False},
        {"vertex": 1, "coin": 0.5, "ratio": 3.5, "accepted": True},
    ]
    assert [one["say"].split(":")[0] for one in told] == ["Rejected", "Rejected", "Accepted"]


def test_what_each_rejection_left_is_told_row_by_row():
    assert _panel(residual_step(rejections=2))["left"] == [
        {"after": 1, "p": [0.205, 0.35, 0.3]},
        {"after": 2, "p": [0.137, 0.35, 0.3]},
    ]


def test_of_many_rejections_the_first_fifteen_and_the_last_are_told():
    told = _panel(residual_step(rejections=20, accepted=False))
    assert len(told["tries"]) == 20
    assert [one["after"] for one in told["left"]] == [*range(1, 16), 20]
    assert told["left"][-1]["p"][0] == pytest.approx(0.41 / 21, rel=0.01)


def test_sixteen_rejections_are_all_told():
    assert [one["after"] for one in _panel(residual_step(rejections=16))["left"]] == list(range(1, 17))


def test_a_rejection_that_leaves_p_alone_costs_one_word():
    step = residual_step(rejections=1)
    rows = [replace(each, left=[each.p]) for each in step.walk[0].rows]
    assert _panel(_with(step, rows=rows))["left"] == [{"after": 1, "p": None}]


def test_a_rule_that_does_not_tell_what_its_tries_left():
    told = _panel(coin_step(tries=3))
    assert told["left"] == []
    assert not any("growth" in one for one in told["tries"])


def test_without_replacement_tells_how_much_q_grew():
    step = residual_step(rejections=1)
    tries = [step.walk[0].tries[0], replace(step.walk[0].tries[1], drawn=0.1 / 0.34)]
    first, second = _panel(_with(step, tries=tries))["tries"]
    assert "growth" not in first
    assert second["growth"] == pytest.approx(1 / 0.34, rel=1e-4)


def test_kseq_tells_rho_and_q_as_it_is():
    told = _panel(_with(residual_step(rejections=1), rho=1.5))
    assert told["facts"]["rho"] == 1.5
    assert not any("growth" in one for one in told["tries"])


@pytest.mark.parametrize(
    ("p", "q", "left", "drawn", "rho", "scale"),
    [
        (0.2, 0.2, 0.22, 0.2, None, 0.25),
        (0.2, 0.2, 0.6, 0.2, None, 1.0),  # a residual grew
        (0.2, 0.2, 0.22, 0.4, None, 0.5),  # earlier children are out of Q
        (0.2, 0.2, 0.22, 0.2, 1.5, 0.5),  # the draft's side shows rho * q
        (0.05, 0.02, 0.01, 0.02, None, 0.1),
        (0.2, 0.2, 0.2, 0.2, 9.0, 1.0),
    ],
)
def test_the_scale_is_the_smallest_that_holds_every_bar(p, q, left, drawn, rho, scale):
    step = residual_step(rejections=1)
    rows = [replace(each, p=p, q=q, left=[left]) for each in step.walk[0].rows]
    tries = [replace(one, drawn=drawn, q=q) for one in step.walk[0].tries]
    assert _panel(_with(step, rows=rows, tries=tries, rho=rho))["scale"] == scale
