"""Every vertex of a scored tree decided in one go: on a GPU one copy to the host a step costs less than a wait at every vertex."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from ..models.tree_cache import ROOT
from ..randomness import Noise
from .base import Chosen, Rule, Verdict

if TYPE_CHECKING:
    from ..walk import ScoredTree

_FIELDS = ("tokens", "accepted", "tried", "rank", "ratios", "coins")


def decided_at_once(rule: Rule, scored: ScoredTree) -> Callable[[int, int], Chosen]:
    """The same as is decided vertex by vertex, for all vertices, on the CPU: a function of a vertex and its depth.

    Vertices with equally many children are decided together. Whole numbers are exact in float64, so all travels as one tensor.
    """
    groups: dict[int, list[int]] = {}
    for vertex in range(ROOT, len(scored.tree.tokens)):
        groups.setdefault(len(scored.tree.tries.get(vertex, ())), []).append(vertex)
    verdicts = {count: _verdict(rule, scored, vertices, count) for count, vertices in groups.items()}
    present = [(count, name) for count, verdict in verdicts.items() for name in _FIELDS if getattr(verdict, name) is not None]
    columns = [getattr(verdicts[count], name).to(torch.float64) for count, name in present]
    flat = torch.cat([column.flatten() for column in columns]).cpu()
    host: dict[int, dict[str, Any]] = {count: {} for count in groups}
    for (count, name), column, part in zip(present, columns, flat.split([column.numel() for column in columns]), strict=True):
        host[count][name] = part.view(column.shape).to(getattr(verdicts[count], name).dtype)
    row_of = {vertex: (count, row) for count, vertices in groups.items() for row, vertex in enumerate(vertices)}

    def decide(vertex: int, depth: int) -> Chosen:
        count, row = row_of[vertex]
        return Chosen.by(Verdict(**{name: column[row : row + 1] for name, column in host[count].items()}))

    return decide


def _verdict(rule: Rule, scored: ScoredTree, vertices: list[int], count: int) -> Verdict:
    """Of n vertices with `count` children each."""
    device = scored.logits.device
    p = rule.distributions(scored.logits[torch.tensor(vertices, device=device) + 1], scored.settings)
    q = torch.stack([scored.tree.q(vertex) for vertex in vertices]) if count else None
    tokens = [[scored.tree.tokens[child] for child in scored.tree.tries.get(vertex, ())] for vertex in vertices]
    depths = [scored.tree.depths[vertex] if vertex != ROOT else 0 for vertex in vertices]
    children = torch.tensor(tokens, dtype=torch.int64, device=device).view(len(vertices), count)
    noise = Noise(scored.settings.seed, scored.position + torch.tensor(depths))
    verdict = rule.verify(p, q, children, noise)
    leads = None if q is None else rule.leads(q.log(), noise)
    if leads is None:
        return verdict
    own = leads.gather(-1, verdict.tokens.unsqueeze(-1))
    return replace(verdict, rank=torch.where(own == -torch.inf, 0, (leads > own).sum(-1, keepdim=True) + 1).squeeze(-1))
