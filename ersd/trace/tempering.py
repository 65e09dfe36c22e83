"""Record what a race would be at other temperatures: which tokens could be first there, and by what their powers are divided."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from .temperatures import TEMPERATURES, OtherTemperatures

MAX_RANKS = 10
"""First arrivals of the draft that are recorded at every temperature, or fewer where no node at this depth has as many children."""
MAX_MORE = 12
"""Tokens recorded beside the rows of a visit. More of the draft's ranks are left out, so that a trace grows by less than a quarter."""
DIGITS = 8
"""Significant digits of the recorded numbers: differences below them are near ties."""


def other_temperatures(
    p: Tensor, q: Tensor | None, clocks: Tensor, temperature: float, rows: Sequence[int], ranks: int, token_text: Callable[[int], str]
) -> OtherTemperatures:
    """What a visited node's race needs at TEMPERATURES.

    Args:
        p: the target's distribution at the run's temperature, float64 [vocab]; no token is cut by top-k or top-p.
        q: the draft's; None where it was not run.
        clocks: float64 [vocab].
        temperature: of the run, at least TEMPERATURES[0].
        rows: tokens of `Visit.rows`.
        ranks: first arrivals of the draft that matter: the most children of a node at this depth.
    """
    powers = torch.tensor([temperature / other for other in TEMPERATURES], dtype=torch.float64)
    log_clocks, log_p = clocks.log(), p.log()
    log_q = None if q is None else q.log()
    needed = dict.fromkeys(_first(log_clocks, log_p, powers, 1).flatten().tolist())
    known = set(rows) | set(needed)
    listed = 0
    if log_q is not None:
        draft = _first(log_clocks, log_q, powers, min(ranks, MAX_RANKS, len(p)))
        for rank in draft.T.tolist():
            more = dict.fromkeys(token for token in rank if token not in known)
            if listed and len(known) - len(set(rows)) + len(more) > MAX_MORE:
                break
            needed |= more
            known |= set(more)
            listed += 1
    tokens = [token for token in needed if token not in rows]
    return OtherTemperatures(
        tokens=tokens,
        texts=[token_text(token) for token in tokens],
        p=_rounded(p[tokens]),
        q=[] if q is None else _rounded(q[tokens]),
        clocks=_rounded(clocks[tokens]),
        ranks=listed,
        log_p_sums=_log_sums(log_p, powers),
        log_q_sums=[] if log_q is None else _log_sums(log_q, powers),
    )


def _first(log_clocks: Tensor, log_p: Tensor, powers: Tensor, count: int) -> Tensor:
    """The first `count` arrivals at every power of p: int64 [powers, count].

    The logarithm of an arrival, log E - b log p, is a line over the power b. Of any `count` lines the maximum is below the chord between
    its ends. A line above that chord at both ends is later than all of them: a few hundred lines remain, of which all are compared.
    """
    ends = [float(powers.min()), 1.0, float(powers.max())]
    lines = [log_clocks - power * log_p for power in ends]
    some = lines[1].topk(count, largest=False).indices
    latest = [line[some].max() for line in lines]
    may_be_first = torch.zeros_like(log_p, dtype=torch.bool)
    for line, bound in zip(lines, latest, strict=True):
        may_be_first |= line <= bound
    candidates = may_be_first.nonzero().flatten()
    arrivals = log_clocks[candidates] - powers.unsqueeze(-1) * log_p[candidates]
    return candidates[arrivals.topk(count, largest=False).indices]


def _log_sums(log_p: Tensor, powers: Tensor) -> list[float]:
    """log of the sum of p^power for every power; float32 suffices for the digits and takes a third of the time."""
    largest = log_p.max()
    sums = torch.outer(powers.float(), (log_p - largest).float()).exp_().sum(-1, dtype=torch.float64)
    return _rounded(sums.log() + powers * largest)


def _rounded(values: Tensor) -> list[float]:
    return [float(f"{value:.{DIGITS}g}") for value in values.tolist()]
