"""Every formula against brute force, its bounds and the values of the papers."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy.optimize import brentq, linprog

from ersd import theory
from ersd.distributions import harmonic_distance, total_variation

from .laws import ADVERSARIAL, law, random_pairs

EVERY_PAIR = [*random_pairs(6), *ADVERSARIAL.values()]


def test_race_match_equals_the_sum_written_out():
    for p, q in random_pairs(6):
        direct = sum(1 / sum(max(p[j] / p[i], q[j] / q[i]) for j in range(6)) for i in range(6))
        assert theory.race_match(p, q) == pytest.approx(float(direct), abs=1e-12)


def test_race_match_lies_between_its_bounds():
    for p, q in random_pairs(50):
        tv, match = total_variation(p, q).item(), theory.race_match(p, q)
        lower, upper = theory.race_bounds(p, q)
        assert (lower, upper) == pytest.approx(((1 - tv) / (1 + tv), 1 - tv))
        assert lower <= match <= upper + 1e-12
        # the harmonic mean of p and q is at least their minimum, so this bound is the weaker one
        assert 1 - tv <= 1 - harmonic_distance(p, q).item() + 1e-12


def test_race_match_at_the_edges():
    one, other, half = law(1, 0), law(0, 1), law(0.5, 0.5)
    assert theory.race_match(one, other) == 0
    assert theory.race_match(half, half) == pytest.approx(1)
    assert theory.race_match(one, half) == pytest.approx(0.5)
    assert theory.race_match([1.0], [1.0]) == pytest.approx(1)


def drafted_by_integration(p, q, k):
    """P(R <= k) with a fine grid of times and every subset of rivals written out."""
    times = np.exp(np.arange(math.log(1e-9), math.log(60), 0.02))
    weights = 0.02 * times * np.exp(-times)
    total = 0.0
    for i in range(len(p)):
        if p[i] == 0 or q[i] == 0:
            continue
        ahead = [1 - np.exp(-times * max(0.0, (q[j] * p[i] / q[i] - p[j]).item())) for j in range(len(p)) if j != i]
        for chosen in itertools.product((False, True), repeat=len(ahead)):
            if sum(chosen) < k:
                product = np.prod([a if yes else 1 - a for a, yes in zip(ahead, chosen, strict=True)], axis=0)
                total += p[i].item() * (weights * product).sum()
    return total


@pytest.mark.parametrize("k", [1, 2, 3])
def test_race_acceptance_equals_the_integral_over_every_subset_of_rivals(k):
    for p, q in [*random_pairs(5, 3), *ADVERSARIAL.values()]:
        assert theory.race_acceptance(p, q, k) == pytest.approx(drafted_by_integration(p, q, k), abs=2e-4)


def drafted_by_counting(p, q, k):
    """P(R <= k) on a fine grid of times, the rivals ahead counted one by one for every winner."""
    p, q = p.numpy(), q.numpy()
    times = np.exp(np.arange(math.log(1e-7), math.log(60), 0.05))
    weights = 0.05 * times * np.exp(-times)
    total = 0.0
    for i in np.flatnonzero((p > 0) & (q > 0)):
        rates = np.maximum(0.0, q * (p[i] / q[i]) - p)
        fewer = np.zeros((k, len(times)))
        fewer[0] = 1.0
        for rate in rates[rates > 0]:
            ahead = 1 - np.exp(-times * rate)
            fewer[1:] = fewer[1:] * (1 - ahead) + fewer[:-1] * ahead
            fewer[0] *= 1 - ahead
        total += p[i] * (weights * fewer.sum(0)).sum()
    return total


def flat_pairs(size):
    """Nearly uniform laws, where no token leads: the hardest to group."""
    generator = torch.Generator().manual_seed(3)
    return [tuple((spread * torch.randn(2, size, generator=generator, dtype=torch.float64)).softmax(-1)) for spread in (0.05, 0.5)]


@pytest.mark.parametrize("k", [2, 8, 32])
def test_race_acceptance_of_many_tokens_keeps_to_the_error_stated(k):
    for p, q in [*random_pairs(120, 2, 2.5), *flat_pairs(120)]:
        assert theory.race_acceptance(p, q, k) == pytest.approx(drafted_by_counting(p, q, k), abs=2e-3)


def recursive(p, q, k, replacement):
    """Acceptance of recursive rejection by going through every sequence of children."""
    if k == 0 or q.sum() <= 0:
        return 0.0
    drawn_from = q / q.sum()
    left = (p - drawn_from).clamp_min(0)
    left = left / left.sum() if left.sum() > 0 else p
    total = 0.0
    for i in range(len(p)):
        if drawn_from[i] == 0:
            continue
        accepted = min(1.0, (p[i] / drawn_from[i]).item())
        rest = q if replacement else q.masked_fill(torch.arange(len(q)) == i, 0)
        total += drawn_from[i].item() * (accepted + (1 - accepted) * (recursive(left, rest, k - 1, replacement) if accepted < 1 else 0))
    return total


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_gsd_acceptance_equals_the_enumeration_of_all_children(k, replacement):
    for p, q in [*random_pairs(5, 5), *ADVERSARIAL.values()]:
        expected = recursive(p, q, k, replacement)
        assert theory.gsd_acceptance(p, q, k, replacement=replacement) == pytest.approx(expected, abs=1e-9)


def test_gsd_without_replacement_by_sampling_agrees_with_the_enumeration(monkeypatch):
    exact = [theory.gsd_acceptance(p, q, 4, replacement=False) for p, q in random_pairs(9)]
    monkeypatch.setattr("ersd.theory.gsd.ENUMERATED", 0)
    sampled = [theory.gsd_acceptance(p, q, 4, replacement=False) for p, q in random_pairs(9)]
    assert sampled != exact
    assert sampled == pytest.approx(exact, abs=0.02)
    assert np.mean(sampled) == pytest.approx(np.mean(exact), abs=0.005)


def test_one_child_accepts_one_minus_tv_under_every_rejection_rule():
    for p, q in EVERY_PAIR:
        expected = pytest.approx(1 - total_variation(p, q).item(), abs=1e-9)
        assert theory.gsd_acceptance(p, q, 1) == expected
        assert theory.gsd_acceptance(p, q, 1, replacement=False) == expected
        assert theory.kseq_acceptance(p, q, 1) == expected
        assert theory.optimal_acceptance(p, q, 1) == expected


def test_rho_star_solves_its_equation_to_ten_digits():
    for p, q in random_pairs(30):
        for k in (2, 4, 16):

            def excess(rho, p=p, q=q, k=k):
                beta = torch.minimum(p / rho, q).sum().item()
                return 1 - (1 - beta) ** k - rho * beta

            rho = theory.kseq_rho(p, q, k)
            assert 1 <= rho <= k
            assert rho == pytest.approx(brentq(excess, 1, k, xtol=1e-14), abs=1e-10)


def test_kseq_lies_between_its_guarantee_and_the_optimum():
    for p, q in EVERY_PAIR:
        for k in (1, 2, 4, 8):
            best = theory.optimal_acceptance(p, q, k)
            assert (1 - 1 / math.e) * best - 1e-9 <= theory.kseq_acceptance(p, q, k) <= best + 1e-9
            assert theory.gsd_acceptance(p, q, k) <= best + 1e-9


def transport(p, q, k):
    """The optimum as a linear program over couplings of the target's token and the k children."""
    n = len(p)
    drafts = list(itertools.product(range(n), repeat=k))
    cost = np.array([[-float(x in draft) for draft in drafts] for x in range(n)]).ravel()
    rows = np.kron(np.eye(n), np.ones(len(drafts)))
    columns = np.kron(np.ones(n), np.eye(len(drafts)))
    weights = [math.prod(q[i].item() for i in draft) for draft in drafts]
    solved = linprog(cost, A_eq=np.vstack([rows, columns]), b_eq=np.concatenate([p.numpy(), weights]), method="highs")
    return -solved.fun


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_optimum_equals_the_linear_program(k):
    for p, q in random_pairs(4, 4):
        assert theory.optimal_acceptance(p, q, k) == pytest.approx(transport(p, q, k), abs=1e-9)


def transport_without_replacement(p, q, k):
    """The same for lists of different children, each drawn from Q without the earlier ones."""
    support = [i for i in range(len(q)) if q[i] > 0]
    drafts = list(itertools.permutations(support, min(k, len(support))))
    weights = []
    for draft in drafts:
        chance, left = 1.0, 1.0
        for i in draft:
            chance, left = chance * q[i].item() / left, left - q[i].item()
        weights.append(chance)
    cost = np.array([[-float(x in draft) for draft in drafts] for x in range(len(p))]).ravel()
    rows = np.kron(np.eye(len(p)), np.ones(len(drafts)))
    columns = np.kron(np.ones(len(p)), np.eye(len(drafts)))
    given = np.concatenate([p.numpy() / p.sum().item(), np.array(weights) / sum(weights)])
    # one equation follows from the others, and rounding must not contradict it
    solved = linprog(cost, A_eq=np.vstack([rows, columns])[:-1], b_eq=given[:-1], method="highs")
    return -solved.fun


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_optimum_without_replacement_equals_the_linear_program(k):
    uneven = [(law(0.2, 0.3, 0.5, 0, 0), law(0, 0.5, 0.3, 0.2, 0)), (law(0.25, 0.25, 0.25, 0.25, 0), law(0.9, 0.05, 0, 0, 0.05))]
    for p, q in [*random_pairs(5, 4), *random_pairs(4, 3, 3.0), *uneven]:
        expected = transport_without_replacement(p, q, k)
        assert theory.optimal_acceptance(p, q, k, replacement=False) == pytest.approx(expected, abs=1e-6)


def test_rules_without_replacement_stay_below_their_own_optimum_and_may_pass_the_other():
    passed = False
    for p, q in [*EVERY_PAIR, *random_pairs(400, 2, 2.5), *flat_pairs(400)]:
        for k in (1, 2, 4, 8):
            own, other = theory.optimal_acceptance(p, q, k, replacement=False), theory.optimal_acceptance(p, q, k)
            race = theory.race_acceptance(p, q, k)
            assert race <= own + 2e-3
            assert theory.gsd_acceptance(p, q, k, replacement=False) <= own + 6e-3  # sampled: three standard errors
            assert other <= own + 1e-6 <= 1 + 2e-6
            passed |= race > other + 0.01
    assert passed


PLATEAUS = {
    "mass outside, k 128": (128, (0.17, 0.53, 0.04, 0.25, 0, 0.01), (0.17, 0.47, 0.03, 0.33, 0, 0)),
    "mass outside, k 64": (64, (0.04, 0.85, 0.08, 0.02, 0, 0.01), (0.04, 0.85, 0.09, 0.02, 0, 0)),
    "one point, k 16": (16, (0.5, 0.3, 0.2), (1, 0, 0)),
    "one point, k 256": (256, (0.5, 0.3, 0.2), (0, 0, 1)),
    "disjoint": (64, (0.5, 0.5, 0, 0), (0, 0, 0.4, 0.6)),
    "equal": (64, (0.5, 0.5), (0.5, 0.5)),
}


@pytest.mark.parametrize(("k", "p", "q"), PLATEAUS.values(), ids=PLATEAUS)
def test_kseq_is_solved_and_exact_on_plateaus(k, p, q):
    """What is accepted and what is drawn after k rejections make up P, whatever the digits of ρ: the law of the output, worked out."""
    p, q = law(*p), law(*q)
    rho = theory.rho_star(p, q, k)
    taken = theory.kseq_taken(p, q, rho, k)
    assert (taken <= p + 1e-9).all()
    assert taken.sum().item() == pytest.approx(theory.kseq_acceptance(p, q, k), abs=1e-9)
    beta = torch.minimum(p / rho, q).sum()
    assert (1 - (1 - beta) ** k).item() == pytest.approx((rho * beta).item(), abs=1e-9)


def test_an_unsolved_rho_is_an_error(monkeypatch):
    monkeypatch.setattr("ersd.theory.kseq._root", lambda p, q, k: np.full_like(p[..., :1], 1.5))
    with pytest.raises(ArithmeticError, match="no root for K-SEQ with k = 4"):
        theory.kseq_rho(*random_pairs(6, 1)[0], 4)


RANKS = (0.6, 0.2, 0.1, 0.1)


@pytest.mark.parametrize(("k", "tokens", "bound"), [(1, 1.6, 1.90967), (4, 2.376, 2.75115), (16, 3.41936, 3.87502), (64, 4.64668, 5.10670)])
def test_tau_star_and_its_bound_give_the_reference_values(k, tokens, bound):
    entropy = -sum(r * math.log(r) for r in RANKS)
    parents, ranks, accepted = theory.tau_star(RANKS, k)
    assert 1 + accepted == pytest.approx(tokens, abs=5e-6)
    assert theory.length_bound(4, k, entropy) == pytest.approx(bound, abs=5e-6)
    assert theory.expected_accepted(parents, ranks, RANKS) == pytest.approx(accepted)


def test_tau_star_is_the_best_of_all_trees():
    def trees(k):
        """Every tree of k vertices in which a vertex of rank r has siblings of the ranks below, as sets of rank paths."""
        found = {frozenset()}
        for _ in range(k):
            grown = set()
            for tree in found:
                for path in [(), *tree]:
                    rank = 1 + sum(len(other) == len(path) + 1 and other[:-1] == path for other in tree)
                    if rank <= len(RANKS):
                        grown.add(tree | {(*path, rank)})
            found = grown
        return found

    for k in (1, 2, 3, 4, 5):
        best = max(sum(math.prod(RANKS[r - 1] for r in path) for path in tree) for tree in trees(k))
        assert theory.tau_star(RANKS, k)[2] == pytest.approx(best)


def test_tau_star_lists_parents_first_and_siblings_by_rank():
    parents, ranks, _ = theory.tau_star(RANKS, 40)
    seen = {}
    for vertex, (parent, rank) in enumerate(zip(parents, ranks, strict=True)):
        assert parent < vertex
        seen[parent] = seen.get(parent, 0) + 1
        assert rank == seen[parent]


def test_tau_star_keeps_to_a_depth():
    parents, ranks, _ = theory.tau_star((0.9, 0.1), 12, max_depth=2)
    assert sorted(zip(parents, ranks, strict=True)) == [(-1, 1), (-1, 2), (0, 1), (0, 2), (2, 1), (2, 2)]  # there is no more room


def test_expected_rejections_is_the_sum_of_tv():
    p, q = (torch.stack(laws) for laws in zip(*random_pairs(8), strict=True))
    assert theory.expected_rejections(p, q) == pytest.approx(total_variation(p, q).sum().item())


def test_the_pareto_front_is_a_straight_line():
    for p, q in EVERY_PAIR:
        tv = total_variation(p, q).item()
        for leniency in (0, 0.3, 1):
            rejection, bias = theory.pareto(p, q, leniency)
            assert rejection + bias == pytest.approx(tv)
            assert bias == pytest.approx(leniency * tv)


TWO = {
    "race_match": theory.race_match,
    "race_bounds": theory.race_bounds,
    "race_acceptance": lambda p, q: theory.race_acceptance(p, q, 2),
    "gsd": lambda p, q: theory.gsd_acceptance(p, q, 2),
    "gsd_wor": lambda p, q: theory.gsd_acceptance(p, q, 2, replacement=False),
    "kseq": lambda p, q: theory.kseq_acceptance(p, q, 2),
    "rho": lambda p, q: theory.kseq_rho(p, q, 2),
    "optimum": lambda p, q: theory.optimal_acceptance(p, q, 2),
    "optimum_wor": lambda p, q: theory.optimal_acceptance(p, q, 3, replacement=False),
    "pareto": lambda p, q: theory.pareto(p, q, 0.5),
    "rejections": lambda p, q: theory.expected_rejections(torch.as_tensor(p).unsqueeze(0), torch.as_tensor(q).unsqueeze(0)),
}


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize(
    "bad", [(0.5, 0.6), (1.5, -0.5), (0.5, math.nan), (0.2, 0.2), (0.5, math.inf)], ids=["above", "negative", "nan", "below", "inf"]
)
def test_what_is_no_distribution_is_refused_by_name(name, bad):
    with pytest.raises(ValueError, match=r"^p must"):
        TWO[name](torch.tensor(bad), (0.5, 0.5))
    with pytest.raises(ValueError, match=r"^q must"):
        TWO[name]((0.5, 0.5), torch.tensor(bad))


@pytest.mark.parametrize("name", TWO)
def test_different_lengths_are_refused(name):
    with pytest.raises(ValueError, match="p and q must have the same length, got 2 and 3"):
        TWO[name]((0.5, 0.5), (0.5, 0.25, 0.25))


@pytest.mark.parametrize("k", [0, -1, 1.5, True, None])
def test_a_bad_count_is_refused(k):
    p = (0.5, 0.5)
    for call in (
        lambda: theory.race_acceptance(p, p, k),
        lambda: theory.gsd_acceptance(p, p, k),
        lambda: theory.kseq_acceptance(p, p, k),
        lambda: theory.kseq_rho(p, p, k),
        lambda: theory.optimal_acceptance(p, p, k),
        lambda: theory.tau_star(RANKS, k),
        lambda: theory.length_bound(4, k, 1.0),
    ):
        with pytest.raises(ValueError, match="k must be a whole number from 1"):
            call()


@pytest.mark.parametrize("bad", [(0.5, 0.4), (), (1.2, -0.2), (math.nan, 1.0)])
def test_a_rank_law_that_is_none_is_refused(bad):
    with pytest.raises(ValueError, match="rank_probabilities must be non-negative and sum to 1"):
        theory.tau_star(bad, 3)
    with pytest.raises(ValueError, match="rank_probabilities must be non-negative and sum to 1"):
        theory.expected_accepted([-1], [1], bad)


def test_arguments_are_not_changed():
    p, q = random_pairs(6, 1)[0]
    before = p.clone(), q.clone()
    for call in TWO.values():
        call(p, q)
    assert torch.equal(p, before[0])
    assert torch.equal(q, before[1])
