"""A rule that the pictures have never heard of: what they say of it is true, and a new entry in one table gives it words of its own.

The rule, `naive`: draws the next token from P with a uniform number of its own; accepted if it is among k i.i.d. children.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from itertools import accumulate

import pytest

from ersd.trace.model import Row, Step, Try, Visit
from visual.payload.messages import RunMessages, kit
from visual.payload.sentences.explain import reasons, sentence
from visual.payload.sentences.formatting import ordinal, quoted, visible
from visual.payload.sentences.kinds import KINDS, NEUTRAL, Kind
from visual.payload.sentences.numbers import number

from .fakes import SETTINGS, row, step, visit

KIND = "own draw"
WORDS = ("the", " a", " cat", " dog", " sat", "\n")


def _law(random_: random.Random) -> list[float]:
    weights = [random_.random() ** 3 for _ in WORDS]
    return [weight / sum(weights) for weight in weights]


def _draw(law: list[float], random_: random.Random) -> int:
    uniform = random_.random()
    return next((token for token, upto in enumerate(accumulate(law)) if uniform < upto), len(law) - 1)


def _rows(p: list[float], q: list[float] | None) -> list[Row]:
    return [row(token, text, p=p[token], q=q[token] if q else None) for token, text in enumerate(WORDS)]


def naive_step(seed: int, k: int, levels: int) -> Step:
    """One target call of the rule: k i.i.d. children everywhere, of which repeated ones are tried as often as they were drawn."""
    random_ = random.Random(seed)
    parents: list[int] = []
    tokens: list[int] = []
    walk: list[Visit] = []
    vertex, accepted = -1, True
    for level in range(levels + 1):
        p, q = _law(random_), _law(random_)
        chosen = _draw(p, random_)
        drawn = [_draw(q, random_) for _ in range(k)] if level < levels else []
        child_of = {}
        for token in drawn:
            if token not in child_of:
                child_of[token] = len(tokens)
                tokens.append(token)
                parents.append(vertex)
        if accepted:
            tries = [
                Try(vertex=child_of[token], accepted=token == chosen and token not in drawn[:place], p=p[token], q=q[token])
                for place, token in enumerate(drawn)
            ]
            rank = drawn.index(chosen) + 1 if chosen in drawn else None
            walk.append(
                visit(KIND, _rows(p, q if drawn else None), chosen, tries=tries, vertex=vertex, rank=rank, tv=0.3 if drawn else None)
            )
            accepted = chosen in child_of
        if child_of:
            vertex = child_of.get(chosen, next(iter(child_of.values())))
    return step(walk, parents=parents, tokens=tokens, texts=[WORDS[token] for token in tokens])


STEPS = [naive_step(seed, k, levels) for seed in range(120) for k, levels in ((1, 3), (3, 2), (5, 1), (1, 0))]


def _truth(told: Step, here: Visit) -> str:
    """What can be said of a decision, read from the data again."""
    token = quoted(visible(WORDS[here.token], here.token))
    chance = f"{token} (p = {number(next(each.p for each in here.rows if each.token == here.token))})"
    children = [child for child, parent in enumerate(told.parents) if parent == here.vertex]
    if not children:
        free = "The tree ended here, so it comes free with the same target call."
        none = "Nothing was drafted: one target call gives one token."
        return f"The next token {chance} is the target's own. {free if told.tokens else none}"
    place = next((at for at, child in enumerate(children, 1) if told.tokens[child] == here.token), None)
    if place is None:
        of = "not the one drafted child" if len(children) == 1 else f"none of the {len(children)} drafted children"
        return f"Not drafted: the token chosen here, {chance}, is {of}."
    which = "the only child" if len(children) == 1 else f"{ordinal(place)} of {len(children)} children"
    return f"Accepted: {chance} was chosen here, and it was drafted ({which})."


def test_every_sentence_about_every_vertex_is_true():
    seen = set()
    for told in STEPS:
        for here in told.walk:
            words = sentence(told, here)
            assert words == _truth(told, here)
            seen.add(re.sub(r"\d+|“[^”]*” \(p = [^)]*\)", "…", words).split(":")[0])
    assert {"Accepted", "Not drafted"} < seen
    assert len(seen) == 4  # and the two of a leaf


def test_every_child_that_was_not_chosen_and_no_other_is_told_what_was():
    for told in STEPS:
        why = reasons(told)
        for here in told.walk:
            for child in {one.vertex for one in here.tries}:
                assert (child in why) == (told.tokens[child] != here.token)
                if child in why:
                    assert why[child] == f"Rejected: the token chosen here is “{visible(WORDS[here.token])}”, not this one."


FALSE = re.compile(r"rac|arriv|coin|likel|left|ratio|keep|clock|◆|first", re.IGNORECASE)


def test_nothing_on_the_page_speaks_of_a_race_of_coins_or_of_what_is_left():
    for told in STEPS:
        message = json.loads(RunMessages("", SETTINGS, "a pair").step(told))
        for decision in message["decisions"].values():
            assert decision["kind"] == NEUTRAL
            assert decision["title"].startswith("Decision after")
            assert set(decision["marks"]) <= {"accepted", "target", "drafted", ""}
            assert not {"clock", "tries", "left"} & set(decision)
            assert "match" not in decision["facts"]
            assert not FALSE.search(decision["say"])
        assert not any(FALSE.search(words) for words in message["tree"]["why"].values())
    known = kit()["kinds"][NEUTRAL]
    shown = [*known["legend"], *known["leaf_legend"], *({"words": known[key]} for key in ("untried", "drawn"))]
    assert not any(FALSE.search(each["words"]) for each in shown)
    assert (known["headings"]["draft"], known["headings"]["target"]) == ("draft  q", "target  p")


def test_a_token_chosen_in_the_end_that_was_tried_in_vain_is_not_called_another():
    told = next(each for each in STEPS if each.walk[0].accepted)
    here = replace(told.walk[0], accepted=False, tries=[replace(one, accepted=False) for one in told.walk[0].tries])
    told = replace(told, walk=[here])
    assert sentence(told, here).startswith("Not accepted: ")
    child = next(child for child, token in enumerate(told.tokens) if token == here.token and told.parents[child] == -1)
    assert reasons(told)[child] == "Rejected: it was tried, but not accepted."


@pytest.fixture
def own_words(monkeypatch):
    entry = Kind(
        title="Draw",
        decided=lambda told, here: f"Drawn: {visible(here.text, here.token)}.",
        legend=(("target", "★ drawn from P"),),
        tried="rejected",
    )
    monkeypatch.setitem(KINDS, KIND, entry)


def test_an_entry_in_the_table_is_all_that_a_kind_needs(own_words):
    told = next(each for each in STEPS if each.walk[0].tries and not each.walk[0].accepted)
    decision = json.loads(RunMessages("", SETTINGS, "a pair").step(told))["decisions"]["-1"]
    assert decision["kind"] == KIND
    assert decision["title"].startswith("Draw after")
    assert decision["say"] == f"Drawn: {visible(told.walk[0].text)}."
    assert "rejected" in decision["marks"]
    assert kit()["kinds"][KIND]["legend"] == [{"colour": "target", "words": "★ drawn from P"}]
