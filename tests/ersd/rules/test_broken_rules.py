"""Deliberately broken rules, streams, clocks and caches: the tests of the output distribution must catch every one of them.

Each fault replaces a method. Rejection rules and block verification are judged by their computed output (`test_exact_output.py`), so the
smallest fault shows; what is random to the core (clocks, streams) by sampling; the caches by ERSD's invariance. Faults of the engine
around the rules are in `test_engine_output.py`, one wrong decision in ten for any rule in `test_joint_output.py`.
"""

import contextlib

import pytest
import torch

import ersd
from ersd import lab, theory
from ersd.models.pair import make_pair
from ersd.randomness import COIN, DRAW, Noise, uniforms
from ersd.rules import block, gsd, gsd_wor, kseq, spechub
from ersd.rules.builtin import RULES

from ..sequences import joint_pvalue, random_tables, rotated_tables, stages, written
from ..statistical import FALSE_ALARM, dist, follows, occurs, random_pairs, tokens_of
from ..tiny import letters, llama
from .test_exact_output import VOCAB, K, exact_block, exact_output

PAIRS = random_pairs(5, 6)


def output_is_the_targets(algorithm, k=3):
    return all((exact_output(RULES[algorithm], p, q, k) - p).abs().max() < 1e-9 for p, q in PAIRS)


# --- rejection rules, exactly -----------------------------------------------------------------------------------------------------------


def contests_of(algorithm, change):
    """Contests with one thing changed: `change(number, k, contest, p)`."""
    real = RULES[algorithm].contests

    def contests(p, q, children):
        for number, contest in enumerate(real(p, q, children)):
            yield change(number, children.shape[-1], contest, p)

    return contests


REJECTION_RULES = ("gsd", "gsd_wor", "kseq", "spechub")
RATIO_FAULTS = {
    "inverted": lambda p, q: q / p,
    "of the whole target, squared": lambda p, q: (p / q) ** 2,
    "a tenth too large": lambda p, q: 1.1 * p / q,
    "a thousandth too small": lambda p, q: 0.999 * p / q,
    "always accepts": lambda p, q: torch.ones_like(p),
}
CONTEST_FAULTS = {
    "first try against a larger draft": lambda i, k, one, p: one._replace(scale=1.1 * one.scale) if i == 0 else one,
    "second try against a smaller draft": lambda i, k, one, p: one._replace(scale=one.scale / 1.1) if i == 1 < k else one,
    "a tenth of P in the residual": lambda i, k, one, p: one._replace(target=0.9 * one.target + 0.1 * p) if i == k else one,
    "residual forgotten in the end": lambda i, k, one, p: one._replace(target=p) if i == k else one,
}
RESIDUAL_FAULTS = {
    "forgotten": lambda p, q: p,
    "absolute difference": lambda p, q: (p - q).abs() / (p - q).abs().sum(-1, keepdim=True),
    "of nine tenths of the draft": lambda p, q, right=gsd.residual: right(p, 0.9 * q)[0],
    "not renormalised": lambda p, q: (p - q).clamp_min(0),
}


def wrong_residual(fault, right=gsd.residual):
    """A fault of `RESIDUAL_FAULTS` with the right share."""
    return lambda p, q: (RESIDUAL_FAULTS[fault](p, q), right(p, q)[1])


@pytest.mark.parametrize("algorithm", REJECTION_RULES)
def test_the_rules_as_they_are_pass(algorithm):
    assert output_is_the_targets(algorithm)


@pytest.mark.parametrize("fault", RATIO_FAULTS)
@pytest.mark.parametrize("algorithm", REJECTION_RULES)
def test_a_wrong_ratio_is_caught(algorithm, fault, monkeypatch):
    monkeypatch.setattr(RULES[algorithm], "ratio", RATIO_FAULTS[fault], raising=False)
    assert not output_is_the_targets(algorithm)


@pytest.mark.parametrize("fault", CONTEST_FAULTS)
@pytest.mark.parametrize("algorithm", REJECTION_RULES)
def test_a_wrong_comparison_is_caught(algorithm, fault, monkeypatch):
    monkeypatch.setattr(RULES[algorithm], "contests", contests_of(algorithm, CONTEST_FAULTS[fault]), raising=False)
    assert not output_is_the_targets(algorithm)


# what K-SEQ subtracts is never more than P: there the absolute difference is no fault
@pytest.mark.parametrize(
    ("module", "fault"),
    [
        (module, fault)
        for module in (gsd, gsd_wor, kseq, spechub)
        for fault in RESIDUAL_FAULTS
        if (module, fault) != (kseq, "absolute difference")
    ],
)
def test_a_wrong_residual_is_caught(module, fault, monkeypatch):
    monkeypatch.setattr(module, "residual", wrong_residual(fault))
    assert not output_is_the_targets(module.__name__.rsplit(".", 1)[-1])


def test_trying_without_replacement_against_the_whole_draft_is_caught(monkeypatch):
    monkeypatch.setattr(type(RULES["gsd_wor"]), "contests", type(RULES["gsd"]).contests)
    assert not output_is_the_targets("gsd_wor")


def test_a_draft_that_is_not_renormalised_without_the_drawn_children_is_caught(monkeypatch):
    monkeypatch.setattr(gsd_wor, "without", lambda q, drawn: q.scatter(-1, drawn, 0.0))
    assert not output_is_the_targets("gsd_wor")


def test_a_wild_card_tried_against_the_whole_draft_is_caught(monkeypatch):
    """It was drawn from the rest, where it is likelier. Trees that take its place in the budget by q make this mistake."""
    monkeypatch.setattr(spechub, "without", lambda q, favourites: q)
    assert not output_is_the_targets("spechub")


def test_favourites_tried_as_if_they_had_been_drawn_are_caught(monkeypatch):
    def as_drawn(number, k, contest, p):
        return contest._replace(draft=contest.draft.clamp_max(0.5)) if 0 < number < k else contest

    monkeypatch.setattr(RULES["spechub"], "contests", contests_of("spechub", as_drawn), raising=False)
    assert not output_is_the_targets("spechub")


def test_a_scale_of_kseq_a_tenth_too_small_is_caught(monkeypatch):
    """A larger one is exact, and only accepts less."""
    monkeypatch.setattr(kseq, "rho_star", lambda p, q, k, real=kseq.rho_star: real(p, q, k) / 1.1)
    assert not output_is_the_targets("kseq")


def test_kseq_with_the_residual_of_another_rule_is_caught(monkeypatch):
    def of_gsd(number, k, contest, p):
        return contest._replace(target=gsd.residual(p, contest.draft)[0]) if number == k else contest

    monkeypatch.setattr(RULES["kseq"], "contests", contests_of("kseq", of_gsd), raising=False)
    assert not output_is_the_targets("kseq")


@pytest.mark.parametrize("algorithm", REJECTION_RULES)
def test_an_inclusive_coin_is_caught(algorithm, monkeypatch):
    """`coin <= ratio` accepts a token of probability 0 when the coin is 0."""
    p, q = dist(1.0, 0.0), dist(0.5, 0.5)
    monkeypatch.setattr(Noise, "coins", lambda self, count: torch.zeros(1, count, dtype=torch.float64))
    assert follows(lab.trials(algorithm, p, q, 1, 1000, seed=7)[0], p)
    monkeypatch.setattr(torch.Tensor, "__lt__", torch.Tensor.__le__)
    assert not follows(lab.trials(algorithm, p, q, 1, 1000, seed=7)[0], p)


# --- block verification, exactly --------------------------------------------------------------------------------------------------------


def block_is_exact():
    tables = random_tables(VOCAB, K + 1, seed=1)
    return bool((exact_block(tables) - tables.joint(K + 1)).abs().max() < 1e-9)


def acceptance_changed(change):
    def acceptance(p, q, children, real=block._acceptance):
        return change(p, q, children, *real(p, q, children))

    return acceptance


BLOCK_FAULTS = {
    "keep is the joint acceptance": lambda p, q, children, joint, keep: (joint, joint),
    "keep a tenth too small at the first token": lambda p, q, children, joint, keep: (joint, keep * torch.tensor([0.9, 1.0, 1.0])),
    "joint acceptance is not capped at 1": lambda p, q, children, joint, keep: (
        (p[:, :-1].gather(-1, children[..., None]) / q.gather(-1, children[..., None])).squeeze(-1).cumprod(-1),
        keep,
    ),
    "joint acceptance capped at 0.9": lambda p, q, children, joint, keep: (joint.clamp_max(0.9), keep),
    "joint acceptance forgotten": lambda p, q, children, joint, keep: (torch.ones_like(joint), keep),
}


def test_the_block_as_it_is_passes():
    assert block_is_exact()


@pytest.mark.parametrize("fault", BLOCK_FAULTS)
def test_a_wrong_joint_acceptance_is_caught(fault, monkeypatch):
    monkeypatch.setattr("ersd.rules.block._acceptance", acceptance_changed(BLOCK_FAULTS[fault]))
    monkeypatch.setattr("tests.ersd.rules.test_exact_output._acceptance", acceptance_changed(BLOCK_FAULTS[fault]))
    assert not block_is_exact()


@pytest.mark.parametrize("fault", ["forgotten", "of nine tenths of the draft", "absolute difference"])
def test_a_wrong_residual_of_a_block_is_caught(fault, monkeypatch):
    monkeypatch.setattr(block, "residual", wrong_residual(fault))
    assert not block_is_exact()


def test_a_block_cut_at_its_first_failing_coin_is_caught(monkeypatch):
    """What standard decoding does with its coins is wrong for a block: the last coin that passes decides, not the first that fails."""

    class First(torch.Tensor):
        """Coins whose comparison forgets everything after the first failure."""

        def __lt__(self, keep):
            return torch.Tensor.__lt__(self.as_subclass(torch.Tensor), keep).long().cumprod(-1).bool()

    real = Noise.coins
    monkeypatch.setattr(Noise, "coins", lambda self, count: real(self, count).as_subclass(First))
    assert not joint_output_is_the_targets("block")


# --- draws, streams and clocks, by sampling ---------------------------------------------------------------------------------------------


def joint_output_is_the_targets(algorithm, tables_of=rotated_tables):
    branching = (1, 1, 1) if RULES[algorithm].traits.most_children == 1 else (2, 2)
    tables = tables_of(len(branching) + 1)
    return joint_pvalue(tables, written(tables, stages(RULES[algorithm], tables, branching, 100_000))) > FALSE_ALARM


DRAWN = (*REJECTION_RULES, "block")


@pytest.mark.parametrize("algorithm", DRAWN)
def test_children_of_which_a_tenth_come_from_another_distribution_are_caught(algorithm, monkeypatch):
    rule, real = RULES[algorithm], RULES[algorithm].draft
    monkeypatch.setattr(rule, "draft", lambda q, k, noise, slots: real(0.9 * q + 0.1 * q.roll(1, -1), k, noise, slots), raising=False)
    assert not joint_output_is_the_targets(algorithm)


STREAM_FAULTS = {
    "coins are the numbers of the draws": ("coins", lambda self, count: uniforms(self.seed, self._column(), DRAW, torch.arange(count))),
    "the residual's number is the first coin": ("residual", lambda self: uniforms(self.seed, self.position, COIN, 0).view(-1)),
    "one coin for all tries": (
        "coins",
        lambda self, count: uniforms(self.seed, self._column(), COIN, torch.zeros(count, dtype=torch.int64)),
    ),
    "coins do not depend on the position": (
        "coins",
        lambda self, count: uniforms(self.seed, 0, COIN, torch.arange(count)).expand(len(self.position), -1),
    ),
}


@pytest.mark.parametrize("fault", STREAM_FAULTS)
def test_streams_that_are_not_independent_are_caught(fault, monkeypatch):
    """On tables with one token in the last residual, and on others with several: a fault need not show in both."""

    def is_exact():
        return all(joint_output_is_the_targets("gsd", each) for each in (rotated_tables, lambda length: random_tables(6, length, seed=1)))

    assert is_exact()
    monkeypatch.setattr(Noise, *STREAM_FAULTS[fault])
    assert not is_exact()


CLOCK_FAULTS = {
    "too regular": lambda clocks: clocks**0.9,
    "too irregular": lambda clocks: clocks**1.1,
    "uniform, not exponential": lambda clocks: 1 - (-clocks).exp(),
    "the same at every position": lambda clocks: clocks[:1].expand(len(clocks), -1),
}


@pytest.mark.parametrize("fault", CLOCK_FAULTS)
@pytest.mark.parametrize("algorithm", ["ersd", "autoregressive", "half_race"])
def test_clocks_that_are_not_exponential_and_independent_are_caught(algorithm, fault, monkeypatch):
    real = Noise.clocks
    monkeypatch.setattr(Noise, "clocks", lambda self, like: CLOCK_FAULTS[fault](real(self, like)))
    assert not joint_output_is_the_targets(algorithm)


@pytest.mark.parametrize("algorithm", ["ersd", "half_race"])
@pytest.mark.parametrize("off", [0.9, 1.1])
def test_a_race_that_favours_what_was_drafted_is_caught(algorithm, off, monkeypatch):
    """The target's arrival of every child a tenth earlier or later."""
    rule = RULES[algorithm]

    def verify(p, q, children, noise):
        return type(rule).verify(rule, p.scatter(-1, children, p.gather(-1, children) / off), q, children, noise)

    assert joint_output_is_the_targets(algorithm)
    monkeypatch.setattr(rule, "verify", verify, raising=False)
    assert not joint_output_is_the_targets(algorithm)


def test_a_race_with_other_clocks_for_the_target_still_follows_it_but_accepts_less():
    rule, trials, p, q = RULES["ersd"], torch.arange(100_000), dist(0.7, 0.2, 0.1), dist(0.2, 0.3, 0.5)
    children = rule.draft(q.expand(len(trials), -1), 1, Noise(4, trials), [0])
    decision = rule.verify(p.expand(len(trials), -1), q.expand(len(trials), -1), children, Noise(5, trials))
    assert follows(decision.tokens, p)
    assert not occurs(decision.accepted >= 0, theory.race_match(p, q))


# --- caches, by invariance --------------------------------------------------------------------------------------------------------------

COMMIT_FAULTS = {
    "the first entries instead of the path's": lambda entries: range(len(entries)),
    "the last accepted token is missing": lambda entries: entries[: max(1, len(entries) - 1)],
    "the root is missing": lambda entries: entries[1:],
}


@pytest.mark.parametrize("fault", COMMIT_FAULTS)
@pytest.mark.parametrize("family", [(), ("llama",)])
def test_a_wrong_commit_is_caught_by_the_invariance(family, fault, monkeypatch):
    """Through transformers, and through the Llama decoder."""
    monkeypatch.setattr("ersd.models.llama.FAMILY", family)
    pair = make_pair(llama(26, seed=1), llama(26, seed=2), letters(26))
    settings = ersd.Settings("ersd", "specinfer", branching=(4, 3, 2), seed=4, max_new_tokens=40)
    expected = tokens_of(pair, "abcd", ersd.Settings("autoregressive", seed=4, max_new_tokens=40))
    assert tokens_of(pair, "abcd", settings) == expected
    kind = type(pair.open_target())
    monkeypatch.setattr(kind, "commit", lambda self, entries, real=kind.commit: real(self, list(COMMIT_FAULTS[fault](list(entries)))))
    with contextlib.suppress(RuntimeError, IndexError, ValueError):  # positions that no longer fit are caught too
        assert tokens_of(pair, "abcd", settings) != expected
