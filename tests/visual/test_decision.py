"""The data of one decision, against the numbers of its visit."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ersd
from ersd.trace.step import Step
from visual.payload.decision import decision, opening
from visual.payload.messages import RunMessages
from visual.payload.sentences.kinds.table import KINDS
from visual.payload.sentences.nodes import children_of

from .fakes import (
    SETTINGS,
    bare_step,
    block_step,
    coin_step,
    favourites_step,
    greedy_step,
    laps_step,
    leaf_step,
    race_step,
    residual_step,
    row,
)  # fmt: skip


def sent(step: Step, index: int = 0) -> dict:
    return decision(step, step.walk[index], "Once she")


def changed(step: Step, **changes) -> Step:
    """The step with changes to its first visit."""
    return replace(step, walk=[replace(step.walk[0], **changes)])


def test_the_table_of_a_race():
    made = sent(race_step())
    assert made["names"] == ["liked", "loved", "↵"]
    assert (made["p"], made["q"], made["clock"]) == ([0.1, 0.5, 0.05], [0.6, 0.2, 0.05], [0.12, 0.06, 2.0])
    assert made["say"].startswith("“liked” wins the draft’s race, “loved” the target’s.")
    assert made["rank"] == 2


def test_a_title_ends_with_the_text_before_the_decision():
    decisions = json.loads(RunMessages("Once she", SETTINGS, "a pair").step(race_step()))["decisions"]
    assert [one["title"] for one in decisions.values()] == ["Race 1: what follows “Once she”?", "Race 2: what follows “Once she loved”?"]
    assert decision(race_step(), race_step().walk[0], "x" * 50)["title"] == f"Race 1: what follows “…{'x' * 15}”?"


GREEDY = greedy_step(accepted=True)


@pytest.mark.parametrize(
    ("step", "index", "marks"),
    [
        (race_step(), 0, ["leader", "accepted", ""]),
        (race_step(), 1, ["leader", "target"]),
        (changed(bare_step(), rows=[row(1, " a", p=0.4, q=None, clock=0.1), *bare_step().walk[0].rows]), 0, ["", "target"]),
        (residual_step(), 0, ["rejected", "accepted", ""]),
        (residual_step(accepted=False), 0, ["rejected", "", "target"]),
        (block_step((0.9, 0.9, 0.9)), 0, ["rejected", "target"]),
        (GREEDY, 0, ["leader", "accepted"]),
        (changed(GREEDY, rows=GREEDY.walk[0].rows[::-1]), 0, ["accepted_leader", "drafted"]),
    ],
)
def test_marks_of_the_rows(step, index, marks):
    made = sent(step, index)
    assert made["marks"] == marks
    assert made["marks"][made["chosen"]] in ("accepted", "accepted_leader", "target")


def test_every_child_knows_its_row():
    assert sent(race_step())["row_of"] == {0: 0, 1: 1}
    assert sent(race_step(), 1)["row_of"] == {2: 0}
    assert sent(replace(race_step(), tokens=[77, 2, 8, 4]))["row_of"] == {1: 1}  # a token that is not listed has none


@pytest.mark.parametrize(
    ("step", "facts"),
    [
        (changed(race_step(), kl=0.2), {"optimum": 0.9, "tv": 0.26, "match": 0.71, "kl": 0.2, "entropy": 1.0}),
        (changed(race_step(), kl=None), {"optimum": 0.9, "tv": 0.26, "match": 0.71, "kl": None, "entropy": 1.0}),  # infinite
        (changed(race_step(), tv=None, kl=None), {"optimum": 0.9, "match": 0.71, "entropy": 1.0}),  # not known
        (changed(residual_step(), match=0.7, rho=1.5, bias=0.1, kl=0.3, d_hm=0.2),  # only races have a match probability
         {"predicted": 0.8, "optimum": 0.9, "tv": 0.2, "kl": 0.3, "d_hm": 0.2, "entropy": 1.0, "rho": 1.5, "bias": 0.1}),
    ],
)  # fmt: skip
def test_figures_are_those_of_the_visit(step, facts):
    assert sent(step)["facts"] == facts


def test_coins_are_sent_try_by_try():
    tries = sent(residual_step(rejections=2))["tries"]
    assert [{name: value for name, value in one.items() if name != "say"} for one in tries] == [
        {"vertex": 0, "coin": 0.83, "ratio": 0.621212121, "accepted": False, "short": "0.83, not below 0.62"},
        {"vertex": 0, "coin": 0.83, "ratio": 0.310606061, "accepted": False, "short": "0.83, not below 0.31"},
        {"vertex": 1, "coin": 0.5, "ratio": 3.5, "accepted": True, "short": "0.50, below 1.0"},
    ]
    assert [one["say"].split(":")[0] for one in tries] == ["Rejected", "Rejected", "Accepted"]


@pytest.mark.parametrize(("rejections", "after"), [(2, [1, 2]), (16, list(range(1, 17))), (20, [*range(1, 16), 20])])
def test_residuals_are_sent_after_each_rejection_or_the_first_ones_and_the_last(rejections, after):
    left = sent(residual_step(rejections=rejections))["left"]
    assert [one["after"] for one in left] == after
    assert left[0]["p"] == [0.205, 0.35, 0.3]
    assert left[-1]["p"][0] == pytest.approx(0.41 / (rejections + 1), rel=0.01)


def test_a_residual_that_changed_nothing_and_one_that_was_not_recorded():
    step = residual_step(rejections=1)
    assert sent(changed(step, rows=[replace(each, left=[each.p]) for each in step.walk[0].rows]))["left"] == [
        {"after": 1, "p": None, "mass": None}
    ]
    assert sent(coin_step(tries=3))["left"] == []


@pytest.mark.parametrize(
    ("p", "q", "left", "drawn", "rho", "scale"),
    [
        (0.2, 0.2, 0.22, 0.2, None, 0.25),
        (0.2, 0.2, 0.6, 0.2, None, 1.0),  # a residual grew
        (0.2, 0.2, 0.22, 0.4, None, 0.5),  # earlier children were removed from Q
        (0.2, 0.2, 0.22, 0.2, 1.5, 0.5),  # the draft's side shows rho * q
        (0.05, 0.02, 0.01, 0.02, None, 0.1),
        (0.2, 0.2, 0.2, 0.2, 9.0, 1.0),
    ],
)
def test_the_scale_is_the_smallest_that_holds_every_bar(p, q, left, drawn, rho, scale):
    step = residual_step(rejections=1)
    rows = [replace(each, p=p, q=q, left=[left]) for each in step.walk[0].rows]
    tries = [replace(one, drawn=drawn, q=q) for one in step.walk[0].tries]
    assert sent(changed(step, rows=rows, tries=tries, rho=rho))["scale"] == scale


def test_what_k_seq_leaves_of_a_probability_is_what_exceeds_the_scaled_draft(pair):
    chosen = ersd.Settings("kseq", "multi_sequence", draft_tokens=16, sequences=4, max_new_tokens=60)
    runs = [ersd.run(pair, "Once upon a time", replace(chosen, seed=seed)) for seed in range(4)]
    seen = 0
    for step in (step for run in runs for step in run.steps):
        for visit in step.walk:
            if visit.accepted or not visit.tries:
                continue
            last = decision(step, visit, "")["left"][-1]
            for each, left in zip(visit.rows, last["p"], strict=True):
                assert last["mass"] * left == pytest.approx(max(0.0, each.p - visit.rho * each.q), rel=0.02, abs=1e-4)
            seen += 1
    assert seen > 5


def test_arrivals_in_laps_are_sent_in_order_by_row():
    assert sent(laps_step())["laps"] == {"rows": [0, 1, 0], "times": [0.2, 0.3, 0.9]}


def test_the_chances_to_be_drafted_are_1_for_favourites_and_that_of_the_draw_for_the_wild_card():
    assert sent(favourites_step())["chances"] == [1.0, 1.0, 0.66667, None]
    assert sent(favourites_step())["scale"] == 1.0


def test_a_step_opens_at_a_decision_that_shows_how_its_kind_decides(pair):
    """SpecHub at favourites and wild card, and where a step has none, where it ended."""
    settings = ersd.Settings("spechub", "specinfer", branching=(3, 2, 1), max_new_tokens=64, seed=3, temperature=0.6)
    opened = set()
    for made in (step for step in ersd.run(pair, "Once upon a time", settings).steps if step.tokens):
        message = json.loads(RunMessages("", settings, "a pair").step(made))
        at = message.get("opens_at", message["walk_end"])
        assert "chances" in message["decisions"][str(at)]
        after = [visit.vertex for visit in made.walk if visit.vertex > at]
        assert all(len(children_of(made, node)) < 2 for node in after), "the last such decision"
        opened.add(at)
    assert len(opened) > 2


@pytest.mark.parametrize(
    ("kind", "node"), [("race", 0), ("coins", 0), ("likelihood", 0), ("favourites", 0), ("half_race", -1), ("leaves", -1)]
)
def test_where_the_path_ends_at_a_leaf_newer_kinds_open_before_it(kind, node):
    made = leaf_step(kind)
    assert (made.end, opening(made, KINDS[kind])) == (0, node)


def test_laps_open_where_there_was_more_than_one_arrival():
    made = leaf_step("laps")
    assert opening(made, KINDS["laps"]) == made.end == 0, "one lap only"
    assert opening(replace(made, draws=[3]), KINDS["laps"]) == -1


def test_what_the_coins_of_favourites_leave_is_what_exceeds_the_chance_to_be_drawn(pair):
    """After the wild card max(p - q / rest, 0) outside the favourites and p of theirs; then no favourite that was tried."""
    settings = ersd.Settings("spechub", "specinfer", branching=(3, 2), max_new_tokens=48, temperature=1.5)
    seen = 0
    for step in (step for seed in range(3) for step in ersd.run(pair, "Once upon a time", replace(settings, seed=seed)).steps):
        for visit in step.walk:
            tokens = [step.tokens[one] for one, parent in enumerate(step.parents) if parent == visit.vertex]
            if len(tokens) < 2 or not visit.tries or visit.tries[0].accepted:
                continue
            favourites = [each for each in visit.rows if each.token in tokens and each.token != step.tokens[visit.tries[0].vertex]]
            rest = 1 - sum(each.q for each in favourites)
            sent_left, gone = decision(step, visit, "")["left"], set()
            for left, tried in zip(sent_left, visit.tries, strict=False):
                gone.add(step.tokens[tried.vertex])
                for each, share in zip(visit.rows, left["p"], strict=True):
                    is_favourite = each in favourites
                    stays = each.p if is_favourite else max(0.0, each.p - each.q / rest)
                    stays = 0.0 if is_favourite and each.token in gone else stays
                    assert left["mass"] * share == pytest.approx(stays, rel=0.02, abs=2e-4)
            seen += len(sent_left)
    assert seen > 10
