"""The source `routed`: one of several, chosen before each step by its losses so far."""

import dataclasses
import json
import math

import pytest

import ersd
from ersd.draft_tree import ROOT
from ersd.drafts.routed import MEMORY, RATE, Routed
from ersd.models.pair import make_pair
from ersd.rules.builtin import RULES

from ..rules.test_engine_output import VOCAB, enumerated, follows_through_the_engine
from ..statistical import DRAFTING, tokens_of
from ..test_decoding import PROMPTS
from ..tiny import letters, llama, tiny_llama_pair, tiny_pair
from .test_ngram import TEXT, topology_of


@pytest.mark.parametrize("algorithm", DRAFTING)
def test_joint_distribution(algorithm):
    """The draft model and n-grams, which have no guess after some texts."""
    tiny = tiny_pair(VOCAB)
    assert follows_through_the_engine(
        tiny, enumerated(tiny, prompt=TEXT), algorithm, topology_of(algorithm), 5, prompt=TEXT, source="routed"
    )


def test_guesses_judged_by_another_source_than_they_were_drawn_from_are_caught(monkeypatch):
    """The chosen source drafts, but the mean of all that scored the text is what its guesses are judged by."""
    gsd, tiny, guesses = RULES["gsd"], tiny_pair(VOCAB), []
    root, verify = Routed.root, gsd.verify

    def scored(self, sequence):
        found = root(self, sequence)
        guesses[:] = [logits.double().softmax(-1).nan_to_num(0) for logits in self._guesses.values()]
        return found

    def judged(p, q, children, noise):
        return verify(p, None if q is None else (sum(guesses) / len(guesses))[None], children, noise)

    monkeypatch.setattr(Routed, "root", scored)
    monkeypatch.setattr(gsd, "verify", judged, raising=False)
    assert not follows_through_the_engine(tiny, enumerated(tiny, prompt=TEXT), "gsd", "sequence", 1, prompt=TEXT, source="routed")


@pytest.mark.parametrize("algorithm", ["ersd", "gsd"])
def test_weights_follow_from_the_losses_of_the_steps_before(pair, algorithm):
    settings = ersd.Settings(algorithm, "sequence", draft_tokens=4, max_new_tokens=48, source="routed")
    trace = ersd.run(pair, PROMPTS[1], settings)
    assert ersd.Trace.from_json(trace.to_json()) == trace
    sums = dict.fromkeys(["model", "ngram", "exit", "foreign"], 0.0)
    for step in trace.steps:
        if step.routing is None:
            assert not step.tokens
            assert step is trace.steps[-1]
            break
        total = sum(math.exp(-RATE * loss) for loss in sums.values())
        assert step.routing.weights == pytest.approx({name: math.exp(-RATE * loss) / total for name, loss in sums.items()})
        assert step.routing.source == max(sums, key=lambda name: (-sums[name], -list(sums).index(name)))
        if algorithm == "ersd" and step.root_visit.tries:
            assert step.routing.losses[step.routing.source] == float(step.root_visit.rank != 1)
        elif step.root_visit.tries:
            assert step.routing.losses[step.routing.source] == pytest.approx(step.root_visit.tv, abs=1e-9)
        for name, loss in step.routing.losses.items():
            sums[name] = MEMORY * sums[name] + loss
    assert all(0 <= loss <= 1 for step in trace.steps if step.routing for loss in step.routing.losses.values())


def test_every_source_scores_the_text_as_it_would_alone(pair):
    """The first guess of a source that did not draft is that of a run of its own, wherever such a run has a step that begins there."""
    settings = ersd.Settings("ersd", "sequence", draft_tokens=1, max_new_tokens=40, source="routed")
    routed = ersd.run(pair, PROMPTS[2], settings)
    for name in ("model", "ngram", "foreign"):
        alone = ersd.run(pair, PROMPTS[2], dataclasses.replace(settings, source=name))
        hits = {step.position: float(step.root_visit.rank != 1) for step in alone.steps if step.tokens}
        shared = [step for step in routed.steps if step.position in hits and step.routing]
        assert shared
        assert [step.routing.losses[name] for step in shared] == [hits[step.position] for step in shared]


def test_the_better_source_is_chosen(pair):
    """A draft of random weights against the target's first layers and n-grams: it begins, and loses its weight."""
    random_draft = make_pair(pair.target.model, llama(pair.vocab_size, seed=5), pair.tokenizer)
    trace = ersd.run(random_draft, PROMPTS[1], ersd.Settings(max_new_tokens=64, source="routed"))
    chosen = [step.routing.source for step in trace.steps if step.routing]
    assert chosen[0] == "model"
    assert set(chosen[-10:]) <= {"ngram", "exit"}
    assert trace.steps[-2].routing.weights["model"] < 0.2


def test_hidden_states_reach_the_source_that_asks_for_them():
    pair = tiny_llama_pair(8)  # one layer: no exit
    assert set(ersd.run(pair, "abcab", ersd.Settings(max_new_tokens=8, source="routed")).steps[0].routing.weights) == {"model", "ngram"}
    four = make_pair(llama(26, layers=4, seed=1), llama(26, seed=2), letters(26))
    settings = ersd.Settings(draft_tokens=4, max_new_tokens=30, temperature=0.3, source="routed")
    trace = ersd.run(four, "abcabcabc", settings)
    assert set(trace.steps[0].routing.weights) == {"model", "ngram", "exit"}
    assert trace.token_ids == tokens_of(four, "abcabcabc", dataclasses.replace(settings, algorithm="autoregressive"))


def test_a_pair_with_n_grams_alone_has_nothing_to_choose_from():
    alone = make_pair(llama(8, layers=1), None, letters(8))
    with pytest.raises(ValueError, match="must be one of ngram for pair, which has n-grams alone, nothing to choose from, got 'routed'"):
        ersd.generate(alone, "abc", ersd.Settings(source="routed"))


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"source": "x", "weights": {"model": 1.0}, "losses": {}}, r"routing.source must be one of its weights, got 'x'"),
        ({"source": "model", "weights": {"model": 2.0}, "losses": {}}, r"routing.weights.model must be from 0 to 1, got 2.0"),
        ({"source": "model", "weights": {"model": 1.0}, "losses": {"y": 0.5}}, r"routing.losses must be of sources with a weight, got 'y'"),
        ({"source": "model", "weights": 3, "losses": {}}, r"routing.weights must be a list of named values, got 3"),
    ],
)
def test_a_wrong_choice_in_a_trace_is_named(part, message):
    trace = json.loads(ersd.run(tiny_pair(8), "abcab", ersd.Settings(max_new_tokens=4)).to_json())
    trace["steps"][0]["routing"] = part
    with pytest.raises(ValueError, match=rf"trace.steps\[0\].{message}"):
        ersd.Trace.from_json(json.dumps(trace))


def test_the_root_is_where_all_sources_guess(pair):
    step = next(ersd.generate(pair, "Once", ersd.Settings(max_new_tokens=4, source="routed")))
    assert step.root_visit.vertex == ROOT
    assert list(step.routing.losses) == list(step.routing.weights)
