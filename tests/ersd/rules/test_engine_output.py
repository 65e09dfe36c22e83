"""Every lossless rule through the whole engine: three tokens of a tiny model follow the target's joint distribution.

It is enumerated from the target alone, without a cache; its margins over the first two and the last two tokens are tested. The trees reach
all three tokens, and the third is scored after a committed path, so drafting, both caches, the walk and the residual all take part.

300 runs see half a bias of TV(P, Q), drafts from another distribution, and shapes that look at the sampled tokens. Smaller faults of a rule
are for `test_exact_output.py`, and those of the engine for `test_redecide.py`, which looks at every decision on every tree.
"""

import dataclasses
import itertools
from contextlib import closing

import pytest
import torch

import ersd
from ersd.drafts.laps import first_arrivals
from ersd.rules.builtin import RULES
from ersd.rules.registry import TRAITS
from ersd.sampling import probabilities

from ..statistical import COMBINATIONS, DRAFTING, pooled_pvalue
from ..tiny import tiny_pair

VOCAB = 6
RUNS = 300
FALSE_ALARM = 1e-4
"""Of each test; about 15 of them, seeds fixed."""
PROMPT = "b"  # one token: nothing to read before the first step

TREES_OF = {name: [topology for each, topology in COMBINATIONS if each == name] for name in DRAFTING}
IN_TURNS = [(name, trees[turn % len(trees)]) for turn, (name, trees) in enumerate(TREES_OF.items())]
"""Every rule once, on trees that differ."""


@pytest.fixture(scope="module")
def tiny():
    """A pair run through transformers."""
    torch.set_num_threads(1)
    return tiny_pair(VOCAB)


def enumerated(pair, prompt=PROMPT, **sampling):
    """Joint distribution [VOCAB, VOCAB, VOCAB] of the three tokens after the prompt, from the target alone, without any cache."""
    ids = pair.encode(prompt)
    joint = torch.ones(1, dtype=torch.float64)
    for length in range(3):
        contexts = [[*ids, *after] for after in itertools.product(range(VOCAB), repeat=length)]
        with torch.inference_mode():
            logits = pair.target.model(torch.tensor(contexts)).logits[:, -1]
        joint = (joint.unsqueeze(-1) * probabilities(logits, **sampling)).flatten()
    return joint.view(VOCAB, VOCAB, VOCAB)


def follows_through_the_engine(pair, joint, algorithm, topology, k, prompt=PROMPT, **more) -> bool:
    """Do the engine's first three tokens follow `joint`? Two chi-square tests, corrected for being two."""
    counts = torch.zeros(VOCAB, VOCAB, VOCAB, dtype=torch.float64)
    for seed in range(RUNS):
        settings = ersd.Settings(algorithm=algorithm, topology=topology, draft_tokens=k, max_new_tokens=4, seed=seed, **more)
        with closing(ersd.generate(pair, prompt, settings, record=False)) as steps:
            counts[tuple(itertools.islice(itertools.chain.from_iterable(steps), 3))] += 1
    if counts[joint == 0].any():
        return False
    margins = (pooled_pvalue(counts.sum(axis).flatten(), RUNS * joint.sum(axis).flatten()) for axis in (0, 2))
    return 2 * min(margins) > FALSE_ALARM


CUT = {"temperature": 0.8, "top_k": 5, "top_p": 0.9}


@pytest.mark.parametrize(("algorithm", "topology"), IN_TURNS)
def test_joint_distribution(tiny, algorithm, topology):
    """Every second rule with cut distributions."""
    sampling = CUT if DRAFTING.index(algorithm) % 2 else {}
    assert follows_through_the_engine(tiny, enumerated(tiny, **sampling), algorithm, topology, 5, **sampling)


def test_joint_distribution_in_laps(tiny):
    assert follows_through_the_engine(tiny, enumerated(tiny), "ersd", "poisson", 6, sequences=6)


def test_every_rule_takes_part_on_trees_that_differ():
    assert [name for name, _ in IN_TURNS] == DRAFTING
    assert len({topology for _, topology in IN_TURNS}) > 3


# --- what is seen ---------------------------------------------------------------------------------------------------------------


def test_a_lenient_rule_is_caught(tiny):
    assert not follows_through_the_engine(tiny, enumerated(tiny), "lossy", "sequence", 5, leniency=0.5)


def test_a_draft_distribution_before_top_p_is_caught(tiny, monkeypatch):
    """Children drawn from Q before top-p, but judged against Q after it."""
    sampling = {"top_p": 0.6}
    joint = enumerated(tiny, **sampling)
    drafted, distributions = RULES["gsd"].draft, RULES["gsd"].distributions
    raw = {}

    def transformed(logits, settings):
        raw[0] = distributions(logits, dataclasses.replace(settings, top_p=1.0))
        return distributions(logits, settings)

    def draft(q, k, noise, slots):
        # a child outside the nucleus has q = 0 there; like a sloppy implementation, divide by something tiny instead
        return drafted(raw[0], k, noise, slots)

    assert follows_through_the_engine(tiny, joint, "gsd", "batch", 4, **sampling)
    monkeypatch.setattr(RULES["gsd"], "distributions", transformed, raising=False)
    monkeypatch.setattr(RULES["gsd"], "draft", draft, raising=False)
    assert not follows_through_the_engine(tiny, joint, "gsd", "batch", 4, **sampling)


def test_a_dynamic_tree_under_gsd_is_caught(tiny, monkeypatch):
    """What Settings refuses: a tree that grows where the draft is confident offers tokens that were not drawn from Q."""
    monkeypatch.setitem(TRAITS, "gsd", dataclasses.replace(TRAITS["gsd"], exact_on_any_shape=True, ordered=True))
    monkeypatch.setattr(RULES["gsd"], "scores", lambda p, noise: p.log(), raising=False)
    assert not follows_through_the_engine(tiny, enumerated(tiny), "gsd", "dynamic", 5)


def test_runners_that_take_the_shared_clock_along_are_caught(tiny, monkeypatch):
    """Adding later laps to the clocks in place, of which the target's race then knows."""

    def running(q, clocks, count, noise):
        found = first_arrivals(q, clocks, count, noise)
        for lap in found:
            clocks[lap.token] = lap.time * q[lap.token]
        return found

    monkeypatch.setattr("ersd.drafts.laps.first_arrivals", running)
    assert not follows_through_the_engine(tiny, enumerated(tiny), "ersd", "poisson", 6, sequences=6)


def test_a_shape_that_looks_at_the_sampled_tokens_is_caught(tiny, monkeypatch):
    """Of more children drawn than wanted, keep the likelier ones: each was drawn from Q, but the kept ones are not."""
    gsd = RULES["gsd"]
    drawn = gsd.draft

    def draft(q, k, noise, slots):
        children = drawn(q, 2 * k, noise, slots)
        best = q.gather(-1, children).topk(k).indices
        return children.gather(-1, best)

    monkeypatch.setattr(gsd, "draft", draft, raising=False)
    assert not follows_through_the_engine(tiny, enumerated(tiny), "gsd", "batch", 3)
