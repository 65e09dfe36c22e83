"""Every formula against brute force, its bounds and the values of the papers."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy.optimize import brentq, linprog

from ersd import theory
from ersd.sampling import harmonic_distance, total_variation
from ersd.theory import gsd, kseq, optimum
from ersd.theory.kseq import kseq_taken, rho_star

from .statistical import ADVERSARIAL, UNEQUAL, law, random_pairs

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


def test_a_law_that_was_changed_in_its_place_is_another_law():
    """Formulas about the same vertex share the order of its tokens."""
    p, q = random_pairs(30, 1, 2.0)[0]
    before = theory.race_acceptance(p, q, 3), theory.optimal_acceptance(p, q, 3, replacement=False)
    other = p.flip(0)
    wanted = theory.race_acceptance(other, q, 3), theory.optimal_acceptance(other, q, 3, replacement=False)
    assert theory.race_acceptance(p, q, 3) == before[0] != wanted[0]
    p.copy_(other)
    assert (theory.race_acceptance(p, q, 3), theory.optimal_acceptance(p, q, 3, replacement=False)) == wanted


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
    """P(R <= k) by the law of the number of rivals ahead, one winner and one rival after the other, on a fine grid of times."""
    times = torch.arange(math.log(1e-5), math.log(30), 0.08, dtype=torch.float64).exp()
    weights = 0.08 * times * (-times).exp()
    shared = ((p > 0) & (q > 0)).nonzero().squeeze(1)
    rates = ((p / q)[shared, None] * q - p).clamp_min(0)
    rates[torch.arange(len(shared)), shared] = 0
    law = torch.zeros(k, len(shared), len(times), dtype=torch.float64)
    law[0] = 1
    for rate in rates.T[q > 0]:
        still = (-rate[:, None] * times).exp()
        moved = law[:-1] * (1 - still)
        law *= still
        law[1:] += moved
    return (p[shared, None] * weights * law.sum(0)).sum().item()


def truncated(p, kept):
    """The law of the `kept` likeliest tokens."""
    top = torch.zeros_like(p).index_fill(0, p.topk(kept).indices, 1)
    return p * top / (p * top).sum()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("size", [17, 20, 24, 34, 60])
def test_race_acceptance_of_few_children_is_closer(size, k):
    """Where no time is integrated over. The reference is off by up to 1e-5; hardest are few more tokens than are taken one by one."""
    for spread in (0.05, 1.0, 2.5, 6.0):
        p, q = random_pairs(size, 1, spread)[0]
        for target, draft in ((p, q), (truncated(p, size // 2), q), (p, truncated(q, size // 2))):
            assert theory.race_acceptance(target, draft, k) == pytest.approx(drafted_by_counting(target, draft, k), abs=4e-5)


def test_race_acceptance_of_many_tokens_equals_the_count_of_rivals():
    for size, k, spread in ((60, 3, 2.5), (60, 24, 6), (150, 4, 0.1), (150, 16, 1), (150, 32, 2.5)):
        p, q = random_pairs(size, 1, spread)[0]
        for target, draft in ((p, q), (truncated(p, size // 2), truncated(q, size // 2))):
            assert theory.race_acceptance(target, draft, k) == pytest.approx(drafted_by_counting(target, draft, k), abs=3e-4)


@pytest.mark.parametrize("size", [50, 400, 4096])
def test_race_acceptance_of_flat_laws(size):
    """Half of the tokens are favoured: ahead of one of them are the others, as equal clocks; the k-th of those comes after k waits."""
    for favour in (0.05, 0.5, 0.95):
        q = torch.full((size,), 1 / size, dtype=torch.float64)
        p = q * torch.cat([torch.full((size // 2,), 1 + favour), torch.full((size // 2,), 1 - favour)])
        for k in (2, 4, 16, 32, 64, 256):
            waiting = (size // 2 - torch.arange(min(k, size // 2))) * 2 * favour / size
            late = 1 - (waiting / (waiting + 1)).prod().item() if k <= size // 2 else 1
            assert theory.race_acceptance(p, q, k) == pytest.approx((1 - favour) / 2 + (1 + favour) / 2 * late, abs=1e-5)


@pytest.mark.parametrize("size", [50, 300, 4096])
def test_race_for_one_token_is_its_chance_to_be_drafted(size):
    p, q = torch.eye(size, dtype=torch.float64)[0], torch.full((size,), 1 / size, dtype=torch.float64)
    for k in (1, 2, 4, 16, 40, 64, 256):
        assert theory.race_acceptance(p, q, k) == pytest.approx(min(1, k / size), abs=1e-5)


@pytest.mark.filterwarnings("error")
def test_race_of_rivals_of_every_speed():
    """Probabilities over many orders of magnitude, in another order for the draft."""
    order = torch.randperm(1000, generator=torch.Generator().manual_seed(2))
    for rate in (0.1, 0.3):
        p = (-rate * torch.arange(1000, dtype=torch.float64)).softmax(-1)
        for k in (2, 16):
            assert 0 < theory.race_acceptance(p, p[order], k) <= theory.optimal_acceptance(p, p[order], k, replacement=False) + 1e-3


def test_race_with_ratios_of_many_orders_of_magnitude():
    """Winners on 120 orders: where the outcome turns lies within a few of them."""
    q = torch.pow(torch.tensor(0.1, dtype=torch.float64), torch.arange(120))
    p, q = torch.full((120,), 1 / 120, dtype=torch.float64), q / q.sum()
    for k in (4, 20):
        assert theory.race_acceptance(p, q, k) == pytest.approx(drafted_by_counting(p, q, k), abs=5e-4)


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
    monkeypatch.setattr(gsd, "ENUMERATED", 0)
    sampled = [theory.gsd_acceptance(p, q, 4, replacement=False) for p, q in random_pairs(9)]
    assert sampled != exact
    assert sampled == pytest.approx(exact, abs=0.02)
    assert np.mean(sampled) == pytest.approx(np.mean(exact), abs=0.005)


def test_gsd_without_replacement_in_the_mean_agrees_with_the_enumeration(monkeypatch):
    """All tries sampled; only the first three, all later ones in the mean; and tokens beyond the likeliest two in the mean."""
    pairs = random_pairs(8, 8, 1.0)
    monkeypatch.setattr(gsd, "ENUMERATED", 10**6)
    exact = [theory.gsd_acceptance(p, q, 6, replacement=False) for p, q in pairs]
    monkeypatch.setattr(gsd, "ENUMERATED", 0)
    monkeypatch.setattr(gsd, "EVEN", math.inf)
    for sampled, single in ((32, 512), (3, 512), (3, 2)):
        monkeypatch.setattr(gsd, "SAMPLED", sampled)
        monkeypatch.setattr(gsd, "SINGLE", single)
        assert [theory.gsd_acceptance(p, q, 6, replacement=False) for p, q in pairs] == pytest.approx(exact, abs=0.02)


def test_gsd_with_many_children_without_replacement_agrees_with_many_sequences(monkeypatch):
    """Also where the sequences differ for long, because the draft is peaked."""
    (one, _), (_, other) = random_pairs(200, 2, 2.0)
    pairs = [*random_pairs(60, 2, 2.5), *random_pairs(200, 2, 1.0), *random_pairs(400, 1, 8.0), (truncated(one, 90), other)]
    quick = [theory.gsd_acceptance(p, q, 48, replacement=False) for p, q in pairs]
    monkeypatch.setattr(gsd, "SAMPLED", 48)
    monkeypatch.setattr(gsd, "CHAINS", 2048)
    assert quick == pytest.approx([theory.gsd_acceptance(p, q, 48, replacement=False) for p, q in pairs], abs=5e-3)


def test_gsd_without_replacement_samples_no_more_than_it_must(monkeypatch):
    draws = []
    real = gsd._draw
    monkeypatch.setattr(gsd, "_draw", lambda *arguments: draws.append(1) or real(*arguments))
    for spread, most in ((0.3, gsd.SAMPLED), (15, gsd.DEEPEST)):
        draws.clear()
        theory.gsd_acceptance(*random_pairs(4096, 1, spread)[0], 256, replacement=False)
        assert len(draws) <= most


@pytest.mark.parametrize("size", [300, 4096])
def test_gsd_without_replacement_from_an_even_draft_is_exact(size):
    """Whatever was rejected, as much is removed: no chance is left."""
    q = torch.full((size,), 1 / size, dtype=torch.float64)
    p = truncated(random_pairs(size, 1, 1.0)[0][0], size // 4)
    for k in (4, 16, 64, 256):
        c = 0.0
        for removed in range(k):
            c += (p - c * q).clamp_min(0).sum().item() / (1 - removed / size)
        left = (p - c * q).clamp_min(0).sum().item()
        assert theory.gsd_acceptance(p, q, k, replacement=False) == pytest.approx(1 - left, abs=1e-9)


def test_gsd_without_replacement_where_next_to_nothing_is_left_of_the_draft():
    """The first child is nearly always token 0, the second one of two rare ones, each with probability 1/2."""
    q, p = law(1, 1e-17, 1e-17), law(0, 0.8, 0.2)
    assert theory.gsd_acceptance(p, q, 2, replacement=False) == pytest.approx(0.5 + 0.2, abs=1e-9)


def test_gsd_with_many_children_equals_the_recursion():
    for p, q in [*random_pairs(30, 2), *ADVERSARIAL.values()]:
        left = p
        rejected = 1.0
        for _ in range(100):
            rest = (left - q).clamp_min(0)
            rejected *= rest.sum().item()
            left = rest / rest.sum() if rest.sum() > 0 else left
        assert theory.gsd_acceptance(p, q, 100) == pytest.approx(1 - rejected, abs=1e-9)


def test_one_child_accepts_one_minus_tv_under_every_rejection_rule():
    for p, q in EVERY_PAIR:
        expected = pytest.approx(1 - total_variation(p, q).item(), abs=1e-9)
        assert theory.gsd_acceptance(p, q, 1) == expected
        assert theory.gsd_acceptance(p, q, 1, replacement=False) == expected
        assert theory.kseq_acceptance(p, q, 1) == expected
        assert theory.optimal_acceptance(p, q, 1) == expected


def excess(p, q, k, rho):
    beta = torch.minimum(p / rho, q).sum().item()
    return -math.expm1(k * math.log1p(-beta)) - rho * beta if beta < 1 else 1 - rho


def test_rho_star_solves_its_equation_to_ten_digits():
    for p, q in random_pairs(30):
        for k in (2, 4, 16):
            rho = theory.kseq_rho(p, q, k)
            assert 1 <= rho <= k
            assert rho == pytest.approx(brentq(lambda rho, p=p, q=q, k=k: excess(p, q, k, rho), 1, k, xtol=1e-14), abs=1e-10)


HARD = {
    **ADVERSARIAL,
    **UNEQUAL,
    "nothing in common but": (law(0.5, 0.5, 0), law(0, 1e-310, 1)),
    "hardly drafted": (law(0.5, 0.3, 0.2, 0), law(1 - 2e-16, 1e-16, 1e-16, 0)),
    "hardly wanted": (law(1 - 1e-12, 1e-12), law(0.5, 0.5)),
    "hardly different": (law(0.5 + 1e-9, 0.5 - 1e-9), law(0.5, 0.5)),
    "one token": (law(1), law(1)),
    "truncated": (random_pairs(50, 1)[0][0], truncated(random_pairs(50, 1)[0][1], 4)),
    "both truncated": tuple(truncated(values, 4) for values in random_pairs(50, 1)[0]),
    "peaked": random_pairs(400, 1, 12)[0],
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("k", [1, 2, 16, 64, 128, 256])
def test_kseq_is_exact_however_hard_its_scale(name, k):
    """The law of its output, k tries and what is left, written out: P to rounding."""
    p, q = HARD[name]
    rho = theory.kseq_rho(p, q, k)
    assert 1 <= rho <= k
    assert abs(excess(p, q, k, rho)) < 1e-14
    assert outcome(p, q, rho, k) == pytest.approx(p.numpy(), abs=3e-14)


def outcome(p, q, rho, k):
    """The law of the token that K-SEQ gives."""
    once = torch.where(q > 0, q * (p / (rho * q)).clamp_max(1), 0.0)
    failed = 1 - once.sum()
    accepted = sum(once * failed**j for j in range(k))
    left = (p - kseq_taken(p, q, torch.tensor([rho], dtype=torch.float64), k)).clamp_min(0)
    return (accepted + failed**k * (left / left.sum() if left.sum() > 0 else p)).numpy()


def test_kseq_is_exact_for_every_scale_from_the_root_on():
    for p, q in [*random_pairs(9), HARD["target beyond draft"], HARD["truncated"]]:
        for k in (2, 5, 64):
            rho = theory.kseq_rho(p, q, k)
            for scale in (1, 1 + 1e-6, 1.1, 3):
                assert outcome(p, q, rho * scale, k) == pytest.approx(p.numpy(), abs=1e-13)
            assert kseq_taken(p, q, torch.tensor([rho]), k).sum().item() == pytest.approx(theory.kseq_acceptance(p, q, k))


def test_rho_star_of_many_pairs_is_that_of_each():
    pairs = [*random_pairs(4), *(pair for name, pair in HARD.items() if len(pair[0]) == 4)]
    p, q = (torch.stack(laws) for laws in zip(*pairs, strict=True))
    for k in (1, 3, 128):
        rho = rho_star(p.unsqueeze(0), q.unsqueeze(0), k)
        assert rho.shape == (1, len(pairs), 1)
        assert rho.flatten().tolist() == pytest.approx([theory.kseq_rho(*pair, k) for pair in pairs], rel=1e-12)


def test_a_scale_that_is_no_root_is_never_returned(monkeypatch):
    monkeypatch.setattr(kseq, "NEWTON", 1)
    monkeypatch.setattr(kseq, "HALVINGS", 0)
    with pytest.raises(ArithmeticError, match=r"no root for K-SEQ with k = 64: at ρ = [\d.]+, β = [\d.]+, the equation is off by 0\.\d"):
        theory.kseq_rho(*HARD["target beyond draft"], 64)


def test_laws_rounded_to_float32_have_a_scale():
    for p, q in random_pairs(50):
        for k in (4, 256):
            assert theory.kseq_rho(p.float(), q.float(), k) == pytest.approx(theory.kseq_rho(p, q, k), rel=1e-4)


def test_kseq_lies_between_its_guarantee_and_the_optimum():
    for p, q in EVERY_PAIR:
        for k in (1, 2, 4, 8):
            best = theory.optimal_acceptance(p, q, k)
            assert (1 - 1 / math.e) * best - 1e-9 <= theory.kseq_acceptance(p, q, k) <= best + 1e-9
            assert theory.gsd_acceptance(p, q, k) <= best + 1e-9


def sequences(q, k, replacement):
    """Every list of k children and its probability; without replacement no longer than the draft has tokens."""
    k = k if replacement else min(k, int((q > 0).sum()))
    for draft in itertools.product(range(len(q)), repeat=k) if replacement else itertools.permutations(q.nonzero().flatten().tolist(), k):
        held, probability = 1.0, 1.0
        for token in draft:
            probability *= q[token].item() / held
            held -= 0 if replacement else q[token].item()
        yield draft, probability


def transport(p, q, k, replacement):
    """The optimum as a linear program over couplings of the target's token and the children; their order does not matter."""
    sets = {}
    for draft, probability in sequences(q, k, replacement):
        sets[frozenset(draft)] = sets.get(frozenset(draft), 0.0) + probability
    cost = np.array([[-float(token in drafted) for drafted in sets] for token in range(len(p))]).ravel()
    rows, columns = np.kron(np.eye(len(p)), np.ones(len(sets))), np.kron(np.ones(len(p)), np.eye(len(sets)))
    # the last equation follows from the others, but for rounding
    equations, sums = np.vstack([rows, columns])[:-1], np.concatenate([p.numpy(), list(sets.values())])[:-1]
    solved = linprog(cost, A_eq=equations, b_eq=sums, method="highs")
    assert solved.success
    return -solved.fun


SUPPORTS = [
    *UNEQUAL.values(),
    (law(0.4, 0.3, 0.2, 0.1, 0), law(0, 0.5, 0.3, 0.1, 0.1)),
    (law(0.4, 0.3, 0, 0.3, 0), law(0.1, 0.2, 0.3, 0, 0.4)),
    (law(0.1, 0.1, 0.8), law(0.9, 0.1, 0)),
    (law(0.5, 0, 0.1, 0.4), law(0.9, 0.05, 0.04, 0.01)),
]


@pytest.mark.parametrize("replacement", [True, False])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_optimum_equals_the_linear_program(k, replacement):
    for p, q in [*random_pairs(4, 4), *random_pairs(5, 3, 3.0), *random_pairs(3, 3, 0.3), *SUPPORTS, *ADVERSARIAL.values()]:
        assert theory.optimal_acceptance(p, q, k, replacement) == pytest.approx(transport(p, q, k, replacement), abs=1e-7)


def all_inside(q, k):
    """Pr(all of k children without replacement among the first i tokens) for every i: the law of how many arrived, on a fine grid."""
    times = torch.arange(math.log(1e-7), math.log(1e9), 0.03, dtype=torch.float64).exp()
    fewer, enough, inside = torch.zeros(k, len(times), dtype=torch.float64), torch.zeros_like(times), [0.0]
    fewer[0] = 1
    for i, rate in enumerate(q):
        still = (-rate * times).exp()
        enough = enough + fewer[-1] * (1 - still)
        moved = fewer[:-1] * (1 - still)
        fewer *= still
        fewer[1:] += moved
        rest = q[i + 1 :].sum()
        inside.append((0.03 * rest * times * (-rest * times).exp() * enough).sum().item() if rest > 0 else 1.0)
    return inside


PREFIXES = [(30, 3, 1.5), (30, 8, 3.0), (30, 20, 1.5), (150, 4, 0.3), (150, 16, 1.0), (150, 40, 2.5), (400, 5, 1.0), (400, 32, 2.5)]


@pytest.mark.parametrize(("size", "k", "spread"), PREFIXES)
def test_the_optimum_without_replacement_equals_that_of_all_prefixes(size, k, spread):
    for p, q in [
        random_pairs(size, 1, spread)[0],
        (truncated(random_pairs(size, 1, spread)[0][0], size // 2), random_pairs(size, 1, 0.5)[0][1]),
    ]:
        order = (p / q).argsort()
        inside, taken = all_inside(q[order], k), [0.0, *p[order].cumsum(0).tolist()]
        best = 1 + min(a - b for a, b in zip(taken, inside, strict=True))
        assert theory.optimal_acceptance(p, q, k, replacement=False) == pytest.approx(best, abs=5e-7)


@pytest.mark.parametrize("size", [17, 20, 24, 34])
def test_the_optimum_of_three_children_equals_every_triple_written_out(size):
    for spread in (0.05, 1.0, 2.5, 6.0):
        p, q = random_pairs(size, 1, spread)[0]
        order = (p / q).argsort()
        first = q[order]
        second = first[:, None] * first / (1 - first)[:, None]
        third = second[:, :, None] * first / (1 - first[:, None] - first)[:, :, None]
        index = torch.arange(size)
        differ = (index[:, None, None] != index[:, None]) & (index[:, None, None] != index) & (index[:, None] != index)
        third = third.where(differ, 0.0)
        inside = [0.0, *(third[:i, :i, :i].sum().item() for i in range(1, size + 1))]
        best = 1 + min(a - b for a, b in zip([0.0, *p[order].cumsum(0).tolist()], inside, strict=True))
        assert theory.optimal_acceptance(p, q, 3, replacement=False) == pytest.approx(best, abs=4e-8)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_all_children_inside_is_convex_along_the_prefixes(k):
    """What the search between two prefixes rests on."""
    for p, q in [*random_pairs(6, 5), *random_pairs(6, 5, 4.0)]:
        order = (p / q).argsort().tolist()
        drafts = list(sequences(q, k, replacement=False))
        inside = [sum(w for draft, w in drafts if set(draft) <= set(order[:i])) for i in range(7)]
        slopes = [(after - before) / q[token].item() for (before, after), token in zip(itertools.pairwise(inside), order, strict=True)]
        assert all(after >= before - 1e-9 for before, after in itertools.pairwise(slopes))


@pytest.mark.parametrize("size", [6, 50, 300, 4096])
def test_children_of_an_even_draft_are_inside_as_often_as_combinations_are(size):
    """The one prefix that matters if the target wants one token: all others."""
    p, q = torch.eye(size, dtype=torch.float64)[0], torch.full((size,), 1 / size, dtype=torch.float64)
    for k in (1, 2, 3, 16, 64, 256):
        assert theory.optimal_acceptance(p, q, k, replacement=False) == pytest.approx(min(1, k / size), abs=1e-7)


def test_the_optimum_bounds_every_rule_of_its_kind():
    pairs = [*EVERY_PAIR, *SUPPORTS, *random_pairs(50, 3, 2.5), *random_pairs(400, 2, 1.0), *random_pairs(400, 1, 2.5), *HARD.values()]
    for p, q in pairs:
        for k in (1, 2, 4, 16, 64):
            best, free = theory.optimal_acceptance(p, q, k), theory.optimal_acceptance(p, q, k, replacement=False)
            assert 0 <= best <= free + 1e-9
            assert free <= 1
            assert theory.kseq_acceptance(p, q, k) <= best + 1e-9
            assert theory.gsd_acceptance(p, q, k) <= best + 1e-9
            assert theory.race_acceptance(p, q, k) <= free + 3e-4
            assert theory.gsd_acceptance(p, q, k, replacement=False) <= free + 1e-2


def test_a_race_passes_the_limit_of_the_iid_rules():
    passed = [theory.race_acceptance(p, q, 4) - theory.optimal_acceptance(p, q, 4) for p, q in random_pairs(50)]
    assert max(passed) > 0.05


def test_a_draft_that_runs_out_accepts_what_it_can_reach():
    for p, q in [*SUPPORTS, *ADVERSARIAL.values(), HARD["target beyond draft"]]:
        reached = p[q > 0].sum().item()
        for k in (int((q > 0).sum()), 64):
            assert theory.optimal_acceptance(p, q, k, replacement=False) == pytest.approx(reached)
            assert theory.race_acceptance(p, q, k) == pytest.approx(reached)
            assert theory.gsd_acceptance(p, q, k, replacement=False) <= reached + 1e-9


def test_a_few_prefixes_are_evaluated(monkeypatch):
    counted = []
    real = optimum._Prefixes._all_inside
    monkeypatch.setattr(optimum._Prefixes, "_all_inside", lambda self, at: counted.append(at) or real(self, at))
    for p, q in [*random_pairs(4096, 2, 1.0), *random_pairs(4096, 1, 2.5)]:
        for k in (3, 16, 64):
            counted.clear()
            theory.optimal_acceptance(p, q, k, replacement=False)
            assert len(counted) == len(set(counted)) <= 12


@pytest.mark.parametrize("tiny", [5e-324, 1e-310, 1e-200, 1e-100, 1e-30, 1e-16])
@pytest.mark.filterwarnings("error")
def test_tiny_probabilities_give_no_nonsense(tiny):
    pairs = [
        (law(0.5, 0.5, 0, 0), law(1, tiny, 0, 0)),
        (law(0, 0, 0.5, 0.5), law(1, 0, tiny, tiny)),
        (law(0.25, 0.25, 0.25, 0.25), law(0.5, 0.5, tiny, tiny)),
        (law(0.5, 0.5, tiny, tiny), law(0.25, 0.25, 0.25, 0.25)),
        (law(0, 0, 0, 1), law(0.5, 0.5, tiny, tiny)),
        (law(0, 1, tiny, 0), law(tiny, 0, 0, 1)),
    ]
    for p, q in pairs:
        for k in (1, 2, 3, 64):
            best, free = theory.optimal_acceptance(p, q, k), theory.optimal_acceptance(p, q, k, replacement=False)
            rates = (
                theory.race_acceptance(p, q, k),
                theory.gsd_acceptance(p, q, k, replacement=False),
                theory.gsd_acceptance(p, q, k),
                theory.kseq_acceptance(p, q, k),
            )
            assert all(0 <= rate <= free + 1e-6 for rate in rates)
            assert best <= free + 1e-9 <= 1 + 1e-9


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
    "optimum_wor": lambda p, q: theory.optimal_acceptance(p, q, 2, replacement=False),
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
        lambda: theory.optimal_acceptance(p, p, k, replacement=False),
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
