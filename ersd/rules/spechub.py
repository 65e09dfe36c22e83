"""SpecHub: favourites and a wild card (Sun et al., arXiv 2411.05289, for two children; Hu et al., arXiv 2502.18779, for any number)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from ..randomness import Noise
from ..sampling import sample
from ..theory import spechub_acceptances
from .base import Contest, likeliest
from .gsd import RecursiveRejection, residual
from .gsd_wor import without
from .registry import TRAITS


class SpecHub(RecursiveRejection):
    """Children: one drawn from the rest of Q, the wild card, then the k - 1 likeliest, the favourites. No rule accepts more of these.

    The wild card is tried first: its probability in the rest is larger than in Q. A favourite was certain to be drafted, so its coin is
    compared with the remaining target probability itself. Where Q has k tokens or fewer, all are favourites and there is no wild card.
    """

    name = "spechub"
    traits = TRAITS["spechub"]
    children_depend_on_count = True

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        likeliest = q.topk(min(k, q.shape[-1]))
        favourites = likeliest.indices.masked_fill(likeliest.values == 0, -1)
        rest = q.scatter(-1, favourites[:, : k - 1].clamp_min(0), 0.0)
        wild = sample(rest, noise.draws(slots, 1))
        is_all = (q > 0).sum(-1, keepdim=True) <= k
        return torch.where(is_all, favourites, torch.cat([wild, favourites[:, : favourites.shape[-1] - 1]], -1))

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        share: float | Tensor = 1.0
        for j in range(children.shape[-1]):
            # what Q has beside the favourites; where all are favourites, that is the first of them alone
            drawn_from = torch.zeros_like(q).scatter(-1, children[:, j : j + 1], 1.0) if j else without(q, children[:, 1:])
            yield Contest(p, drawn_from, share=share)
            p, rest = residual(p, drawn_from)
            share = share * rest
        yield Contest(p, q, share=share)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return min(1.0, sum(self.acceptance_by_try(p, q, k)))

    def acceptance_by_try(self, p: Tensor, q: Tensor, k: int) -> list[float]:
        return spechub_acceptances(p, q, k, likeliest(q, k))
