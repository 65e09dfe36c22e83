"""Is a rule exact? A statistical check for any rule, also one that is not registered.

    print(ersd.lab.check(MyRule()))

Two tokens are generated from small tables of probabilities, as the engine would. The first must follow the target, as often as the rule's
formula says it must be an accepted guess, and the second must follow the target whatever the first was and however it was chosen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ..isolation import isolated
from ..randomness import Noise
from ..rules.base import Rule
from ..rules.joint import JointRule
from ..theory import optimal_acceptance
from .simulation import decide, draft, rule_of

VOCAB = 5
MIN_EXPECTED = 5.0
"""Cells that expect fewer counts are pooled, so that the chi-square approximation holds."""


@dataclass(frozen=True)
class Finding:
    """One comparison."""

    case: str
    """the tables it was made on"""
    what: str
    """`output`, `acceptance` or `what follows`"""
    pvalue: float
    """probability of a deviation this large by chance, if the rule is exact"""
    passed: bool
    words: str
    """the numbers that were compared"""


@dataclass(frozen=True)
class Report:
    """What a check found; as a string it can be read."""

    rule: str
    k: int
    trials: int
    false_alarm: float
    """probability that an exact rule fails anywhere in this report"""
    findings: list[Finding]

    @property
    def passed(self) -> bool:
        """No comparison failed."""
        return all(finding.passed for finding in self.findings)

    def __str__(self) -> str:
        failed = sum(not finding.passed for finding in self.findings)
        verdict = "no deviation found" if self.passed else f"NOT exact: {failed} of {len(self.findings)} comparisons failed"
        head = f"{self.rule} with {self.k} guesses, {self.trials:,} trials a case: {verdict}"
        lines = [f"{'✓' if one.passed else '✕'} {one.case:<14}{one.what:<14}{one.words}" for one in self.findings]
        return "\n".join([head, *lines, f"(an exact rule fails this check with probability {self.false_alarm:g})"])


@dataclass(frozen=True)
class _Tables:
    """Probabilities of two tokens."""

    p: Tensor
    """[vocab], the target's first"""
    q: Tensor
    next_p: Tensor
    """[vocab, vocab], the target's second after each first"""
    next_q: Tensor


@isolated
def check(rule: Rule | str, k: int = 3, trials: int = 20_000, seed: int = 0, false_alarm: float = 1e-6) -> Report:
    """Check that a rule's output follows the target, at its first token and at the one that follows.

    Args:
        rule: a rule, or a name of `ALGORITHMS`.
        k: guesses at each node, or the length of a sequence for rules that decide about one; at least 2 to see all mistakes.
        trials: per case; deviations of about 3 / sqrt(trials) are found.
        seed: of all randomness.
        false_alarm: probability that an exact rule fails anywhere.
    """
    subject = rule_of(rule) if isinstance(rule, str) else rule
    findings = []
    cases = _cases()
    limit = false_alarm / (4 * len(cases))
    for case, tables in cases.items():
        if not subject.traits.uses_sampling:
            tables = replace(tables, p=_likeliest(tables.p), next_p=_likeliest(tables.next_p))
        first, accepted, lengths, second = _two_tokens(subject, tables, k, seed, trials)
        findings.append(_output(case, first, tables.p, limit))
        findings += _acceptance(case, subject, tables, k, accepted, lengths, limit)
        findings.append(_what_follows(case, first, accepted, second, tables.next_p, limit))
    return Report(subject.name, k, trials, false_alarm, findings)


def _cases() -> dict[str, _Tables]:
    generator = torch.Generator().manual_seed(3)

    def table(*size: int) -> Tensor:
        return (1.5 * torch.randn(*size, generator=generator, dtype=torch.float64)).softmax(-1)

    def tables(p: Tensor, q: Tensor) -> _Tables:
        return _Tables(p, q, table(VOCAB, VOCAB), table(VOCAB, VOCAB))

    def given(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    return {
        "random": tables(table(VOCAB), table(VOCAB)),
        "close": tables(given(0.3, 0.3, 0.2, 0.1, 0.1), given(0.25, 0.35, 0.15, 0.15, 0.1)),
        "confident": tables(given(0.9, 0.04, 0.03, 0.02, 0.01), given(0.6, 0.1, 0.1, 0.1, 0.1)),
        "impossible": tables(given(0.0, 0.5, 0.3, 0.2, 0.0), given(0.4, 0.3, 0.0, 0.1, 0.2)),
    }


def _likeliest(p: Tensor) -> Tensor:
    """All probability on the likeliest token: what a rule without sampling must give."""
    return torch.zeros_like(p).scatter_(-1, p.argmax(-1, keepdim=True), 1.0)


def _two_tokens(rule: Rule, tables: _Tables, k: int, seed: int, trials: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """First tokens [trials], whether they were accepted guesses, accepted guesses up to the second token, second tokens."""
    positions = 2 * torch.arange(trials)
    p, q = tables.p.expand(trials, -1), tables.q.expand(trials, -1)
    if not isinstance(rule, JointRule):
        one = decide(rule, p, q, k, seed, positions)
        two = decide(rule, tables.next_p[one.tokens], tables.next_q[one.tokens], k, seed, positions + 1)
        return one.tokens, one.ranks > 0, one.lengths, two.tokens
    noise, target = Noise(seed, positions), [p]
    chain: list[Tensor] = []
    drafted_from: list[Tensor] = []
    for level in range(k):
        q = q if level == 0 else tables.next_q[chain[-1]]
        chain.append(rule.draft(q, 1, noise, [level]).squeeze(-1))
        drafted_from.append(q)
        target.append(tables.next_p[chain[-1]])
    decisions = rule.verify_chain(torch.stack(target, 1), torch.stack(drafted_from, 1), torch.stack(chain, 1), noise)
    first, is_accepted = decisions[0].tokens, decisions[0].accepted >= 0
    # where the first guess was rejected, the second token is the first of the next step
    again = decide(rule, tables.next_p[first], tables.next_q[first], k, seed, positions + 1).tokens
    lengths = is_accepted.long() + (is_accepted & (decisions[1].accepted >= 0))
    return first, is_accepted, lengths, torch.where(is_accepted, decisions[1].tokens, again)


def _output(case: str, tokens: Tensor, p: Tensor, limit: float) -> Finding:
    counts = torch.bincount(tokens, minlength=len(p)).double()
    pvalue = chi_square([(counts, p)])
    distance = (counts / len(tokens) - p).abs().sum().item() / 2
    return Finding(case, "output", pvalue, pvalue > limit, f"TV from the target {distance:.4f} (p = {pvalue:.2g})")


def _acceptance(case: str, rule: Rule, tables: _Tables, k: int, accepted: Tensor, lengths: Tensor, limit: float) -> list[Finding]:
    """Acceptance as its formula says, or at least not above what any exact rule could reach."""
    if not rule.traits.drafts:
        return []
    if rule.traits.joint:
        both = tables.p.unsqueeze(-1) * tables.next_p, tables.q.unsqueeze(-1) * tables.next_q
        most = torch.minimum(tables.p, tables.q).sum() + torch.minimum(*both).sum()
        return [_mean(case, "accepted of two", lengths.double(), most.item(), True, limit)]
    expected = rule.acceptance(tables.p, tables.q, k)
    if expected is not None:
        return [_mean(case, "accepted", accepted.double(), expected, False, limit)]
    if rule.traits.with_replacement is None:
        return []
    children = draft(rule, tables.q.unsqueeze(0), k, Noise(0, torch.zeros(1, dtype=torch.int64))).shape[-1]
    most_possible = optimal_acceptance(tables.p, tables.q, children, rule.traits.with_replacement)
    return [_mean(case, "accepted", accepted.double(), most_possible, True, limit)]


def _mean(case: str, name: str, values: Tensor, expected: float, is_limit: bool, limit: float) -> Finding:
    """A mean against its expectation, or against the most it can be; 2e-3 is the error of the race's formula."""
    mean = values.mean().item()
    error = max(values.std().item(), 1e-3) / math.sqrt(len(values))
    off = mean - expected if is_limit else abs(mean - expected)
    pvalue = math.erfc(max(0.0, off - 2e-3) / error / math.sqrt(2))
    words = f"{name} {mean:.3f}, {'at most' if is_limit else 'theory'} {expected:.3f} (p = {pvalue:.2g})"
    return Finding(case, "acceptance", pvalue, pvalue > limit, words)


def _what_follows(case: str, first: Tensor, accepted: Tensor, second: Tensor, next_p: Tensor, limit: float) -> Finding:
    """The second token must not depend on whether the first was a guess."""
    groups = []
    for token in range(len(next_p)):
        for is_accepted in (True, False):
            chosen = second[(first == token) & (accepted == is_accepted)]
            groups.append((torch.bincount(chosen, minlength=len(next_p)).double(), next_p[token]))
    pvalue = chi_square(groups)
    return Finding(case, "what follows", pvalue, pvalue > limit, f"the second token given the first (p = {pvalue:.2g})")


def chi_square(groups: list[tuple[Tensor, Tensor]]) -> float:
    """P-value of several counts [vocab] with their distributions together; 0 where a token of probability 0 occurs."""
    statistic, freedom = 0.0, 0
    for counts, p in groups:
        if counts[p == 0].any():
            return 0.0
        expected = p * counts.sum()
        rare = expected < MIN_EXPECTED
        seen = torch.cat([counts[~rare], counts[rare].sum()[None]])
        wanted = torch.cat([expected[~rare], expected[rare].sum()[None]])
        kept = wanted > 0
        if kept.sum() > 1:
            statistic += ((seen[kept] - wanted[kept]) ** 2 / wanted[kept]).sum().item()
            freedom += int(kept.sum()) - 1
    if not freedom:
        return 1.0
    return torch.special.gammaincc(torch.tensor(freedom / 2, dtype=torch.float64), torch.tensor(statistic / 2, dtype=torch.float64)).item()
