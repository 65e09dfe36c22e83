"""What a verification rule is: it draws the children of a node and decides among them. The engine and the lab run the same code."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from torch import Tensor

from ..draft_tree import ROOT
from ..randomness import Noise
from ..sampling import probabilities
from ..walk import Decision, ScoredTree, Walk
from .registry import Traits

if TYPE_CHECKING:
    from ..settings import Settings
    from ..theory.compress import Tokens


class Contest(NamedTuple):
    """What is compared at one try, if all tries before it were rejected."""

    target: Tensor
    """float64 [n, vocab]: the remaining target probability"""
    draft: Tensor
    """float64 [n, vocab]: the distribution the child was drawn from"""
    scale: float | Tensor = 1.0
    """factor of that distribution before the two are compared, [n, 1] or a number"""
    share: float | Tensor | None = None
    """what the tries before have left of P, [n, 1] or a number: `share` times `target` remains; for the record, None: not known"""


class Rule(ABC):
    """A verification rule. One instance serves every run; it has no state."""

    name: str
    traits: Traits
    children_depend_on_count = False
    """the first of k children are not those that a smaller k would give"""
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

    @abstractmethod
    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        """Children of n nodes, in the order in which they will be tried.

        Args:
            q: float64 [n, vocab], the draft's distributions.
            k: children wanted of each.
            noise: the randomness of this position.
            slots: the numbers of the n nodes (`slot`); branches of one tree draw independently.

        Returns:
            int64 [n, k]; -1 where no further token can be drafted.
        """

    def slot(self, node: int, depth: int) -> int:
        """The number of a node at this depth for `draft`: no other node of any tree of the run draws with the same number and position,
        unless nothing that was decided before depends on what was drawn with it."""
        return node + 1

    @abstractmethod
    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        """Choose the next token at n nodes.

        Args:
            p: float64 [n, vocab], the target's distributions.
            q: the distributions the children were drawn from; None where there are no children.
            children: int64 [n, k] as `draft` gave them, without -1; k may be 0.
            noise: the randomness of this position.
        """

    def verify_tree(self, scored: ScoredTree, ends: Collection[int]) -> Walk:
        """Decide in a whole tree: from the root down along accepted children, until none is accepted or after a token of `ends`."""
        path: list[int] = []
        tokens, visited, node = [], [], ROOT
        while True:
            one = scored.visit(node, self.verify(scored.p(node), scored.q(node), scored.children(node), scored.noise(node)))
            visited.append(one)
            tokens.append(one.token)
            if one.accepted < 0:
                return Walk(tokens, path, visited)
            node = one.children[one.accepted]
            path.append(node)
            if one.token in ends:
                return Walk(tokens, path, visited)

    # --- for drafting and for the record ---------------------------------------------------------------------------------------

    def scores(self, p: Tensor, noise: Noise) -> Tensor | None:
        """[n, vocab]: tokens of larger scores come earlier in the order of `p`, those of -inf never; None if the rule has no order.

        For races these are logarithms of one over the arrival time.
        """
        return None

    def rank(self, q: Tensor, token: int, noise: Noise) -> int | None:
        """The rank of a token in the order of q [1, vocab], from 1; None if it never comes, or the rule has no order."""
        scores = self.scores(q, noise)
        return None if scores is None else rank_of(scores[0], token)

    def clocks(self, p: Tensor, noise: Noise) -> Tensor | None:
        """float64 [n, vocab]: the clocks that decide; None for rules without."""
        return None

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        """What is compared at each try of a rule that tries one by one, then what remains after the last; nothing for other rules."""
        return iter(())

    def compared(self, p: Tensor, q: Tensor, children: Tensor, decision: Decision) -> Iterator[Contest]:
        """The `contests` as they were in a decision of the engine, n = 1."""
        return self.contests(p, q, children)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        """Probability that one of k children is accepted at a node, p and q [vocab]; None where no formula is known."""
        return None

    def acceptance_by_try(self, p: Tensor, q: Tensor, k: int) -> list[float] | None:
        """Probability that the 1st, 2nd, …, k-th of k children is the accepted one; None where no formula is known.

        Here for rules whose first children do not depend on how many follow: the differences of `acceptance`.
        """
        found = [self.acceptance(p, q, count) for count in range(1, k + 1)]
        known = [each for each in found if each is not None]
        steps = zip([0.0, *known], known, strict=False)
        return [max(0.0, after - before) for before, after in steps] if len(known) == k else None

    def figures(self, p: Tensor, q: Tensor, k: int, tokens: Tokens | None = None) -> dict[str, float | None]:
        """The formulas of this rule at a node with k children, p and q [vocab], by the names of `trace.Visit`.

        `tokens`: the pair as `theory.compress` reduces it, which the formulas without replacement share.
        """
        return {"predicted": self.acceptance(p, q, k)}


def rank_of(scores: Tensor, token: int) -> int | None:
    """A token's rank, from 1, by falling scores [vocab]; None for one that never comes (-inf)."""
    own = float(scores[token])
    return None if own == float("-inf") else int((scores > own).count_nonzero()) + 1


def rank_or_reach(scores: Tensor, token: int) -> int:
    """The same, but -n for a token that never comes where n tokens do."""
    return rank_of(scores, token) or -int((scores > float("-inf")).count_nonzero())


def likeliest(q: Tensor, k: int) -> list[int]:
    """The k likeliest tokens of q [vocab], as `draft` orders them where some are equal."""
    return q.topk(min(k, q.shape[-1])).indices.tolist()
