"""What a verification rule is. The engine and the lab run the same code; draws and verdicts are for n vertices at once."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from torch import Tensor

from ..randomness import Noise
from ..sampling import log_weights, probabilities
from .law import Law
from .registry import Traits

if TYPE_CHECKING:
    from ..settings import Settings
    from ..walk import ScoredTree
    from .block import BlockVerdict


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
    rank: Tensor | None = None
    """int64 [n]: the token's place in the draft's order, 0 for one that the draft never reaches; None: not worked out with the verdict"""
    block: BlockVerdict | None = None
    """the drafted sequence that this vertex was decided with, of a rule that decides about it as a whole"""
    left: Tensor | None = None
    """float64 [n, vocab]: what is left of P where the sequence was cut, of such a rule; others tell it by `Rule.contests`"""


class Chosen(NamedTuple):
    """What was decided at one vertex."""

    token: int
    """an accepted child's, or the target's own"""
    accepted: int
    """the number of the accepted try from 0, -1 for none"""
    tried: int
    """how many children were considered"""
    verdict: Verdict | None = None
    """of this one vertex, with all else that the rule says; None of a rule that says no more"""

    @classmethod
    def by(cls, verdict: Verdict) -> Chosen:
        """What a verdict about one vertex says."""
        return cls(int(verdict.tokens), int(verdict.accepted), int(verdict.tried), verdict)


class Contest(NamedTuple):
    """What meets at a try, if all tries before it were rejected."""

    left: Tensor
    """float64 [n, vocab]: what is left of P"""
    drawn_from: Tensor
    """float64 [n, vocab]: the law the child was drawn from"""
    scale: float | Tensor = 1.0
    """by which that law is multiplied before the two are compared, [n, 1] or a number"""


@dataclass(frozen=True)
class Decision:
    """What was decided at one visited vertex, with all that learning and writing down need of it."""

    scored: ScoredTree
    vertex: int
    """-1: the root"""
    depth: int
    token: int
    """the token chosen"""
    accepted: int
    """as in `Chosen`, like those below"""
    tried: int
    verdict: Verdict | None

    @property
    def rule(self) -> Rule:
        """By which it was decided."""
        return self.scored.rule

    @property
    def children(self) -> list[int]:
        """Vertices in the order of their tries; an i.i.d. draw that repeats stands in it again."""
        return self.scored.tree.tries.get(self.vertex, [])

    @property
    def logits(self) -> Tensor:
        """[vocab]: the target's, as it gave them."""
        return self.scored.logits[self.vertex + 1]

    @property
    def p(self) -> Tensor:
        """float64 [1, vocab]: the target's distribution."""
        return self.scored.p(self.vertex)

    @property
    def q(self) -> Tensor | None:
        """float64 [1, vocab]: the law the children were drawn from; None where there are none."""
        return self.scored.q(self.vertex)

    @property
    def noise(self) -> Noise:
        """The randomness of this position."""
        return self.scored.noise(self.depth)

    @cached_property
    def rank(self) -> int | None:
        """The chosen token's place in the draft's order, from 1, where the draft has one for all tokens; else the number of the accepted
        try. None where there is none: all rejected, nothing drafted, or a token that the draft never reaches."""
        if self.accepted >= 0:  # children are tried in the draft's order
            return self.accepted + 1
        if self.verdict and self.verdict.rank is not None:
            return int(self.verdict.rank) or None
        q = self.q
        leads = None if q is None else self.rule.leads(q.log(), self.noise)
        return None if leads is None else place_in_order(leads[0], self.token)


def place_in_order(leads: Tensor, token: int) -> int | None:
    """A token's place, from 1, in the order of falling leads [vocab]; None for one of -inf, which never comes."""
    own = float(leads[token])
    return None if own == -math.inf else int((leads > own).count_nonzero()) + 1


def place_or_all_before(leads: Tensor, token: int) -> int:
    """The same, but -n for a token that never comes where n do."""
    return place_in_order(leads, token) or -int((leads > -math.inf).count_nonzero())


class Rule(ABC):
    """Draws the children of a vertex and decides among them. One instance serves every run; it has no state."""

    name: str
    traits: Traits
    follows_every_draw = False
    """True: where i.i.d. draws repeat, what was drafted after each of them is tried; False: only what follows the first"""

    def with_settings(self, settings: Settings) -> Rule:
        """The rule with the parameters it takes from the settings."""
        return self

    def distributions(self, logits: Tensor, settings: Settings) -> Tensor:
        """What draft and target are sampled from, float64 [..., vocab]: one transform for both."""
        if not self.traits.uses_sampling:
            return probabilities(logits)
        return probabilities(logits, settings.temperature, settings.top_k, settings.top_p)

    def log_weights(self, logits: Tensor, settings: Settings) -> Tensor:
        """The logarithms of `distributions`, but for a constant in every row, [..., vocab]."""
        if not self.traits.uses_sampling:
            return log_weights(logits)
        return log_weights(logits, settings.temperature, settings.top_k, settings.top_p)

    def draft_from(self, q: Law, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        """As `draft`, by laws whose probabilities need not be known yet."""
        return self.draft(q.probabilities, k, noise, slots)

    @abstractmethod
    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        """Children of n vertices, in the order in which they will be tried.

        Args:
            q: float64 [n, vocab], the draft's distributions.
            k: children wanted of each.
            noise: the randomness of this position.
            slots: the n vertices' numbers in their tree; branches of one tree draw independently.

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

    def deciding(self, scored: ScoredTree) -> Callable[[int, int], Chosen]:
        """How one scored tree is decided: a function of a vertex and its depth that the walk asks on its way down from the root.

        On a GPU for all vertices at once. On a CPU only where the walk comes: of 17 vertices it visits about three, and the laws of all
        would take up to six times as long as theirs.
        """
        if scored.logits.device.type == "cuda":
            from .at_once import decided_at_once  # late: it is about the classes here

            return decided_at_once(self, scored)
        return lambda vertex, depth: Chosen.by(
            self.verify(scored.p(vertex), scored.q(vertex), scored.children(vertex), scored.noise(depth))
        )

    def trial(self, p: Tensor, q: Tensor, k: int, noise: Noise) -> Verdict:
        """Draft and verify at n vertices that have nothing to do with one another, p and q [n, vocab], each at a position of its own."""
        most = self.traits.most_children
        children = self.draft(q, k if most is None else min(k, most), noise, [0])
        # a draft with fewer tokens than k runs out of them in every trial alike
        return self.verify(p, q, children[:, (children >= 0).all(0)], noise)

    # --- what is known besides the verdict: for trees shaped by it, and for the record -----------------------------------------

    def leads(self, logs: Tensor, noise: Noise) -> Tensor | None:
        """[n, vocab]: of tokens those with larger ones come earlier in the draft's order, those of -inf never; None where it has none.

        logs: logarithms of probabilities, but for a constant in every row, [n, vocab]. For races these are logarithms of one over the
        arrival time, where the constant is 0; where no clocks are used, as if every clock were 1.
        """
        return None

    def clocks(self, p: Tensor, noise: Noise) -> Tensor | None:
        """float64 [n, vocab]: the clocks that decide; None where none do."""
        return None

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        """What meets at each try of a rule that tries one by one; after the last try comes what is left then. Else nothing."""
        return iter(())

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        """Probability that one of k children is accepted at a vertex, p and q [vocab]; None where no formula is known."""
        return None

    def figures(self, p: Tensor, q: Tensor, k: int) -> dict[str, float | None]:
        """What the formulas say of this rule at a vertex with k children, p and q [vocab], by their names in `trace.Visit`."""
        return {"predicted": self.acceptance(p, q, k)}

    def margin(self, logits: Tensor, settings: Settings, noise: Noise) -> float | None:
        """How far the target's logits [vocab] would have to move for another token to win; None where it does not choose alone."""
        return None
