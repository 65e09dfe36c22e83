"""K-SEQ: its scale to rounding, and the distribution of its output."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from ersd import theory
from ersd.theory import kseq, kseq_taken, rho_star

from .reference import EDGES, array, random_pairs, softmax

HARD = {
    **EDGES,
    "nothing in common but": (array(0.5, 0.5, 0), array(0, 1e-310, 1)),
    "hardly wanted": (array(1 - 1e-12, 1e-12), array(0.5, 0.5)),
    "hardly different": (array(0.5 + 1e-9, 0.5 - 1e-9), array(0.5, 0.5)),
    "peaked": random_pairs(400, 1, 12)[0],
    "flat in two": (softmax(np.repeat([0.0, 1.0], 20)), softmax(np.zeros(40))),
}


def excess(p, q, k, rho):
    """1 - (1 - β)^k - ρ β."""
    beta = np.minimum(p / rho, q).sum()
    return -math.expm1(k * math.log1p(-beta)) - rho * beta if beta < 1 else 1 - rho


def output(p, q, rho, k):
    """The distribution of the token that K-SEQ gives: k tries, then the residual."""
    once = np.minimum(p / rho, q)
    failed = 1 - once.sum()
    left = np.maximum(p - kseq_taken(p, q, np.array([rho]), k), 0)
    return sum(once * failed**j for j in range(k)) + failed**k * (left / left.sum() if left.sum() > 0 else p)


def test_rho_star_solves_its_equation_to_twelve_digits():
    for p, q in random_pairs(30):
        for k in (2, 4, 16):
            root = brentq(lambda rho, p=p, q=q, k=k: excess(p, q, k, rho), 1, k, xtol=1e-15, rtol=1e-15)
            assert theory.kseq_rho(p, q, k) == pytest.approx(root, rel=1e-12)


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("k", [1, 2, 16, 64, 256])
def test_kseq_is_exact_however_hard_its_scale(name, k):
    p, q = HARD[name]
    rho = theory.kseq_rho(p, q, k)
    assert 1 <= rho <= k
    assert abs(excess(p, q, k, rho)) < 1e-13
    for scale in (1, 1.1):
        assert output(p, q, rho * scale, k) == pytest.approx(p, abs=1e-13)
    assert kseq_taken(p, q, np.array([rho]), k).sum() == pytest.approx(theory.kseq_acceptance(p, q, k))


def test_rho_star_of_many_pairs_is_that_of_each():
    pairs = [*random_pairs(4), *(pair for pair in HARD.values() if len(pair[0]) == 4)]
    p, q = (np.stack(rows)[None] for rows in zip(*pairs, strict=True))
    for k in (1, 3, 128):
        rho = rho_star(p, q, k)
        assert rho.shape == (1, len(pairs), 1)
        assert rho.ravel().tolist() == pytest.approx([theory.kseq_rho(*pair, k) for pair in pairs], rel=1e-12)


def test_a_scale_that_is_no_root_is_never_returned(monkeypatch):
    monkeypatch.setattr(kseq, "STEPS", 1)
    with pytest.raises(ArithmeticError, match=r"no root for K-SEQ with k = 64: at ρ = [\d.]+, β = [\d.]+, the equation is off by 0\.\d"):
        theory.kseq_rho(*HARD["target beyond draft"], 64)


def test_distributions_rounded_to_float32_have_a_scale():
    for p, q in random_pairs(50, 3):
        assert theory.kseq_rho(p.astype(np.float32), q.astype(np.float32), 4) == pytest.approx(theory.kseq_rho(p, q, 4), rel=1e-4)


def test_kseq_lies_between_its_guarantee_and_the_optimum():
    for p, q in [*random_pairs(6), *EDGES.values()]:
        for k in (1, 2, 4, 8):
            best = theory.optimal_acceptance(p, q, k)
            assert (1 - 1 / math.e) * best - 1e-9 <= theory.kseq_acceptance(p, q, k) <= best + 1e-9
