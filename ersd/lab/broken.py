"""Rules broken on purpose, each with a bug that a real engine had. They are given to the lab and never registered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from ..randomness import Noise
from ..rules.base import Contest, Rule
from ..rules.block import BlockVerification
from ..rules.ersd import ExponentialRace
from ..rules.gsd import RecursiveRejection
from ..rules.gsd_wor import WithoutReplacement
from ..rules.kseq import KSequential
from ..walk import Decision

COIN_BITS = 4
"""Bits of the coarse coins: few enough that one of 16 coins is exactly 0. (Real ones had 24 bits: one of 17 million.)"""
DOUBT = 0.15
"""A guess with a lower draft probability is withdrawn by `peeking`."""
BELOW = 1e-12
"""A coin is lowered by this much so that `coin < ratio` becomes `coin <= ratio`."""


@dataclass(frozen=True)
class Bug:
    """A mistake, and the rules that have it."""

    label: str
    """in the menu"""
    does: str
    """what the code does, in one sentence"""
    why: str
    """why the output is wrong"""
    rules: Mapping[str, Rule]
    """name of the correct rule -> the broken one, whose output is wrong"""
    exact: Mapping[str, Rule] = field(default_factory=dict)
    """name of the correct rule -> the broken one, whose output is right all the same"""
    why_exact: str = ""
    """why it is"""

    hint: str = ""
    """what makes it show, if that is not usual"""

    @property
    def offered(self) -> dict[str, Rule]:
        """Every rule that can have the bug, by the name of the correct one."""
        return {**self.rules, **self.exact}


class _CoarseNoise(Noise):
    def coins(self, count: int) -> Tensor:
        steps = 2**COIN_BITS
        return (super().coins(count) * steps).floor() / steps - BELOW


class _CoinOfTheDraw(Noise):
    def coins(self, count: int) -> Tensor:
        return self.draws([0], count)


class _ProductNoise(Noise):
    def coins(self, count: int) -> Tensor:
        return super().coins(count).cumprod(-1)


class AtMost(RecursiveRejection):
    """Accepts when coin <= ratio, with coins of few bits."""

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        found = super().verify(p, q, children, _CoarseNoise(noise.seed, noise.position))
        return found if found.coins is None else replace(found, coins=found.coins.clamp_min(0))


class NoiseTwice(RecursiveRejection):
    """Tosses the coin with the number that drew the guess."""

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return super().verify(p, q, children, _CoinOfTheDraw(noise.seed, noise.position))


class NoResidual(RecursiveRejection):
    """Draws the target's own token from all of P."""

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        return _ends_with_all_of(p, super().contests(p, q, children))


class NoResidualWithoutReplacement(WithoutReplacement):
    """The same without replacement."""

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        return _ends_with_all_of(p, super().contests(p, q, children))


class NoResidualKSequential(KSequential):
    """The same of K-SEQ."""

    def contests(self, p: Tensor, q: Tensor, children: Tensor) -> Iterator[Contest]:
        return _ends_with_all_of(p, super().contests(p, q, children))


def _ends_with_all_of(p: Tensor, contests: Iterator[Contest]) -> Iterator[Contest]:
    *tries, last = contests
    yield from tries
    yield last._replace(target=p, share=None)


class FirstFailure(BlockVerification):
    """Keeps the tokens before the first coin that fails, not up to the last one that passes."""

    def kept(self, passed: Tensor) -> Tensor:
        return passed.long().cumprod(-1).sum(-1)


class CoinProduct(BlockVerification):
    """Keeps a block while the product of min(1, p/q) is at least the product of the coins."""

    def verify_chain(self, p: Tensor, q: Tensor, children: Tensor, noise: Noise) -> list[Decision]:
        return super().verify_chain(p, q, children, _ProductNoise(noise.seed, noise.position))

    def limits(self, p: Tensor, q: Tensor, children: Tensor) -> tuple[Tensor, Tensor]:
        at = children.unsqueeze(-1)
        ratios = (p[:, :-1].gather(-1, at) / q.gather(-1, at)).squeeze(-1)
        return super().limits(p, q, children)[0], ratios.clamp_max(1).cumprod(-1)


class Peeking(RecursiveRejection):
    """Withdraws guesses from the first one on that the draft finds unlikely: the length depends on what was drawn."""

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return _until_doubt(super().draft(q, k, noise, slots), q)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return None  # the number of guesses varies


class PeekingRace(ExponentialRace):
    """The same in a race."""

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return _until_doubt(super().draft(q, k, noise, slots), q)

    def acceptance(self, p: Tensor, q: Tensor, k: int) -> float | None:
        return None  # the number of guesses varies


def _until_doubt(children: Tensor, q: Tensor) -> Tensor:
    """The children before the first of probability below DOUBT, -1 in place of the others."""
    likely = q.gather(-1, children.clamp_min(0)) >= DOUBT
    return children.masked_fill(likely.long().cumprod(-1) == 0, -1)


class DraftNoiseAgain(RecursiveRejection):
    """Draws the first guess by a race, and the target's own token by a race with the same clocks."""

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        later = super().draft(q, k, noise, slots)[:, 1:]
        return torch.cat([(noise.clocks(q) / q).argmin(-1, keepdim=True), later], -1)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return _own_by_the_same_race(self, super().verify(p, q, children, noise), p, q, children, noise)


class DraftNoiseAgainWithoutReplacement(WithoutReplacement):
    """The same without replacement: the guesses are the first arrivals of one race."""

    def draft(self, q: Tensor, k: int, noise: Noise, slots: Sequence[int]) -> Tensor:
        return ExponentialRace().draft(q, k, noise, slots)

    def verify(self, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
        return _own_by_the_same_race(self, super().verify(p, q, children, noise), p, q, children, noise)


def _own_by_the_same_race(rule: Rule, found: Decision, p: Tensor, q: Tensor | None, children: Tensor, noise: Noise) -> Decision:
    """The decision, the target's own token replaced by the first arrival of a race by what remains of P."""
    *_, last = rule.contests(p, p if q is None else q, children)
    own = (noise.clocks(p) / last.target).argmin(-1)
    return replace(found, tokens=torch.where(found.accepted < 0, own, found.tokens))


BUGS: dict[str, Bug] = {
    "no_residual": Bug(
        "Residual forgotten",
        "A rejected guess is replaced from all of P, not from what the guesses have left of it.",
        "Tokens that the draft likes get their share from the guesses, and then a second one from P.",
        {"gsd": NoResidual(), "gsd_wor": NoResidualWithoutReplacement(), "kseq": NoResidualKSequential()},
    ),
    "noise_twice": Bug(
        "Noise used twice",
        "The random number that drew the guess also serves as its coin.",
        "A small number draws the first tokens of the list and passes nearly every coin, so these come out too often.",
        {"gsd": NoiseTwice()},
    ),
    "at_most": Bug(
        "Coin ≤ ratio",
        f"A guess is kept if its coin is at most the ratio, and the coins have {COIN_BITS} bits.",
        "Such coins are at most the ratio too often, so too many guesses are kept; a coin of 0 even keeps a token of p = 0.",
        {"gsd": AtMost()},
    ),
    "peeking": Bug(
        "Length chosen by looking",
        f"The draft withdraws a guess that it finds unlikely (below {DOUBT}) after having drawn it.",
        "What is withdrawn depends on the token, so likely guesses are checked more often than they should be.",
        {"gsd": Peeking()},
        {"ersd": PeekingRace()},
        "The target’s winner is the same whatever was drafted, so looking cannot change the output.",
    ),
    "first_failure": Bug(
        "Stops at the first failure",
        "Block verification keeps the tokens before the first failed coin, instead of up to the last coin that passes.",
        "The keep probabilities count on later coins to save earlier tokens. Without them too few guesses are kept.",
        {"block": FirstFailure()},
    ),
    "coin_product": Bug(
        "Product of coins",
        "A block is kept as long as the product of its ratios min(1, p ÷ q) is at least the product of its coins.",
        "A product of coins shrinks faster than a product of ratios, so far too much is accepted.",
        {"block": CoinProduct()},
    ),
    "draft_noise_again": Bug(
        "Draft’s noise again",
        "The clocks that drew the first guess also draw the target’s own token after a rejection.",
        "A token that lost the draft’s race has a large clock, so it comes out too rarely after a rejection.",
        {
            "gsd": DraftNoiseAgain(),
            "gsd_wor": DraftNoiseAgainWithoutReplacement(),
        },
        hint="Draft one token, and pull p and q apart",
    ),
}
"""Name -> bug."""
