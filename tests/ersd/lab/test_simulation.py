"""The lab's edges, and that it runs the engine's own rules."""

import pytest
import torch

from ersd import lab
from ersd.rules.builtin import RULES
from ersd.rules.registry import TRAITS
from ersd.settings import Settings

from ..statistical import dist, occurs, random_pairs

EDGES = {
    "one token": (dist(1.0), dist(1.0)),
    "one point": (dist(0.0, 1.0), dist(0.0, 1.0)),
    "one point, other draft": (dist(0.0, 1.0), dist(1.0, 0.0)),
    "equal": (dist(0.2, 0.3, 0.5), dist(0.2, 0.3, 0.5)),
    "disjoint": (dist(0.4, 0.6, 0.0, 0.0), dist(0.0, 0.0, 0.1, 0.9)),
    "zeros in both": (dist(0.5, 0.0, 0.5, 0.0), dist(0.0, 0.5, 0.5, 0.0)),
    "tiny": (dist(1 - 1e-300, 1e-300), dist(1e-300, 1 - 1e-300)),
}


@pytest.mark.parametrize("algorithm", RULES)
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize(("p", "q"), EDGES.values(), ids=EDGES)
def test_edges_behave(algorithm, k, p, q):
    tokens, ranks = lab.trials(algorithm, p, q, k, 500, seed=1, leniency=0.5)
    assert tokens.shape == ranks.shape == (500,)
    assert tokens.dtype == ranks.dtype == torch.int64
    if TRAITS[algorithm].lossless:
        assert (p[tokens] > 0).all()
    accepted = RULES[algorithm].with_settings(Settings(algorithm, "sequence", leniency=0.5)).acceptance(p, q, k)
    if accepted is not None and TRAITS[algorithm].drafts:
        assert occurs(ranks >= 1, accepted)
    if not (p * q).any() and TRAITS[algorithm].lossless:
        assert (ranks == -1).all()


@pytest.mark.parametrize("algorithm", RULES)
def test_the_same_seed_gives_the_same_trials_and_another_seed_others(algorithm):
    p, q = random_pairs(10, 1)[0]
    first, again, other = (lab.trials(algorithm, p, q, 4, 1000, seed)[0] for seed in (5, 5, 6))
    assert torch.equal(first, again)
    assert torch.equal(first, other) == (not TRAITS[algorithm].uses_sampling)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("magic", (1.0,), (1.0,), 1, 1), "algorithm must be one of ersd"),
        (("gsd", (0.9,), (1.0,), 1, 1), "p must sum to 1, got a sum of 0.9"),
        (("gsd", (1.0,), (0.5, 0.6), 1, 1), "q must sum to 1"),
        (("gsd", (1.0,), (0.5, 0.5), 1, 1), "same length"),
        (("gsd", (1.0,), (1.0,), 0, 1), "k must be a whole number from 1"),
        (("gsd", (1.0,), (1.0,), 1, 0), "trials must be a whole number from 1"),
    ],
)
def test_bad_arguments_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        lab.trials(*arguments)


def test_leniency_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match="leniency must be a number from 0 to 1, got 2"):
        lab.trials("lossy", (1.0,), (1.0,), 1, 1, leniency=2)
