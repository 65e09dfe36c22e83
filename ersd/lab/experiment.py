"""An experiment of the lab: many trials counted, with what theory says about them, as plain numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import Rule
from ..rules.builtin import RULES
from ..rules.registry import TRAITS
from ..theory import checks, optimal_acceptance, sequence_limit
from ..theory.checks import Distribution
from ..trace.statistics import chance_range
from .check import chi_square
from .results import Counts, Curve, Experiment, Share
from .simulation import Outcome, rule_of, run

COMPARED = ("ersd", "gsd_wor", "kseq", "gsd")
"""Rules whose acceptance is compared against the number of guesses, beside that of the chosen one."""
MAX_SINGLE_TRIALS = 200
"""Trials whose outcomes are kept one by one."""
NOT_BY_CHANCE = 1e-4
"""Below this p-value the counts are said to deviate."""
SAMPLES = 400
"""Samples that show what chance alone gives."""
RANKS = 6
"""Ranks of a race's winner that are counted, beyond the guesses too."""
CURVE_TRIALS = 5_000
"""Trials behind each point of a curve that has no formula."""
CLEAR_ERRORS = 3.0
"""From this many standard errors on an acceptance is said to be off."""
FORMULA_ERROR = 2e-3
"""Error of the formulas that are summed numerically, and of rounded curves."""


@isolated
def experiment(rule: Rule, p: Sequence[float], q: Sequence[float], k: int, trials: int, seed: int, most: int) -> Experiment:
    """Run `trials` trials of a rule, right or broken, and compare them with the theory of the right one.

    Args:
        p, q: probabilities of the same tokens; ValueError naming the one that is not a distribution.
        k: guesses.
        most: guesses up to which the curves go.
    """
    outcome = run(rule, p, q, k, trials, seed)
    exact = RULES[rule.name] if rule.traits.lossless else rule
    curves = _curves(rule.name, tuple(p), tuple(q), most)
    limits = next((curve.values for curve in curves if curve.name == "limit"), None)
    has_formula = rule.traits.drafts and rule.traits.uses_sampling and not rule.traits.joint
    known = acceptances(exact, p, q, k) if has_formula else None
    theory, limit = known[-1] if known else None, limits[k - 1] if limits else None
    counts, usual = _counts(rule, p, outcome), theory
    if rule.traits.joint:
        usual = next(curve.values for curve in curves if curve.name == rule.name)[k - 1]
    return Experiment(
        counts=counts,
        shares=_shares(rule, exact, p, q, k, outcome, seed),
        theory=theory,
        chance=None if theory is None else chance_range(theory, trials),
        usual=usual,
        deviates=_side(counts, usual, 1 + trials / CURVE_TRIALS if rule.traits.joint else 1.0),
        curves=curves,
        limit=limit,
        is_too_good=_side(counts, limit) > 0,
    )


@isolated
def acceptances(rule: Rule, p: Distribution, q: Distribution, most: int) -> list[float] | None:
    """Acceptance probability with 1, 2, …, `most` guesses from q; None for rules without a formula."""
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    found = [rule.acceptance(target, draft, k) for k in range(1, checks.count(most, "most") + 1)]
    known = [each for each in found if each is not None]
    return known if len(known) == len(found) else None


@isolated
def by_guess(rule: Rule, p: Distribution, q: Distribution, k: int) -> list[float] | None:
    """`Rule.acceptance_by_try` for any two distributions; ValueError naming the one that is none."""
    target, draft = (torch.as_tensor(each, dtype=torch.float64) for each in checks.pair(p, q))
    return rule.acceptance_by_try(target, draft, checks.count(k))


def _side(counts: Counts, expected: float | None, variances: float = 1.0) -> int:
    """Whether the acceptance is clearly above (1) or below (-1) what is expected. `variances`: of both numbers, over that of the first."""
    if expected is None or counts.error is None:
        return 0
    off = counts.accepted - expected
    clear = abs(off) > CLEAR_ERRORS * counts.error * math.sqrt(variances) + FORMULA_ERROR
    return (off > 0) - (off < 0) if clear else 0


@isolated
def clocks_of(rule: Rule, seed: int, trial: int, count: int) -> list[float] | None:
    """The clocks of all tokens in one trial; None for rules without."""
    found = rule.clocks(torch.zeros(1, count, dtype=torch.float64), Noise(seed, trial))
    return None if found is None else found[0].tolist()


def _counts(rule: Rule, p: Sequence[float], outcome: Outcome) -> Counts:
    trials, accepted = len(outcome.tokens), outcome.ranks > 0
    kept, own = (torch.bincount(outcome.tokens[of], minlength=len(p)) for of in (accepted, ~accepted))
    wanted, total = _wanted(rule, p), (kept + own).double()
    is_off = trials > 1 and chi_square([(total, wanted)]) < NOT_BY_CHANCE
    errors = (wanted * (1 - wanted) / trials).sqrt().clamp_min(1 / trials)
    lengths = (outcome.lengths if rule.traits.joint else accepted).double()
    return Counts(
        trials=trials,
        tokens=outcome.tokens[:MAX_SINGLE_TRIALS].tolist(),
        ranks=outcome.ranks[:MAX_SINGLE_TRIALS].tolist(),
        kept=kept.tolist(),
        own=own.tolist(),
        wanted=wanted.tolist(),
        tv=(total / trials - wanted).abs().sum().item() / 2,
        chance=_chance(tuple(wanted.tolist()), trials),
        is_off=is_off,
        off=((total / trials - wanted) / errors).tolist() if is_off else [0.0] * len(p),
        accepted=lengths.mean().item(),
        error=lengths.std().item() / math.sqrt(trials) if trials > 1 else None,
    )


def _wanted(rule: Rule, p: Sequence[float]) -> Tensor:
    target = torch.tensor(p, dtype=torch.float64)
    return target if rule.traits.uses_sampling else torch.zeros_like(target).scatter(-1, target.argmax(), 1.0)


@lru_cache(256)
def _chance(wanted: tuple[float, ...], trials: int) -> tuple[float, float]:
    """The TV that the middle 95% of exact samples have."""
    exact = np.array(wanted) / sum(wanted)
    samples = np.random.default_rng(0).multinomial(trials, exact, SAMPLES) / trials
    low, high = np.quantile(np.abs(samples - exact).sum(-1) / 2, (0.025, 0.975))
    return float(low), float(high)


def _shares(rule: Rule, exact: Rule, p: Sequence[float], q: Sequence[float], k: int, outcome: Outcome, seed: int) -> list[Share]:
    traits, trials = rule.traits, len(outcome.tokens)
    if traits.joint:
        found = (torch.bincount(outcome.lengths, minlength=k + 1).double() / trials).tolist()
        return [Share(length, share, None, None, length > 0) for length, share in enumerate(found)]
    if not traits.drafts or not traits.uses_sampling:
        return []

    def share(number: int, measured: float, theory: float, is_accepted: bool = True) -> Share:
        return Share(number, measured, theory, chance_range(theory, trials), is_accepted)

    guesses = min(k, traits.most_children or k)
    if traits.ordered and rule is exact:  # a race: the winner's rank in the whole of the draft's race
        ranks = run(exact, p, q, len(p), trials, seed).ranks
        expected = by_guess(exact, p, q, min(len(p), RANKS)) or []
        return [share(rank, _mean(ranks == rank), theory, rank <= guesses) for rank, theory in enumerate(expected, 1)]
    expected = by_guess(exact, p, q, guesses) or []
    accepted = [share(number, _mean(outcome.ranks == number), theory) for number, theory in enumerate(expected, 1)]
    return [*accepted, share(0, _mean(outcome.ranks < 0), 1 - sum(expected), False)]


def _mean(events: Tensor) -> float:
    return events.double().mean().item()


@lru_cache(64)
def _curves(name: str, p: tuple[float, ...], q: tuple[float, ...], most: int) -> list[Curve]:
    traits, numbers = TRAITS[name], range(1, most + 1)
    if traits.joint:
        means = [_mean(run(rule_of(name), p, q, number, CURVE_TRIALS, 0).lengths) for number in numbers]
        return [Curve(name, means), Curve("limit", [sequence_limit(p, q, number) for number in numbers])]
    has_curve = traits.drafts and traits.lossless and traits.uses_sampling and not traits.from_leaves
    if not has_curve or acceptances(rule_of(name), p, q, most) is None:
        return []
    curves = [Curve(each, acceptances(rule_of(each), p, q, most) or []) for each in dict.fromkeys((*COMPARED, name))]
    if traits.with_replacement is None:
        return curves  # the limits are for children that are drawn at random
    limit = [optimal_acceptance(p, q, number, bool(traits.with_replacement)) for number in numbers]
    return [*curves, Curve("limit", limit)]
