"""What a single drafted token would have given, against the engine; names and badges of runs."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice

import pytest

import ersd
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS, Settings
from visual.payload.sentences.exactness import badge
from visual.payload.sentences.names import BY_PARTS, METHOD_LABELS, method_choices, run_name, used
from visual.payload.sentences.single_token import single_token

from .fakes import SETTINGS, bare_step

CHAINS = Settings(algorithm="kseq", topology="multi_sequence", draft_tokens=8, sequences=4)


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
    settings = Settings(algorithm=algorithm, max_new_tokens=90, temperature=1.3, seed=4, **RUNS[algorithm])
    one = replace(settings, topology="sequence", draft_tokens=1, max_new_tokens=8)
    text, seen = pair.encode(prompt), set()
    for step in islice(ersd.generate(pair, prompt, settings), 12):
        if step.tokens:
            walk = _first_walk(pair, text, one)
            answer, is_accepted = single_token(step), bool(walk.path)
            assert f" would be {'accepted' if is_accepted else 'rejected'}, giving " in answer
            assert (", as ρ is 1 for a single guess." in answer) == (is_accepted and not step.walk[0].tries[0].accepted)
            assert int(re.search(r"giving (\d) tokens?, ", answer)[1]) == len(walk.tokens), answer
            seen.add(is_accepted)
        text = text + [emitted.token for emitted in step.emitted]
    assert seen == {False, True}


def _first_walk(pair, text, settings):
    """The walk of the first step after a text that is given as tokens."""
    from ersd.decoding import decode_sequence

    return next(decode_sequence(pair, list(text), settings)[-1]).walk


def test_nothing_is_said_of_a_single_token_where_none_was_drafted():
    assert single_token(bare_step("race")) == ""


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
    assert {name for name, kind in kinds.items() if kind == "same-text"} == {
        "ERSD τ*", "ERSD sequence", "ERSD batch", "one by one", "half race", "ERSD laps",
    }  # fmt: skip
    assert set(kinds.values()) == {"same-text", "same-law"}
    lossy = Settings(algorithm="lossy", topology="sequence", leniency=0.5)
    assert badge(lossy)["words"] == "⚠ Biased on purpose: off by 0.5 × TV(P, Q) at each drafted token"
    assert badge(replace(lossy, leniency=0.0))["kind"] == "same-law"
    assert badge(replace(SETTINGS, leniency=0.3))["words"] == "✓ Exact: with this seed, the same text as without a draft"
    assert badge(SETTINGS, ("repetition_penalty", "min_p"))["words"].endswith(
        "as without a draft (without the target’s own repetition_penalty, min_p)"
    )


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        (Settings(seed=7), "ERSD on a τ* tree · k = 16 · seed 7"),
        (Settings(algorithm="gsd_wor", topology="batch", draft_tokens=4), "Coins without replacement on a batch tree · k = 4 · seed 0"),
        (Settings(algorithm="autoregressive"), "No draft · seed 0"),
        (Settings(algorithm="gsd", topology="specinfer", branching=(4, 2)), "SpecInfer · k ≤ 12 · seed 0"),
        (Settings(algorithm="gsd", topology="specinfer", branching=(1, 1)), "SpecInfer · k = 2 · seed 0"),
        (Settings(algorithm="kseq", topology="multi_sequence", draft_tokens=4, sequences=1), "SpecTr (K-SEQ) · k = 4 · seed 0"),
        (Settings(topology="poisson", draft_tokens=4), "ERSD in laps (MPFR) · k ≤ 4 · seed 0"),
        (Settings(temperature=0), "ERSD on a τ* tree · k ≤ 16 · seed 0"),
    ],
)
def test_a_run_is_named_by_method_k_and_seed(settings, name):
    assert run_name(settings) == name


def test_every_method_has_a_label_of_its_own_and_no_name_of_the_code():
    assert set(METHOD_LABELS) == {*METHODS, BY_PARTS}
    labels = [label for label, _ in method_choices()]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if re.search(r"gsd|kseq|_|\+", label)]


@pytest.mark.parametrize("algorithm", TRAITS)
def test_the_fields_that_a_run_depends_on(algorithm):
    fields = used(Settings(algorithm=algorithm, topology="sequence"))
    assert {"algorithm", "max_new_tokens"} <= set(fields)
    assert ("temperature" in fields) == (algorithm != "greedy")
    assert ("leniency" in fields) == (algorithm == "lossy")
    assert ("draft_tokens" in fields) == ("topology" in fields) == (algorithm != "autoregressive")
    assert not {"branching", "sequences"} & set(fields)


@pytest.mark.parametrize(
    ("topology", "fields"),
    [
        ("tau_star", {"draft_tokens"}),
        ("multi_sequence", {"draft_tokens", "sequences"}),
        ("poisson", {"draft_tokens", "sequences"}),
        ("specinfer", {"branching"}),
    ],
)
def test_the_fields_that_a_tree_depends_on(topology, fields):
    assert {"draft_tokens", "branching", "sequences"} & set(used(Settings(topology=topology))) == fields
