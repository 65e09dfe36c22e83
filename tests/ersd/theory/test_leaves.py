"""Leaves first on a chain: the values that were enumerated independently, never fewer than from the root, equal on one level."""

import numpy as np
import pytest

from ersd.theory import ChainLevel, keep_alone, leaf_first_accepted, root_first_accepted

P, Q = (0.4, 0.3, 0.2, 0.1), (0.1, 0.2, 0.3, 0.4)
SURE = (0.7, 0.1, 0.1, 0.05, 0.05), (0.5, 0.2, 0.1, 0.1, 0.1)


def chain(p, q, length):
    return [ChainLevel([p] * len(p), [q] * len(q))] * length


@pytest.mark.parametrize(
    ("p", "q", "length", "root", "leaf"),
    [(P, Q, 2, 0.96, 1.03), (*SURE, 2, 1.44, 1.48), (P, Q, 4, 1.3056, 1.5894), (*SURE, 4, 2.3616, 2.6342), (P, Q, 1, 0.6, 0.6)],
)
def test_values_enumerated_elsewhere(p, q, length, root, leaf):
    assert root_first_accepted(chain(p, q, length)) == pytest.approx(root, abs=5e-5)
    assert leaf_first_accepted(chain(p, q, length)) == pytest.approx(leaf, abs=5e-5)


def test_never_fewer_than_from_the_root():
    chance = np.random.default_rng(5)
    gains = []
    for _ in range(200):
        levels = [ChainLevel(*(chance.dirichlet(np.ones(3), before) for _ in range(2))) for before in (1, 3, 3)]
        gains.append(leaf_first_accepted(levels) - root_first_accepted(levels))
    assert min(gains) > -1e-12
    assert max(gains) > 0.05


def test_a_node_whose_guess_failed():
    assert keep_alone(P, Q, 1.0) == 1.0
    assert keep_alone((0.8, 0.2), (0.4, 0.6), 0.5) == 0.0
    assert keep_alone((0.9, 0.1), (0.1, 0.9), 0.5) == pytest.approx(0.35 / 0.85)
    with pytest.raises(ValueError, match=r"^p must"):
        keep_alone((0.5, 0.6), (0.4, 0.6), 0.5)
