"""The table of kinds: complete for the rules there are, and true of a rule that it does not list."""

from __future__ import annotations

import json

import pytest

from ersd.rules.registry import TRAITS
from ersd.trace.step import Step, Try
from visual.payload.decision import MARKS
from visual.payload.kit import kit
from visual.payload.messages import RunMessages
from visual.payload.sentences.formatting import quoted, token_label
from visual.payload.sentences.kinds.kind import Kind
from visual.payload.sentences.kinds.table import KINDS, NEUTRAL, key_of, run_kind
from visual.payload.tree.step_tree import reasons

from .fakes import (
    BY_KIND,
    SETTINGS,
    block_step,
    favourites_step,
    greedy_step,
    half_race_step,
    laps_step,
    leaf_step,
    leaves_step,
    race_step,
    residual_step,
    row,
    step,
    visit,
)  # fmt: skip

STEPS = {
    "race": race_step(),
    "coins": residual_step(),
    "block": block_step(),
    "likelihood": greedy_step(),
    "favourites": favourites_step(),
    "half_race": half_race_step(),
    "laps": laps_step(),
    "leaves": leaves_step(),
}


def sent(made: Step, kind: str = "race") -> dict:
    return json.loads(RunMessages("Once", BY_KIND.get(kind, SETTINGS), "a pair").step(made))


# --- the table ------------------------------------------------------------------------------------------------------------------


def test_every_rule_has_a_kind_and_other_kinds_are_neutral():
    laps = run_kind(BY_KIND["laps"])  # of a tree, not of a rule
    assert {*(traits.kind for traits in TRAITS.values()), laps} == set(KINDS) - {NEUTRAL} == set(STEPS)
    assert (key_of("own draw"), key_of("race")) == (NEUTRAL, "race")


@pytest.mark.parametrize("kind", STEPS)
def test_a_decision_has_the_data_that_its_kind_draws(kind):
    known, message = kit()["kinds"][kind], sent(STEPS[kind], kind)
    assert json.loads(RunMessages("Once", BY_KIND[kind], "a pair").begin())["kind"] == kind
    for one in message["decisions"].values():
        assert one["kind"] == kind
        assert ("clock" in one) == (known["picture"] != "probabilities")
        assert ("scale" in one) == (known["picture"] in ("half_race", "probabilities"))
        assert ("laps" in one) == (known["picture"] == "laps")
        assert ("chances" in one) == (kind == "favourites")
        assert ("tries" in one) == (known["list"] == "tries" and not one["leaf"])
        is_cut = known["list"] == "sequence" and "accepted" not in one["marks"]
        assert ("left" in one) == ("tries" in one or is_cut)
    assert ("block" in message) == (known["list"] == "sequence")


@pytest.mark.parametrize("kind", [*STEPS, "own draw"])
def test_a_leaf_is_of_the_same_kind(kind):
    decisions = sent(leaf_step(kind))["decisions"]
    assert [(one["kind"], one["leaf"]) for one in decisions.values()] == [(key_of(kind), False), (key_of(kind), True)]
    assert decisions["0"]["q"] is None


def test_a_star_marks_the_targets_own_token_and_nothing_else():
    assert [name for name, mark in MARKS.items() if "★" in str(mark["sign"])] == ["target"]
    assert {kind.tried for kind in KINDS.values()} <= set(MARKS)


# --- a rule that is not in it: tests/ersd/test_naive.py runs one -----------------------------------------------------------------

KIND = "own draw"


def own_draw(chosen: int, drafted: tuple[int, ...], accepted: bool) -> Step:
    """A decision of the rule about i.i.d. children; the tokens are " a", " b" and " c"."""
    rows = [row(token, f" {letter}", p=0.3, q=0.3) for token, letter in enumerate("abc")]
    tokens = list(dict.fromkeys(drafted))
    tries = [Try(vertex=tokens.index(token), accepted=accepted and token == chosen, p=0.3, q=0.3) for token in drafted]
    return step([visit(KIND, rows, chosen, tries=tries)], parents=[-1] * len(tokens), tokens=tokens)


@pytest.mark.parametrize(
    ("made", "sentence", "why"),
    [
        (own_draw(1, (0, 1), True), "Accepted: “b” (p = 0.30) was chosen here, and it was drafted (2nd of 2 children).", [0]),
        (own_draw(1, (1,), True), "Accepted: “b” (p = 0.30) was chosen here, and it was drafted (the only child).", []),
        (own_draw(2, (0, 1, 0), False), "Not drafted: the token chosen here, “c” (p = 0.30), is none of the 2 drafted children.", [0, 1]),
        (own_draw(2, (0,), False), "Not drafted: the token chosen here, “c” (p = 0.30), is not the one drafted child.", [0]),
        (own_draw(1, (0, 1), False),
         "Not accepted: “b” (p = 0.30) was chosen here, and it was drafted, but not accepted as drafted.", [0, 1]),
    ],
)  # fmt: skip
def test_everything_said_of_an_unknown_rule_is_true(made, sentence, why):
    message, token = sent(made), quoted(token_label(made.walk[0].text))
    (one,) = message["decisions"].values()
    assert (one["say"], one["kind"], one["title"]) == (sentence, NEUTRAL, "Choice 1: what follows “Once”?")
    assert set(one["marks"]) <= {"accepted", "target", "drafted", ""}
    assert not {"clock", "tries", "left"} & set(one)
    assert "match" not in one["facts"]
    other, same = f"Rejected: the token chosen here is {token}, not this one.", "Rejected: it was tried, but not accepted."
    assert reasons(made) == {child: same if made.tokens[child] == made.walk[0].token else other for child in why}


def test_one_entry_in_the_table_is_all_that_a_new_kind_needs(monkeypatch):
    entry = Kind(name="Draw", decided=lambda made, here: f"Drawn: {here.text}.", legend=("★ drawn from p",), tried="rejected")
    monkeypatch.setitem(KINDS, KIND, entry)
    one = sent(own_draw(2, (0, 1), False))["decisions"]["-1"]
    assert (one["kind"], one["say"], one["title"]) == (KIND, "Drawn:  c.", "Draw 1: what follows “Once”?")
    assert "rejected" in one["marks"]
    assert kit()["kinds"][KIND]["legend"] == ["★ drawn from p"]
