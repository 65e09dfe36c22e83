"""The step in words: the answers that are read without hovering, against the trace and against the engine."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest

import ersd
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.names import run_name, used
from visual.payload.sentences.summary import LABELS, alone, drafted, favourite, last, summary
from visual.payload.sentences.visits import last_decision

from .fakes import SETTINGS, bare_step, block_step, coin_step, greedy_step, leaf_step, race_step, residual_step, silent_step

CHAINS = Settings(algorithm="kseq", topology="multi_sequence", draft_tokens=8, sequences=4)


def test_every_step_of_every_kind_tells_all_of_it():
    for step in (race_step(), residual_step(), coin_step(), block_step(), greedy_step(), leaf_step("coins"), bare_step("race")):
        told = summary(step, SETTINGS)
        assert list(told) == [label["id"] for label in LABELS]
        assert all(told.values())


def test_what_was_drafted_and_accepted():
    assert drafted(race_step(), SETTINGS) == "1 of 4 accepted: “␣loved”."
    assert drafted(coin_step(tries=3), SETTINGS) == "None of 3 accepted."
    assert drafted(bare_step("race"), SETTINGS) == "Nothing was drafted."
    assert drafted(silent_step(), SETTINGS) == "1 of 1 accepted: “<|end|>”."


def test_draws_that_coincide_and_chains_that_do():
    step = replace(race_step(), parents=[-1, -1, -1, 0], draws=[2, 1, 1, 1])
    assert drafted(step, SETTINGS).endswith(" 5 draws, 4 different.")
    both = replace(step, parents=[-1, -1, 0, 1], depths=[1, 1, 2, 2], draws=[2, 1, 2, 1])
    assert drafted(both, CHAINS).endswith(" 6 draws, 4 different. 3 chains, 2 different.")


def test_of_chains_that_begin_alike_it_is_said_whether_all_were_drafted_on():
    """Of equal first tokens GSD goes on from one only: nobody knows whether the others would have been the same."""
    step = replace(race_step(), tokens=[1, 2, 3], texts=["a", "b", "c"], parents=[-1, 0, 1], depths=[1, 2, 3], draws=[4, 1, 1])
    assert drafted(step, CHAINS).endswith(" 6 draws, 3 different. 4 chains, of which one goes on.")
    step = replace(race_step(), parents=[-1, -1, 0, 1], depths=[1, 1, 2, 2], draws=[3, 1, 1, 1])
    told = drafted(step, CHAINS)
    assert told.endswith(" 6 draws, 4 different. 4 chains, which begin with 2 different tokens, and one of each goes on.")


def test_what_is_said_of_draws_is_not_said_again_of_chains():
    step = replace(coin_step(tries=2), draws=[3, 1])
    assert drafted(step, CHAINS).endswith(" accepted. 4 draws, 2 different.")
    one = replace(coin_step(), draws=[4])
    assert drafted(one, CHAINS).endswith(" 4 draws, all the same.")


def test_who_chose_the_last_token_and_why_the_walk_ended():
    assert last(race_step()) == "The target: “␣swim”, the winner of its race. It is not the one token drafted here: so the walk ended."
    assert last(coin_step(tries=2)) == "The target: “␣y”, drawn from what is left of P. Both tries failed here: so the walk ended."
    assert last(block_step((0.1, 0.9, 0.9))).endswith("The coins keep only 1 of the 3 tokens: so the walk ended.")
    assert last(leaf_step("coins")).endswith("drawn from P. The walk ended at a leaf: all on its way was accepted.")
    ended = coin_step(accepted=True)
    assert last(ended) == "The draft: “␣x” was accepted, and it ends the text."


def test_the_drafts_favourite_as_the_target_saw_it():
    assert favourite(race_step()) == "“␣play”, first in its race: q = 0.50, the target's p = 0.20. Rejected: “␣swim” was chosen."
    assert favourite(residual_step()).endswith("Rejected: “␣z” was chosen.")
    assert favourite(coin_step(accepted=True)).endswith("Accepted.")
    assert favourite(bare_step("race")) == "Nothing was drafted."


def test_a_favourite_that_was_not_drafted_can_be_what_the_target_chose():
    step = coin_step(accepted=False)
    visit = step.walk[-1]
    first = visit.rows[0]
    elsewhere = replace(step, tokens=[token + 1000 for token in step.tokens])
    own = replace(elsewhere, walk=[*step.walk[:-1], replace(visit, token=first.token, text=first.text, accepted=False)])
    assert favourite(own).endswith("Not drafted; the target chose it.")


def test_a_small_probability_has_two_digits_that_count():
    step = race_step()
    visit = last_decision(step)
    small = replace(visit, rows=[replace(visit.rows[0], p=0.0147), *visit.rows[1:]])
    told = favourite(replace(step, walk=[small if one is visit else one for one in step.walk]))
    assert "the target's p = 0.015." in told


RUNS = {
    "ersd": {"algorithm": "ersd", "topology": "tau_star", "draft_tokens": 8},
    "gsd": {"algorithm": "gsd", "topology": "multi_sequence", "draft_tokens": 8, "sequences": 4},
    "gsd_wor": {"algorithm": "gsd_wor", "topology": "specinfer", "branching": (3, 2)},
    "kseq": {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 8, "sequences": 4},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 6},
    "lossy": {"algorithm": "lossy", "topology": "sequence", "draft_tokens": 4, "leniency": 0.5},
    "greedy": {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 8},
}


@pytest.mark.parametrize("name", RUNS)
def test_one_drafted_token_alone_is_what_the_engine_gives_with_one(pair, name):
    """At every step, the same text so far drafted with one token: the claim is what that run does."""
    prompt = "Once upon a time there was"
    settings = ersd.Settings(max_new_tokens=60, temperature=1.3, seed=4, **RUNS[name])
    one = replace(settings, topology="sequence", draft_tokens=1, max_new_tokens=8)
    text, seen = pair.encode(prompt), set()
    for step in islice(ersd.generate(pair, prompt, settings), 14):
        if step.tokens:
            only = first_step(pair, text, one)
            accepted = len(only.path)
            claim = alone(step)
            assert f", {'accepted' if accepted else 'rejected'}: " in claim, claim
            assert int(re.search(r"(\d) tokens? from", claim)[1]) == len(only.tokens), claim
            seen.add(accepted)
        text = text + [emitted.token for emitted in step.emitted]
    assert seen == {0, 1}


def first_step(pair, text, settings):
    """The way of the first step behind a text that is given as tokens."""
    from ersd.decoding import _steps
    from ersd.drafts.factory import drafter_for
    from ersd.rules.builtin import RULES

    rule = RULES[settings.algorithm].with_settings(settings)
    return next(_steps(pair, text, settings, rule, drafter_for(pair, rule, settings))).way


def test_draws_are_counted_as_they_were_drawn(pair):
    """K-SEQ follows every draw, so of 4 chains of 4 there are 16 draws, unless the text ends before."""
    settings = replace(CHAINS, draft_tokens=16, max_new_tokens=60, temperature=0.6)
    steps = list(islice(ersd.generate(pair, "Once upon a time there was", settings), 12))
    assert any(step.draws for step in steps)
    for step in steps:
        if step.draws:
            assert sum(step.draws) == 16
            assert len(step.draws) == len(step.tokens) < 16
        for visit in step.walk:
            for one in visit.tries:
                times = sum(other.vertex == one.vertex for other in visit.tries)
                assert (step.draws or [1] * len(step.tokens))[one.vertex] >= times


# --- the run ----------------------------------------------------------------------------------------------------------------------


def test_every_method_is_exact_in_its_way():
    kinds = {name: badge(Settings(algorithm=parts[0], topology=parts[1]))["kind"] for name, parts in METHODS.items()}
    same_text = {name for name, kind in kinds.items() if kind == "same-text"}
    assert same_text == {"ERSD τ*", "ERSD sequence", "ERSD batch", "one by one"}
    assert set(kinds.values()) == {"same-text", "same-law"}
    assert badge(Settings(algorithm="lossy", topology="sequence", leniency=0.5))["kind"] == "biased"
    assert "the same text for this seed whatever is drafted" in badge(SETTINGS)["words"]
    assert "0.5 · TV(P, Q)" in badge(Settings(algorithm="lossy", topology="sequence", leniency=0.5))["words"]


def test_a_run_is_named_by_method_k_and_seed():
    assert run_name(Settings(seed=7)) == "ERSD τ* · k = 16 · seed 7"
    assert run_name(Settings(algorithm="gsd_wor", topology="batch", draft_tokens=4)) == "gsd_wor + batch · k = 4 · seed 0"
    assert run_name(Settings(algorithm="autoregressive")) == "one by one · no draft · seed 0"
    assert run_name(Settings(algorithm="gsd", topology="specinfer", branching=(4, 2))) == "SpecInfer · k ≤ 12 · seed 0"


@pytest.mark.parametrize("algorithm", TRAITS)
def test_the_fields_that_make_a_difference(algorithm):
    fields = used(Settings(algorithm=algorithm, topology="sequence"))
    assert {"algorithm", "max_new_tokens"} <= set(fields)
    assert ("temperature" in fields) == (algorithm != "greedy")
    assert ("leniency" in fields) == (algorithm == "lossy")
    assert ("draft_tokens" in fields) == ("topology" in fields) == (algorithm != "autoregressive")
    assert not {"branching", "sequences"} & set(fields)
