"""The table of kinds: complete for the rules there are, and true of a rule that it has never heard of.

The unknown rule, `own draw`: draws the next token from P with a uniform number of its own; accepted if it is among k i.i.d. children.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest

from ersd.rules.registry import TRAITS
from ersd.trace.model import Step, Try, Visit
from visual.payload import decision_chart
from visual.payload.decision import decision
from visual.payload.messages import RunMessages, kit
from visual.payload.sentences.formatting import ordinal, quoted, visible
from visual.payload.sentences.kinds import KINDS, NEUTRAL, Kind, key_of
from visual.payload.sentences.numbers import number
from visual.payload.tree import reasons

from .fakes import BY_KIND, SETTINGS, block_step, greedy_step, leaf_step, race_step, residual_step, row, step, visit

STEPS = {"race": race_step(), "coins": residual_step(), "block": block_step(), "likelihood": greedy_step()}


def sent(made: Step, kind: str = "race") -> dict:
    return json.loads(RunMessages("Once", BY_KIND.get(kind, SETTINGS), "a pair").step(made))


# --- the table ------------------------------------------------------------------------------------------------------------------


def test_every_rule_has_a_kind_and_other_kinds_are_neutral():
    assert {traits.kind for traits in TRAITS.values()} == set(KINDS) - {NEUTRAL} == set(STEPS)
    assert (key_of("own draw"), key_of("race")) == (NEUTRAL, "race")


@pytest.mark.parametrize("kind", STEPS)
def test_a_decision_has_the_data_that_its_kind_draws(kind):
    known, message = kit()["kinds"][kind], sent(STEPS[kind], kind)
    assert json.loads(RunMessages("Once", BY_KIND[kind], "a pair").begin())["kind"] == kind
    for one in message["decisions"].values():
        assert one["kind"] == kind
        assert ("clock" in one) == (known["axis"] == "time") != ("scale" in one)
        assert ("tries" in one) == (known["list"] == "tries")
        is_cut = known["list"] == "sequence" and "accepted" not in one["marks"]
        assert ("left" in one) == ("tries" in one or is_cut)
    assert ("block" in message) == (known["list"] == "sequence")


@pytest.mark.parametrize("kind", [*STEPS, "own draw"])
def test_a_leaf_is_of_the_same_kind(kind):
    decisions = sent(leaf_step(kind))["decisions"]
    assert [(one["kind"], one["leaf"]) for one in decisions.values()] == [(key_of(kind), False), (key_of(kind), True)]
    assert decisions["0"]["q"] is None


def test_signs_and_colours_of_legends_agree_with_the_marks():
    keys = [key for kind in KINDS.values() for key in (*kind.legend, *kind.leaf_legend)]
    assert {colour for colour, _ in keys} == {"accepted", "rejected", "target", "leader", "drafted", "bar"}
    assert {colour for colour, text in keys if "★" in text} == {"target"}, "a star is the target's own token and nothing else"
    assert {colour for colour, text in keys if "✓" in text} == {"accepted"}
    assert [name for name, mark in decision_chart.MARKS.items() if "★" in str(mark["sign"])] == ["target"]
    assert {kind.tried for kind in KINDS.values()} <= set(decision_chart.MARKS)


# --- a rule that is not in it ---------------------------------------------------------------------------------------------------

KIND = "own draw"
TOKENS = ("the", " a", " cat", " dog", " sat", "\n")


def own_draw_step(seed: int, k: int, levels: int) -> Step:
    """One target call of the rule: k i.i.d. children everywhere; repeated ones are tried as often as they were drawn."""
    random_ = random.Random(seed)

    def distribution() -> list[float]:
        weights = [random_.random() ** 3 for _ in TOKENS]
        return [weight / sum(weights) for weight in weights]

    def draw(weights: list[float], count: int) -> list[int]:
        return random_.choices(range(len(TOKENS)), weights, k=count)

    parents: list[int] = []
    tokens: list[int] = []
    walk: list[Visit] = []
    vertex, accepted = -1, True
    for level in range(levels + 1):
        p, q = distribution(), distribution()
        (chosen,), drawn = draw(p, 1), draw(q, k) if level < levels else []
        child_of = {}
        for token in dict.fromkeys(drawn):
            child_of[token] = len(tokens)
            tokens.append(token)
            parents.append(vertex)
        if accepted:
            tries = [
                Try(vertex=child_of[token], accepted=token == chosen and token not in drawn[:index], p=p[token], q=q[token])
                for index, token in enumerate(drawn)
            ]
            rows = [row(token, text, p=p[token], q=q[token] if drawn else None) for token, text in enumerate(TOKENS)]
            rank = drawn.index(chosen) + 1 if chosen in drawn else None
            walk.append(visit(KIND, rows, chosen, tries=tries, vertex=vertex, rank=rank, tv=0.3 if drawn else None))
            accepted = chosen in child_of
        if child_of:
            vertex = child_of.get(chosen, next(iter(child_of.values())))
    return step(walk, parents=parents, tokens=tokens, texts=[TOKENS[token] for token in tokens])


OWN_DRAWS = [own_draw_step(seed, k, levels) for seed in range(60) for k, levels in ((1, 3), (3, 2), (5, 1), (1, 0))]


def truth(made: Step, here: Visit) -> str:
    """What is true of a decision, computed from the data again."""
    token = quoted(visible(TOKENS[here.token], here.token))
    chance = f"{token} (p = {number(next(each.p for each in here.rows if each.token == here.token))})"
    children = [child for child, parent in enumerate(made.parents) if parent == here.vertex]
    if not children:
        free = "The tree ended here, so it comes free with the same target call."
        none = "Nothing was drafted: one target call gives one token."
        return f"The next token {chance} is the target's own. {free if made.tokens else none}"
    order = next((at for at, child in enumerate(children, 1) if made.tokens[child] == here.token), None)
    if order is None:
        none = "not the one drafted child" if len(children) == 1 else f"none of the {len(children)} drafted children"
        return f"Not drafted: the token chosen here, {chance}, is {none}."
    which = "the only child" if len(children) == 1 else f"{ordinal(order)} of {len(children)} children"
    return f"Accepted: {chance} was chosen here, and it was drafted ({which})."


FALSE = re.compile(r"rac|arriv|coin|likel|left|remain|ratio|keep|clock|◆|first", re.IGNORECASE)


def test_everything_said_of_an_unknown_rule_is_true():
    for made in OWN_DRAWS:
        message = sent(made)
        why = reasons(made)
        assert not any(FALSE.search(text) for text in why.values())
        for here, one in zip(made.walk, message["decisions"].values(), strict=True):
            assert one["say"] == truth(made, here)
            assert (one["kind"], one["title"].startswith("Decision after")) == (NEUTRAL, True)
            assert set(one["marks"]) <= {"accepted", "target", "drafted", ""}
            assert not {"clock", "tries", "left"} & set(one)
            assert "match" not in one["facts"]
            for child in {each.vertex for each in here.tries}:
                other = f"Rejected: the token chosen here is “{visible(TOKENS[here.token])}”, not this one."
                assert why.get(child) == (None if made.tokens[child] == here.token else other)
    known = kit()["kinds"][NEUTRAL]
    shown = [*known["legend"], *known["leaf_legend"], *({"words": known[key]} for key in ("untried", "drawn"))]
    assert not any(FALSE.search(each["words"]) for each in shown)


def test_a_chosen_token_that_was_tried_in_vain_is_not_called_another():
    made = next(each for each in OWN_DRAWS if each.walk[0].accepted)
    here = replace(made.walk[0], accepted=False, tries=[replace(one, accepted=False) for one in made.walk[0].tries])
    made = replace(made, walk=[here])
    assert decision(made, here, "")["say"].startswith("Not accepted: ")
    child = next(child for child, token in enumerate(made.tokens) if token == here.token and made.parents[child] == -1)
    assert reasons(made)[child] == "Rejected: it was tried, but not accepted."


def test_one_entry_in_the_table_is_all_that_a_new_kind_needs(monkeypatch):
    entry = Kind(title="Draw", decided=lambda made, here: f"Drawn: {here.text}.", legend=(("target", "★ drawn from P"),), tried="rejected")
    monkeypatch.setitem(KINDS, KIND, entry)
    made = next(each for each in OWN_DRAWS if each.walk[0].tries and not each.walk[0].accepted)
    one = sent(made)["decisions"]["-1"]
    assert (one["kind"], one["say"]) == (KIND, f"Drawn: {made.walk[0].text}.")
    assert one["title"].startswith("Draw after")
    assert "rejected" in one["marks"]
    assert kit()["kinds"][KIND]["legend"] == [{"colour": "target", "words": "★ drawn from P"}]
