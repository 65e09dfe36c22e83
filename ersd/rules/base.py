"""What a verification rule is. The engine and the lab run the same code; every method works on a batch of vertices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torch import Tensor

from ..randomness import Noise

if TYPE_CHECKING:
    from ..settings import Settings


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
    predicted: Tensor | None = None
    """float64 [n]: the chance of acceptance here, where it hangs on more than this vertex; else `Rule.acceptance` tells it"""


class Rule(ABC):
    """Draws the children of a vertex and decides among them. One instance serves every run; it has no state."""

    name: str
    description: str
    lossless = True
    """False: the output is not distributed as P"""
    drafts = True
    """False: no tree, one token per target call"""
    ordered = False
    """True: the draft has an order for all tokens (arrival or probability), so the rank of any token is known"""
    race = False
    """True: children and verdict come from the shared exponential clocks"""
    uses_sampling = True
    """False: temperature, top-k and top-p do not matter"""
    joint = False
    """True: a whole sequence is decided at once, by `verify_sequence`"""
    one_child = False
    """True: every vertex has one child at most"""
    shape_from_tokens = False
    """True: the output is exact even if the tree's shape depends on the drafted tokens"""
    keeps_agreeing = True
    """True: what was drafted after each of several equal draws is tried; False: only what follows the first of them"""

    def bound(self, settings: Settings) -> Rule:
        """The rule with the parameters it takes from the settings."""
        return self

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
        """float64 [n, vocab]: tokens with smaller values come earlier in the draft's order. Only where `ordered`.

        For races the logarithm of the arrival time; where no clocks are used, as if every clock were 1.
        """
        raise TypeError(f"{self.name} has no order beyond the children it draws")

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        """Probability that one of k children is accepted at a vertex, p and q [vocab]; None where no closed form is known."""
        return None
