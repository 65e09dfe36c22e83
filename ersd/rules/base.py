"""What a verification rule is. The engine and the lab run the same code; every method works on a batch of vertices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from torch import Tensor

from ..randomness import Noise


@dataclass(frozen=True)
class Verdict:
    """What a rule decided at n vertices with k children each."""

    tokens: Tensor
    """int64 [n]: the chosen token, an accepted child's or the target's own"""
    accepted: Tensor
    """int64 [n]: which child was accepted, -1 for none"""
    tried: Tensor
    """int64 [n]: how many children were considered"""
    ratios: Tensor | None = None
    """float64 [n, k]: what each coin was compared with; rejection rules only"""
    coins: Tensor | None = None
    """float64 [n, k]"""


class Rule(ABC):
    """Draws the children of a vertex and decides among them. One instance serves every run; it has no state."""

    name: str
    description: str
    drafts = True
    """False: no tree, one token per target call"""
    ordered = False
    """True: the draft has an order for all tokens (arrival or probability), so the rank of any token is known"""
    race = False
    """True: children and verdict come from the shared exponential clocks"""
    uses_sampling = True
    """False: temperature, top-k and top-p do not matter"""

    @abstractmethod
    def draft(self, q: Tensor, k: int, noise: Noise, slots: Tensor) -> Tensor:
        """Children of n vertices, in the order in which they will be tried.

        Args:
            q: float64 [n, vocab], the draft's distributions.
            k: children wanted of each.
            noise: the randomness of this position.
            slots: int64 [n], the vertices' numbers in their tree; branches of one tree draw independently.

        Returns:
            int64 [n, k]; -1 where no further token can be drafted.
        """

    @abstractmethod
    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Verdict:
        """Choose the next token at n vertices.

        Args:
            p: float64 [n, vocab], the target's distributions.
            q: the distributions the children were drawn from; None where there are no children.
            children: int64 [n, k] as `draft` gave them, without -1; k may be 0.
            noise: the randomness of this position.
        """

    def order(self, q: Tensor, noise: Noise) -> Tensor:
        """float64 [n, vocab]: tokens with smaller values come earlier in the draft's order. Only where `ordered`."""
        raise TypeError(f"{self.name} has no order beyond the children it draws")

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        """Probability that one of k children is accepted at a vertex, p and q [vocab]; None where no closed form is known."""
        return None
