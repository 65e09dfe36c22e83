"""Block verification decides about whole sequences, so its law is tested on whole sequences, with laws that depend on the prefix."""

import itertools

import pytest
import torch
from scipy.stats import chisquare

from ersd.distributions import sample
from ersd.randomness import Noise, uniforms
from ersd.rules import RULES

from .laws import FALSE_ALARM

TRIALS, VOCAB, K = 200_000, 3, 3
OTHER = 9
"""A stream no rule uses: for what the target writes behind the block."""


@pytest.fixture(scope="module", params=[1, 2, 3])
def tables(request):
    """P and Q for every prefix of up to K tokens: lists by length of [VOCAB ** length, VOCAB]."""
    generator = torch.Generator().manual_seed(request.param)
    return tuple(
        [(1.3 * torch.randn(VOCAB**length, VOCAB, generator=generator, dtype=torch.float64)).softmax(-1) for length in range(K + 1)]
        for _ in range(2)
    )


def blocks(p, q):
    """Drafted sequences and the block's verdict about them."""
    block, noise = RULES["block"], Noise(1, torch.arange(TRIALS))
    prefix = torch.zeros(TRIALS, dtype=torch.int64)
    targets, drafts, children = [p[0][prefix]], [], []
    for place in range(K):
        drafts.append(q[place][prefix])
        children.append(block.draft(drafts[-1], 1, noise, torch.full((1,), place)))
        prefix = prefix * VOCAB + children[-1].squeeze(-1)
        targets.append(p[place + 1][prefix])
    return block.verify_sequence(torch.stack(targets, 1), torch.stack(drafts, 1), torch.cat(children, 1), noise)


def continued(verdict, p):
    """The first K + 1 tokens [TRIALS, K + 1]: kept, the target's own, and then what the target alone would write."""
    text = torch.cat([verdict.tokens, verdict.own[:, None]], dim=1)
    text = torch.where(torch.arange(K + 1) == verdict.kept[:, None], verdict.own[:, None], text)
    for place in range(1, K + 1):
        prefix = sum(text[:, i] * VOCAB ** (place - 1 - i) for i in range(place))
        fresh = sample(p[place][prefix], uniforms(1, torch.arange(TRIALS), OTHER, place)[:, None]).squeeze(-1)
        text[:, place] = torch.where(verdict.kept < place, fresh, text[:, place])
    return text


def test_the_joint_law_of_block_and_continuation_is_the_targets(tables):
    p, q = tables
    text = continued(blocks(p, q), p)
    law = torch.ones(1, dtype=torch.float64)
    for table in p:
        law = (law[:, None] * table).flatten()
    cells = sum(text[:, i] * VOCAB ** (K - i) for i in range(K + 1))
    counts = torch.bincount(cells, minlength=VOCAB ** (K + 1)).double()
    assert chisquare(counts.numpy(), (law * TRIALS).numpy()).pvalue > FALSE_ALARM


def test_blocks_are_at_least_as_long_as_what_standard_decoding_keeps(tables):
    """The expectation of the standard rule is worked out: the product of the acceptances along the draft."""
    p, q = tables
    expected = 0.0
    for sequence in itertools.product(range(VOCAB), repeat=K):
        prefix, drawn, kept = 0, 1.0, 1.0
        for place, token in enumerate(sequence):
            mine, theirs = p[place][prefix, token].item(), q[place][prefix, token].item()
            drawn, kept = drawn * theirs, kept * min(1.0, mine / theirs)
            prefix = prefix * VOCAB + token
            # each token of the sequence counts once for all continuations of it
            expected += drawn * kept / VOCAB ** (K - 1 - place)
    kept = blocks(p, q).kept.double()
    assert kept.mean() - expected > -4 * kept.std() / TRIALS**0.5
    assert kept.mean() > expected


def test_the_predicted_acceptance_is_that_over_the_coins(tables):
    """At every place, among the trials that come to it: the sum of the predicted chances against the number kept."""
    verdict = blocks(*tables)
    for place in range(K):
        here = verdict.kept >= place
        predicted, kept = verdict.at(place).predicted[here], (verdict.kept > place)[here].double()
        assert ((predicted >= 0) & (predicted <= 1 + 1e-12)).all()
        deviation = (predicted * (1 - predicted)).sum().clamp_min(0).sqrt()
        assert (kept.sum() - predicted.sum()).abs() < 4.5 * deviation + 1e-6
