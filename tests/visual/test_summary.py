"""The four answers about a step, against the trace and against the engine; names and badges of runs."""

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
from visual.payload.sentences.nodes import last_decision
from visual.payload.sentences.summary import LABELS, drafted, first_choice, last_token, single_token, summary

from .fakes import SETTINGS, bare_step, block_step, coin_step, greedy_step, leaf_step, race_step, residual_step, silent_step

CHAINS = Settings(algorithm="kseq", topology="multi_sequence", draft_tokens=8, sequences=4)
DRAWS = replace(race_step(), parents=[-1, -1, -1, 0], draws=[2, 1, 1, 1])


def test_every_step_of_every_kind_has_all_answers():
    for step in (race_step(), residual_step(), coin_step(), block_step(), greedy_step(), leaf_step("coins"), bare_step("race")):
        answers = summary(step, SETTINGS)
        assert list(answers) == [label["id"] for label in LABELS]
        assert all(answers.values())


@pytest.mark.parametrize(
    ("step", "settings", "sentence"),
    [
        (race_step(), SETTINGS, "1 of 4 accepted: “␣loved”."),
        (coin_step(tries=3), SETTINGS, "None of 3 accepted."),
        (bare_step("race"), SETTINGS, "Nothing was drafted."),
        (silent_step(), SETTINGS, "1 of 1 accepted: “<|end|>”."),
        (DRAWS, SETTINGS, "1 of 4 accepted: “␣loved”. 5 draws, 4 different."),
        (replace(DRAWS, parents=[-1, -1, 0, 1], depths=[1, 1, 2, 2], draws=[2, 1, 2, 1]), CHAINS,
         "1 of 4 accepted: “␣loved”. 6 draws, 4 different. 3 chains, 2 different."),
        # of equal first tokens GSD continues one only: nobody knows whether the others would have been the same
        (replace(DRAWS, tokens=[1, 2, 3], texts=["a", "b", "c"], parents=[-1, 0, 1], depths=[1, 2, 3], draws=[4, 1, 1]), CHAINS,
         "1 of 3 accepted: “␣loved”. 6 draws, 3 different. 4 chains, of which one goes on."),
        (replace(DRAWS, parents=[-1, -1, 0, 1], depths=[1, 1, 2, 2], draws=[3, 1, 1, 1]), CHAINS,
         "1 of 4 accepted: “␣loved”. 6 draws, 4 different. 4 chains, which begin with 2 different tokens, and one of each goes on."),
        # what is known of the draws is not repeated for the chains
        (replace(coin_step(tries=2), draws=[3, 1]), CHAINS, "None of 2 accepted. 4 draws, 2 different."),
        (replace(coin_step(), draws=[4]), CHAINS, "The one drafted was not accepted. 4 draws, all the same."),
    ],
)  # fmt: skip
def test_what_was_drafted_and_accepted(step, settings, sentence):
    assert drafted(step, settings) == sentence


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (race_step(), "The target: “␣swim”, the winner of its race. It is not the one token drafted here: so the walk ended."),
        (coin_step(tries=2), "The target: “␣y”, drawn from the remaining target probability. Both tries failed here: so the walk ended."),
        (block_step((0.1, 0.9, 0.9)),
         "The target: “␣own”, drawn from the remaining target probability. The coins keep only 1 of the 3 tokens: so the walk ended."),
        (leaf_step("coins"), "The target: “␣b”, drawn from P. The walk ended at a leaf: all on its way was accepted."),
        (bare_step(), "The target: “␣loved”, the winner of its race. Nothing was drafted."),
        (coin_step(accepted=True), "The draft: “␣x” was accepted, and it ends the text."),
    ],
)  # fmt: skip
def test_who_chose_the_last_token_and_why_the_walk_ended(step, sentence):
    assert last_token(step) == sentence


def test_the_drafts_first_choice_as_the_target_saw_it():
    assert first_choice(race_step()) == "“␣play”, first in its race: q = 0.50, the target's p = 0.20. Rejected: “␣swim” was chosen."
    assert first_choice(residual_step()).endswith("Rejected: “␣z” was chosen.")
    assert first_choice(coin_step(accepted=True)).endswith("Accepted.")
    assert first_choice(bare_step("race")) == "Nothing was drafted."
    step = coin_step()
    first = step.walk[0].rows[0]
    own = replace(step, tokens=[1005], walk=[replace(step.walk[0], token=first.token, text=first.text)])
    assert first_choice(own).endswith("Not drafted; the target chose it.")
    visit = last_decision(race_step())
    small = replace(visit, rows=[replace(visit.rows[0], p=0.0147), *visit.rows[1:]])
    assert "the target's p = 0.015." in first_choice(replace(race_step(), walk=[race_step().walk[0], small]))


RUNS = {
    "ersd": {"topology": "tau_star", "draft_tokens": 8},
    "gsd": {"topology": "multi_sequence", "draft_tokens": 8, "sequences": 4},
    "gsd_wor": {"topology": "specinfer", "branching": (3, 2)},
    "kseq": {"topology": "multi_sequence", "draft_tokens": 8, "sequences": 4},
    "block": {"topology": "sequence", "draft_tokens": 6},
    "lossy": {"topology": "sequence", "draft_tokens": 4, "leniency": 0.5},
    "greedy": {"topology": "tau_star", "draft_tokens": 8},
}


@pytest.mark.parametrize("algorithm", RUNS)
def test_a_single_drafted_token_is_what_the_engine_gives_with_one(pair, algorithm):
    """At every step, the same text so far is continued with one drafted token: the answer is what that run does."""
    prompt = "Once upon a time there was"
    settings = Settings(algorithm=algorithm, max_new_tokens=60, temperature=1.3, seed=4, **RUNS[algorithm])
    one = replace(settings, topology="sequence", draft_tokens=1, max_new_tokens=8)
    text, seen = pair.encode(prompt), set()
    for step in islice(ersd.generate(pair, prompt, settings), 14):
        if step.tokens:
            walk = _first_walk(pair, text, one)
            answer, is_accepted = single_token(step), bool(walk.path)
            assert f", {'accepted' if is_accepted else 'rejected'}: " in answer
            assert int(re.search(r"(\d) tokens? from", answer)[1]) == len(walk.tokens), answer
            seen.add(is_accepted)
        text = text + [emitted.token for emitted in step.emitted]
    assert seen == {False, True}


def _first_walk(pair, text, settings):
    """The walk of the first step after a text that is given as tokens."""
    from ersd.decoding import _steps
    from ersd.drafts.factory import drafter_for
    from ersd.rules.builtin import RULES

    rule = RULES[settings.algorithm].with_settings(settings)
    return next(_steps(pair, list(text), settings, rule, drafter_for(pair, rule, settings))).walk


def test_draws_are_counted_as_they_were_drawn(pair):
    """K-SEQ follows every draw, so 4 chains of 4 have 16 draws, unless the text ends before."""
    settings = replace(CHAINS, draft_tokens=16, max_new_tokens=60, temperature=0.6)
    steps = list(islice(ersd.generate(pair, "Once upon a time there was", settings), 12))
    assert any(step.draws for step in steps)
    for step in steps:
        if step.draws:
            assert sum(step.draws) == 16
            assert len(step.draws) == len(step.tokens) < 16
        for visit in step.walk:
            for one in visit.tries:
                assert (step.draws or [1] * len(step.tokens))[one.vertex] >= sum(other.vertex == one.vertex for other in visit.tries)


# --- the run ----------------------------------------------------------------------------------------------------------------------


def test_the_badge_of_every_method():
    kinds = {name: badge(Settings(algorithm=parts[0], topology=parts[1]))["kind"] for name, parts in METHODS.items()}
    assert {name for name, kind in kinds.items() if kind == "same-text"} == {"ERSD τ*", "ERSD sequence", "ERSD batch", "one by one"}
    assert set(kinds.values()) == {"same-text", "same-law"}
    lossy = Settings(algorithm="lossy", topology="sequence", leniency=0.5)
    assert badge(lossy)["words"] == "⚠ biased on purpose: off by 0.5 · TV(P, Q) per drafted token"
    assert badge(replace(lossy, leniency=0.0))["kind"] == "same-law"
    assert badge(replace(SETTINGS, leniency=0.3))["words"] == "✓ exact, and the same text for this seed whatever is drafted"
    assert badge(SETTINGS, ("repetition_penalty", "min_p"))["words"].endswith(
        "whatever is drafted (without the target's own repetition_penalty, min_p)"
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(seed=7), "ERSD τ* · k = 16 · seed 7"),
        (Settings(algorithm="gsd_wor", topology="batch", draft_tokens=4), "gsd_wor + batch · k = 4 · seed 0"),
        (Settings(algorithm="autoregressive"), "one by one · no draft · seed 0"),
        (Settings(algorithm="gsd", topology="specinfer", branching=(4, 2)), "SpecInfer · k ≤ 12 · seed 0"),
    ],
)
def test_a_run_is_named_by_method_k_and_seed(settings, name):
    assert run_name(settings) == name


@pytest.mark.parametrize("algorithm", TRAITS)
def test_the_fields_that_a_run_depends_on(algorithm):
    fields = used(Settings(algorithm=algorithm, topology="sequence"))
    assert {"algorithm", "max_new_tokens"} <= set(fields)
    assert ("temperature" in fields) == (algorithm != "greedy")
    assert ("leniency" in fields) == (algorithm == "lossy")
    assert ("draft_tokens" in fields) == ("topology" in fields) == (algorithm != "autoregressive")
    assert not {"branching", "sequences"} & set(fields)
