"""The output distribution of every rejection rule, computed: coins and draws integrated out, so no fault is too small to be seen.

Rules with i.i.d. children need no enumeration; without replacement all sequences of children are enumerated, for block verification all
drafted sequences, with distributions that depend on the prefix.
"""

import itertools

import pytest
import torch

from ersd import lab
from ersd.randomness import Noise
from ersd.rules.block import _acceptance, _residual
from ersd.rules.builtin import RULES
from ersd.rules.registry import TRAITS

from ..sequences import chains, random_tables
from ..statistical import ADVERSARIAL, DRAFTING, UNEQUAL, dist, occurs, of_models, random_pairs


def tries_one_by_one():
    """Lossless rules of the registry that try children one by one."""
    p = dist(0.5, 0.5)[None]
    return [name for name in DRAFTING if list(RULES[name].contests(p, p, torch.zeros(1, 1, dtype=torch.int64))) and not TRAITS[name].joint]


def exact_output(rule, p, q, k):
    """The output distribution [vocab] of a rule that tries k children one by one."""
    children, weights = child_sequences(rule, q, k)
    contests = list(rule.contests(p.expand(len(weights), -1), q.expand(len(weights), -1), children))
    output, reached = torch.zeros(len(weights), len(p), dtype=torch.float64), torch.ones(len(weights), 1, dtype=torch.float64)
    for j, (target, draft, scale, _) in enumerate(contests[:-1]):
        ratio = torch.where(draft > 0, rule.ratio(target, scale * draft), 0.0).clamp_max(1)
        if rule.traits.with_replacement:
            taken = draft * ratio
        else:
            taken = torch.zeros_like(draft).scatter(-1, children[:, j : j + 1], ratio.gather(-1, children[:, j : j + 1]))
        output += reached * taken
        reached = reached * (1 - taken.sum(-1, keepdim=True).clamp_max(1))
    return weights @ (output + reached * contests[-1].target)


def child_sequences(rule, q, k):
    """Children [n, k] that cover what the rule may draw, and their probabilities [n]; with replacement the children do not matter."""
    if rule.traits.with_replacement:
        return torch.zeros(1, k, dtype=torch.int64), torch.ones(1, dtype=torch.float64)
    if rule.traits.with_replacement is None:
        return favourites_with_every_wild_card(q, k)
    tokens = (q > 0).nonzero().flatten().tolist()
    sequences = list(itertools.permutations(tokens, min(k, len(tokens))))
    weights = []
    for sequence in sequences:
        left, weight = 1.0, 1.0
        for token in sequence:
            weight, left = weight * q[token].item() / max(left, 1e-300), left - q[token].item()
        weights.append(weight)
    return torch.tensor(sequences), torch.tensor(weights, dtype=torch.float64)


def favourites_with_every_wild_card(q, k):
    """SpecHub's children, written down anew: each token of the rest in turn, then the k - 1 likeliest."""
    order = sorted((token for token in range(len(q)) if q[token] > 0), key=lambda token: (-q[token].item(), token))
    if len(order) <= k:
        return torch.tensor([order]), torch.ones(1, dtype=torch.float64)
    rest = order[k - 1 :]
    return torch.tensor([[token, *order[: k - 1]] for token in rest]), q[rest] / q[rest].sum()


def cases(pair):
    """About 90 pairs of distributions, on most of which the supports differ."""
    found = [*UNEQUAL.values(), *ADVERSARIAL.values(), *of_models(pair).values(), *random_pairs(5, 10)]
    generator = torch.Generator().manual_seed(11)
    for _ in range(60):
        both = (2 * torch.randn(2, 8, generator=generator, dtype=torch.float64)).softmax(-1)
        both = both * (torch.rand(2, 8, generator=generator) < 0.7)
        both[:, 0] += 0.01
        found.append(tuple(both / both.sum(-1, keepdim=True)))
    return found


@pytest.mark.parametrize("algorithm", tries_one_by_one())
def test_the_tries_add_up_to_the_target(algorithm, pair):
    with_replacement = TRAITS[algorithm].with_replacement
    for p, q in cases(pair):
        for k in (1, 2, 3, 4) if with_replacement is False else (1, 2, 5, 16, 64):
            if with_replacement is not False or (q > 0).sum() <= 6:
                assert (exact_output(RULES[algorithm], p, q, k) - p).abs().max() < 1e-9, (p, q, k)


@pytest.mark.parametrize("k", [1, 2, 3, 8])
def test_spechub_drafts_its_favourites_and_every_wild_card_as_often_as_it_should(k):
    for _, q in [*random_pairs(6, 3), *UNEQUAL.values(), *ADVERSARIAL.values()]:
        if len(q.unique()) == len(q):  # among equals the order of the favourites is free
            trials = 20_000
            drawn = RULES["spechub"].draft(q.expand(trials, -1), k, Noise(3, torch.arange(trials)), [0])
            children, weights = favourites_with_every_wild_card(q, k)
            found = [(drawn[:, : children.shape[1]] == each).all(-1) for each in children]
            assert (drawn[:, children.shape[1] :] == -1).all()
            assert sum(each.sum() for each in found) == trials
            assert all(occurs(each, weight.item()) for each, weight in zip(found, weights, strict=True))


def test_one_child_of_spechub_is_standard_speculative_decoding():
    p, q = (torch.stack(side) for side in zip(*random_pairs(7, 400), strict=True))
    for name in ("gsd", "spechub"):
        noise = Noise(2, torch.arange(len(p)))
        children = RULES[name].draft(q, 1, noise, [0])
        found = RULES[name].verify(p, q, children, noise)
        if name == "gsd":
            expected = children, found
    assert torch.equal(children, expected[0])
    assert torch.equal(found.tokens, expected[1].tokens)
    assert torch.equal(found.accepted, expected[1].accepted)


def test_a_lenient_coin_is_off_by_exactly_the_tv_it_pays():
    for p, q in random_pairs(6, 5):
        for leniency in (0.0, 0.4, 1.0):
            rule = type(RULES["lossy"])(leniency)
            off = p + leniency * (q - p).clamp_min(0) - leniency * (p - q).clamp_min(0)
            assert (exact_output(rule, p, q, 1) - off).abs().max() < 1e-12


# --- block verification -----------------------------------------------------------------------------------------------------------------

VOCAB, K = 3, 3


def every_chain(tables):
    """All drafted sequences: p [n, K + 1, vocab], q [n, K, vocab], tokens [n, K] and their draft probabilities [n]."""
    tokens = torch.tensor(list(itertools.product(range(VOCAB), repeat=K)))
    prefix, p, q, weights = torch.zeros(len(tokens), dtype=torch.int64), [tables.p[0].expand(len(tokens), -1)], [], torch.ones(len(tokens))
    for i in range(K):
        q.append(tables.q[i][prefix])
        weights = weights * q[-1].gather(-1, tokens[:, i : i + 1]).squeeze(-1)
        prefix = prefix * VOCAB + tokens[:, i]
        p.append(tables.p[i + 1][prefix])
    return torch.stack(p, 1), torch.stack(q, 1), tokens, weights.double()


def exact_block(tables):
    """The joint distribution [vocab ** (K + 1)] of K + 1 tokens: the kept ones, the target's own, then the target alone."""
    p, q, tokens, weights = every_chain(tables)
    joint, keep = _acceptance(p, q, tokens)
    output = torch.zeros(VOCAB ** (K + 1), dtype=torch.float64)
    for kept in range(K + 1):
        coin = torch.ones_like(weights) if kept == 0 else keep[:, kept - 1]
        chance = weights * coin * (1 - keep[:, kept:]).prod(-1)
        own, _ = _residual(p, q, torch.full_like(tokens[:, 0], kept), joint)
        prefix = torch.zeros_like(tokens[:, 0])
        for i in range(kept):
            prefix = prefix * VOCAB + tokens[:, i]
        reached = torch.zeros(VOCAB ** (kept + 1), dtype=torch.float64)
        for token in range(VOCAB):
            reached.index_add_(0, prefix * VOCAB + token, chance * own[:, token])
        for depth in range(kept + 1, K + 1):
            reached = (reached[:, None] * tables.p[depth]).flatten()
        output += reached
    return output


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_block_follows_the_targets_joint_distribution(seed):
    tables = random_tables(VOCAB, K + 1, seed)
    assert (exact_block(tables) - tables.joint(K + 1)).abs().max() < 1e-12


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_block_keeps_at_least_what_standard_decoding_keeps(seed):
    p, q, tokens, weights = every_chain(random_tables(VOCAB, K + 1, seed))
    _, keep = _acceptance(p, q, tokens)
    passing = 1 - (1 - keep).flip(-1).cumprod(-1).flip(-1)
    ratios = (p[:, :K].gather(-1, tokens[..., None]) / q.gather(-1, tokens[..., None])).squeeze(-1)
    standard = ratios.clamp_max(1).cumprod(-1)
    assert weights @ passing.sum(-1) > weights @ standard.sum(-1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_predicted_acceptance_of_a_block_is_that_over_the_coins(seed):
    """At every token, among the trials that reach it: the sum of the predictions against the number kept."""
    trials = 50_000
    _, _, decisions = chains(RULES["block"], random_tables(VOCAB, K + 1, seed), K, Noise(1, torch.arange(trials)))
    reached = torch.ones(trials, dtype=torch.bool)
    for decision in decisions[:-1]:
        predicted, kept = decision.predicted[reached], (decision.accepted >= 0)[reached].double()
        assert ((predicted >= 0) & (predicted <= 1 + 1e-12)).all()
        deviation = (predicted * (1 - predicted)).sum().clamp_min(0).sqrt()
        assert (kept.sum() - predicted.sum()).abs() < 4.5 * deviation + 1e-6
        reached &= decision.accepted >= 0


def test_a_block_of_equal_distributions_is_kept():
    p = dist(0.2, 0.3, 0.5)
    for k in (1, 3, 8):
        assert (lab.trials("block", p, p, k, 2000)[1] == 1).all()
