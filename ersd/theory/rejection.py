"""What the rejection rules accept, and the most that any rule with i.i.d. children can."""

from __future__ import annotations

import itertools
import math

import torch
from torch import Tensor

from ..randomness import DRAW, uniforms
from . import checks
from .checks import Law

ENUMERATED = 20_000
"""Without replacement: up to so many sequences of rejected tokens are enumerated."""
CHAINS = 256
"""Beyond that, so many are sampled, always the same ones for the same arguments."""


def gsd_acceptance(p: Law, q: Law, k: int, replacement: bool = True) -> float:
    """Acceptance probability of recursive rejection with k children (arXiv 2305.09781; without replacement 2401.06706, 2402.14160).

    What is left of P after rejections is always (P - c Q)+ over its sum N(c), with a number c that grows from 0 by N(c) / (1 - m), where
    m is the draft probability of the tokens removed so far (0 with replacement). A try is rejected with probability N(c') / N(c). With
    replacement the product of these is N(c) after k steps. Without, m depends on which tokens were rejected: exact for k <= 2 and as long
    as there are at most 20,000 sequences of rejected tokens, otherwise the mean over 256 sampled ones (standard error about 0.002).

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
        replacement: children drawn i.i.d. from Q, or each from Q without the earlier ones.
    """
    target, draft = checks.pair(p, q)
    checks.count(k)
    if not replacement and k > 1:
        return 1 - _rejected_without_replacement(target, draft, k)
    c = 0.0
    for _ in range(k):
        c += (target - c * draft).clamp_min(0).sum().item()
    return 1 - min(1.0, (target - c * draft).clamp_min(0).sum().item())


class _Left:
    """N(c) = sum (P - c Q)+ for many c at once, from prefix sums over the tokens by rising p/q."""

    def __init__(self, p: Tensor, q: Tensor) -> None:
        self.ratio, order = torch.where(q > 0, p / q.where(q > 0, 1.0), torch.inf).sort()
        self.q = q[order]
        self.p = p[order]
        zero = torch.zeros(1, dtype=torch.float64)
        self.below_q = torch.cat([zero, self.q.cumsum(0)])
        self.below_p = torch.cat([zero, self.p.cumsum(0)])
        self.unreachable = p[q == 0].sum()  # never drafted, so never used up

    def __call__(self, c: Tensor) -> Tensor:
        at = torch.searchsorted(self.ratio, c)
        left = (self.below_p[-1] - self.below_p[at]) - c * (self.below_q[-1] - self.below_q[at])
        return torch.maximum(left, self.unreachable)

    def rejected(self, at: Tensor, c: Tensor, scale: Tensor, left: Tensor) -> Tensor:
        """Probability to draw and reject the token `at`, where Q is scaled by 1 / (1 - m)."""
        share = (self.p[at] - c * self.q[at]).clamp_min(0) / left.where(left > 0, 1.0)
        return (scale * self.q[at] - share).clamp_min(0)


def _rejected_without_replacement(p: Tensor, q: Tensor, k: int) -> float:
    left = _Left(p, q)
    support = int((q > 0).sum())
    k = min(k, support)
    if support ** (k - 1) <= ENUMERATED or k == 2:
        return _enumerated(left, k, support)
    return _sampled(left, k)


def _enumerated(left: _Left, k: int, support: int) -> float:
    """The sum over all sequences of k - 1 distinct rejected tokens, one level after the other."""
    tokens = (left.q > 0).nonzero().squeeze(-1)
    paths = torch.empty(1, 0, dtype=torch.int64)
    weight, c, gone = (torch.full((1,), value, dtype=torch.float64) for value in (1.0, 0.0, 0.0))
    for _ in range(k - 1):
        n, scale = left(c), 1 / (1 - gone)
        at = tokens.expand(len(paths), -1)
        mass = left.rejected(at, c[:, None], scale[:, None], n[:, None])
        mass = mass.masked_fill((paths[:, :, None] == at[:, None]).any(1), 0.0)
        kept = (weight[:, None] * mass) > 0
        row = kept.nonzero()[:, 0]
        weight, gone = (weight[:, None] * mass)[kept], (gone[:, None] + left.q[at])[kept]
        c = (c + n * scale)[row]
        paths = torch.cat([paths[row], at[kept][:, None]], dim=1)
    return _last(left, weight, c, gone)


def _last(left: _Left, weight: Tensor, c: Tensor, gone: Tensor) -> float:
    """The sum of weight times the chance that one more try is rejected."""
    n = left(c)
    after = left(c + n / (1 - gone).clamp_min(1e-300))
    return min(1.0, float((weight * torch.where(n > 0, after / n.where(n > 0, 1.0), 0.0)).sum()))


def _sampled(left: _Left, k: int) -> float:
    """The mean over CHAINS sequences of rejected tokens, drawn from the law of the rejected ones; the first draw is stratified."""
    weight, c, gone = (torch.full((CHAINS,), value, dtype=torch.float64) for value in (1 / CHAINS, 0.0, 0.0))
    drawn = torch.empty(CHAINS, 0, dtype=torch.int64)
    for level in range(k - 1):
        n, scale = left(c), 1 / (1 - gone).clamp_min(1e-300)
        later = c + n * scale
        total = scale * left.below_q[-1] - _share(left, c, n, later, len(left.q))
        # tokens drawn before are gone: the draw skips their part of the mass, one after the other in the order of the tokens
        drawn = drawn.sort(1).values
        taken = left.rejected(drawn, c[:, None], scale[:, None], n[:, None])
        u = uniforms(level, 0, DRAW, torch.arange(CHAINS))
        if level == 0:
            u = (torch.arange(CHAINS) + u) / CHAINS
        fresh = (total - taken.sum(1)).clamp_min(0)
        mass = u * fresh
        for j in range(level):
            before = scale * left.below_q[drawn[:, j]] - _share(left, c, n, later, drawn[:, j])
            mass = torch.where(mass >= before, mass + taken[:, j], mass)
        at = _invert(left, mass, c, n, scale, later)
        weight = weight * fresh
        gone, c = (gone + left.q[at]).clamp_max(1 - 1e-15), later
        drawn = torch.cat([drawn, at[:, None]], dim=1)
    return _last(left, weight, c, gone)


def _share(left: _Left, c: Tensor, n: Tensor, later: Tensor, upto: Tensor | int) -> Tensor:
    """Sum over the first `upto` tokens of what acceptance takes of the draft's mass: min(P_c, scaled Q)."""
    first = torch.searchsorted(left.ratio, c)
    last = torch.searchsorted(left.ratio, later)
    end = torch.as_tensor(upto).expand_as(first)
    inner = torch.minimum(torch.maximum(end, first), last)
    n = n.where(n > 0, 1.0)
    between = (left.below_p[inner] - left.below_p[first]) - c * (left.below_q[inner] - left.below_q[first])
    beyond = (left.below_q[torch.maximum(end, last)] - left.below_q[last]) * (later - c)
    return (between + beyond) / n


def _invert(left: _Left, mass: Tensor, c: Tensor, n: Tensor, scale: Tensor, later: Tensor) -> Tensor:
    """The first token, by rising p/q, at which the cumulated probability of being drawn and rejected exceeds `mass`, by bisection."""
    low, high = torch.zeros_like(mass, dtype=torch.int64), torch.full_like(mass, len(left.q), dtype=torch.int64)
    for _ in range(math.ceil(math.log2(len(left.q))) + 1):
        middle = (low + high) // 2
        up = scale * left.below_q[middle] - _share(left, c, n, later, middle) <= mass
        low, high = torch.where(up, middle, low), torch.where(up, high, middle)
    return low


def kseq_rho(p: Law, q: Law, k: int) -> float:
    """SpecTr's ρ*: the root in [1, k] of 1 - (1 - β)^k = ρ β with β(ρ) = sum min(p / ρ, q) (arXiv 2310.15141, section 4)."""
    target, draft = checks.pair(p, q)
    return rho_star(target, draft, checks.count(k)).item()


def kseq_acceptance(p: Law, q: Law, k: int) -> float:
    """Acceptance probability of K-SEQ with ρ*: 1 - (1 - β(ρ*))^k, at least (1 - 1/e) of the optimum (arXiv 2310.15141).

    Args:
        p, q: distributions [vocab].
        k: number of children, drawn i.i.d. from Q, at least 1.
    """
    target, draft = checks.pair(p, q)
    rho = rho_star(target, draft, checks.count(k))
    return _any_of(torch.minimum(target / rho, draft).sum(), k).item()


def rho_star(p: Tensor, q: Tensor, k: int) -> Tensor:
    """`kseq_rho` for many pairs of distributions at once, unchecked: float64 [..., vocab] to [..., 1].

    Newton's method inside a bracket: what is to be 0 falls from ρ = 1 to ρ = k, and a step that leaves the bracket is halved.
    """
    low, high = torch.ones_like(p[..., :1]), torch.full_like(p[..., :1], k)
    rho = low
    for _ in range(100 if k > 1 else 0):
        scaled = p / rho
        beta = torch.minimum(scaled, q).sum(-1, keepdim=True).clamp_max(1)
        fall = (scaled * (scaled < q)).sum(-1, keepdim=True) / rho  # of β with ρ
        excess = _any_of(beta, k) - rho * beta
        slope = (rho - k * (1 - beta) ** (k - 1)) * fall - beta
        low, high = torch.where(excess > 0, rho, low), torch.where(excess > 0, high, rho)
        newton = rho - excess / slope.where(slope < 0, -1.0)
        moved = torch.where((newton > low) & (newton < high), newton, (low + high) / 2).where(excess != 0, rho)
        done = ((moved - rho).abs() < 1e-13 * k).all()
        rho = moved
        if done:
            break
    return rho


def _any_of(beta: Tensor, k: int) -> Tensor:
    """1 - (1 - β)^k without loss of digits for small β."""
    return -torch.expm1(k * torch.log1p(-beta.clamp_max(1)))


def optimal_acceptance(p: Law, q: Law, k: int) -> float:
    """The highest acceptance any rule can reach with k children drawn i.i.d. from Q: 1 - max_H [Q(H)^k - P(H)].

    H runs over the prefixes of the tokens sorted by p/q ascending (optimal transport with membership cost, arXiv 2310.15141; computed
    as in arXiv 2502.18779).

    Args:
        p, q: distributions [vocab].
        k: number of children, at least 1.
    """
    target, draft = checks.pair(p, q)
    checks.count(k)
    ratio = torch.where(draft > 0, target / draft.where(draft > 0, 1.0), torch.inf)
    order = ratio.argsort()
    excess = draft[order].cumsum(0).clamp_max(1).pow(k) - target[order].cumsum(0)
    return 1 - max(0.0, excess.max().item())


def expected_rejections(p: Tensor, q: Tensor) -> float:
    """Expected rejections of standard speculative decoding over T tokens: the sum of TV(P_n, Q_n) (Yin et al., arXiv 2411.00841, thm 1).

    Args:
        p, q: [T, vocab], the distributions along a text that follows the target. ValueError naming what is not a distribution.
    """
    rows = [checks.pair(one, other) for one, other in itertools.zip_longest(p, q, fillvalue=torch.zeros(0))]
    return math.fsum((one - other).abs().sum().item() / 2 for one, other in rows)


def pareto(p: Law, q: Law, leniency: float) -> tuple[float, float]:
    """Rejection probability and bias TV(output, P) of the lossy rule: (1 - λ) TV and λ TV, on Yin et al.'s front (arXiv 2411.00841).

    Args:
        p, q: distributions [vocab].
        leniency: λ from 0 (exact) to 1 (every draft accepted).
    """
    target, draft = checks.pair(p, q)
    if not 0 <= leniency <= 1:
        raise ValueError(f"leniency must be a number from 0 to 1, got {leniency!r}")
    tv = (target - draft).abs().sum().item() / 2
    return (1 - leniency) * tv, leniency * tv
