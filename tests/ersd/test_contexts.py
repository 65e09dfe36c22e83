"""Clocks keyed by context: the text is still the target's, and still the same whatever is drafted."""

import itertools

import pytest
import torch

import ersd
from ersd import contexts, rerun
from ersd.contexts import Contexts
from ersd.randomness import context_key
from ersd.sampling import probabilities

from .chance import outcomes
from .replayed_steps import replayed_steps
from .sequences import random_tables
from .statistical import pooled_pvalue, tokens_of
from .tiny import tiny_pair

LENGTH = 6
PROMPT = "Once upon a time there was a little girl named"


def used_again(self, path=()):
    """The broken version: a context seen before keeps its clocks."""
    tokens = [*self.text, *path]
    return context_key(tokens[len(tokens) - contexts.CONTEXT :]) if len(tokens) >= contexts.CONTEXT else None


@pytest.fixture
def one_token(monkeypatch):
    monkeypatch.setattr(contexts, "CONTEXT", 1)


def enumerated(tables):
    """The joint distribution of six tokens that races with these keys write; a race of two is one number, E0 / (E0 + E1) below p0."""
    joint = torch.zeros(2**LENGTH, dtype=torch.float64)

    def write(chance):
        keys, text, prefix = Contexts(0), [0], 0
        for depth in range(LENGTH):
            keys.follow(text)
            key = keys.key()
            token = int(not chance.is_below(("position", depth) if key is None else key, tables.p[depth][prefix][0].item()))
            text.append(token)
            prefix = 2 * prefix + token
        return prefix

    for written, probability in outcomes(write):
        joint[written] += probability
    return joint


def test_six_tokens_are_the_targets(one_token, monkeypatch):
    tables = random_tables(2, LENGTH, seed=3)
    assert (enumerated(tables) - tables.joint(LENGTH)).abs().max() < 1e-12
    monkeypatch.setattr(Contexts, "key", used_again)
    assert (enumerated(tables) - tables.joint(LENGTH)).abs().sum() > 0.2


def test_six_tokens_through_the_engine(one_token, monkeypatch):
    pair, runs = tiny_pair(2), 300
    joint, ids = torch.ones(1, dtype=torch.float64), pair.encode("b")
    for length in range(LENGTH):
        texts = torch.tensor([[*ids, *after] for after in itertools.product(range(2), repeat=length)])
        with torch.inference_mode():
            joint = (joint[:, None] * probabilities(pair.target.model(texts).logits[:, -1])).flatten()

    def pvalue():
        counts = torch.zeros(2**LENGTH, dtype=torch.float64)
        for seed in range(runs):
            written = tokens_of(pair, "b", ersd.Settings("autoregressive", max_new_tokens=LENGTH, seed=seed, keys="context"))
            counts[int("".join(map(str, written)), 2)] += 1
        return pooled_pvalue(counts, runs * joint)

    assert pvalue() > 1e-4
    monkeypatch.setattr(Contexts, "key", used_again)
    assert pvalue() < 1e-4


def test_a_context_seen_before_takes_the_clocks_of_its_position():
    keys = Contexts(1)
    keys.follow([1, 2, 3])
    assert keys.key() is None  # too short
    keys.follow([1, 2, 3, 4, 5, 1, 2, 3])
    assert keys.key() == context_key([5, 1, 2, 3])
    assert keys.key([4]) is None  # 1 2 3 4 came before
    assert keys.key([4, 5]) is None
    assert keys.key([6]) == context_key([1, 2, 3, 6])
    assert keys.key([3, 3, 3]) == context_key([3, 3, 3, 3])
    assert keys.key([3, 3, 3, 3]) is None  # seen on the path of the tree itself
    assert (keys.noise([6]).position, keys.noise([6]).seed) == (9, 1)


@pytest.mark.parametrize("topology", list(ersd.TOPOLOGIES))
def test_the_text_is_that_of_plain_decoding(topology, pair):
    more = {"max_new_tokens": 60, "seed": 12, "temperature": 0.8, "keys": "context"}
    alone = tokens_of(pair, PROMPT, ersd.Settings("autoregressive", **more))
    assert tokens_of(pair, PROMPT, ersd.Settings("ersd", topology, 12, **more)) == alone
    assert alone != tokens_of(pair, PROMPT, ersd.Settings("autoregressive", **{**more, "keys": "position"}))


def test_its_ranks_fix_the_steps_of_other_trees(pair):
    """Also after leaves, where the draft is asked only with the next step."""
    settings = ersd.Settings("ersd", "sequence", 4, max_new_tokens=60, seed=12, keys="context")
    ranks = rerun.ranks_of(pair, ersd.run(pair, PROMPT, settings))
    for other in (ersd.Settings("ersd", "tau_star", 8, max_new_tokens=60, seed=12, keys="context"), settings):
        steps = ersd.run(pair, PROMPT, other).steps
        assert [one.tokens for one in replayed_steps(ranks, other)] == [len(step.emitted) for step in steps]


def test_only_races_have_clocks_to_key():
    assert ersd.Settings("autoregressive", keys="context").keys == "context"
    with pytest.raises(ValueError, match="keys must be position for gsd, which has no clocks, got 'context'"):
        ersd.Settings("gsd", "batch", keys="context")
    with pytest.raises(ValueError, match="keys must be one of position, context, got 'word'"):
        ersd.Settings(keys="word")
