"""Counter-based randomness: every clock and every coin is a pure function of what it is used for.

No state, no order of calls, no device: SplitMix64 over (seed, position, stream, index). Uniform numbers have 52 bits and lie half a step
inside (0, 1): 0 and 1 never occur, so a clock -log u is never 0 or infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

CLOCK, DRAW, COIN, RESIDUAL, LAP, CONTEXT_CLOCK = range(6)
"""Streams: what a number is used for. Numbers of different streams are independent."""


def _signed(number: int) -> int:
    """The lowest 64 bits as a signed number, the form that int64 arrays and tensors compute in."""
    return (number + 2**63) % 2**64 - 2**63


_GOLDEN, _MIX_1, _MIX_2 = map(_signed, (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_ONE = 0x3FF << 52
"""The bits of the float 1.0: with a fraction m they are those of 1 + m / 2^52."""


def _wrapped(x: Any) -> Any:
    """An int with the wrap-around that arrays and tensors have by themselves."""
    return _signed(x) if isinstance(x, int) else x


def _shifted(x: Any, bits: int) -> Any:
    """Shift right, filling with zeros."""
    if isinstance(x, np.ndarray):
        return (x.view(np.uint64) >> np.uint64(bits)).view(np.int64)
    return (x >> bits) & (2 ** (64 - bits) - 1)


def _mixed(x: Any) -> Any:
    """SplitMix64's finalizer (Steele, Lea & Flood 2014) of an int, or in place of an int64 array or tensor."""
    for bits, factor in ((30, _MIX_1), (27, _MIX_2)):
        x ^= _shifted(x, bits)
        x *= factor
        x = _wrapped(x)
    x ^= _shifted(x, 31)
    return x


def _state(seed: int, *counters: Any) -> Any:
    """The generator's state after stirring in these counters one after the other."""
    state = _mixed(_wrapped(seed + _GOLDEN))
    if not -(2**63) <= seed < 2**63:
        state = _mixed(_wrapped(state ^ (seed >> 64)))
    for counter in counters:
        state = _mixed(_wrapped(state + _wrapped((counter + 1) * _GOLDEN)))
    return state


def _counter(number: int | Tensor) -> Any:
    """Counters on the CPU as a numpy array, where integer arithmetic takes half of torch's time."""
    return number.to(torch.int64).numpy() if isinstance(number, Tensor) and number.is_cpu else number


def uniforms(seed: int, position: int | Tensor, stream: int, index: int | Tensor) -> Tensor:
    """Independent uniform numbers, one per broadcast element of `position` and `index`.

    Args:
        seed: any integer; all its bits count.
        position: index of the token in the whole sequence, int or int64 tensor.
        stream: CLOCK, DRAW, COIN, RESIDUAL, LAP or CONTEXT_CLOCK, whose position is the key of a context.
        index: number within the position, int or int64 tensor (for clocks the token id).

    Returns:
        float64 in (0, 1), of the broadcast shape, on the device of `index`; the same bits on every device.
    """
    fraction = _shifted(_state(seed, stream, _counter(position), _counter(index)), 12)
    fraction |= _ONE
    if not isinstance(fraction, Tensor):
        fraction = torch.from_numpy(np.asarray(fraction, np.int64))
    return fraction.view(torch.float64).sub_(1 - 2.0**-53)  # (m + 1/2) / 2^52, exactly, without converting integers


def context_key(tokens: Sequence[int]) -> int:
    """The key of the clocks after these tokens, 64 bits."""
    return int(_state(0, *tokens))


def clocks(seed: int, position: int | Tensor, vocab_size: int, device: torch.device | str = "cpu", stream: int = CLOCK) -> Tensor:
    """The exponential clocks of every token at a position: E ~ Exp(1), shared by draft and target (arXiv 2504.15475, section 3).

    They are -log of the `uniforms` of the stream CLOCK whose index is the token.

    Args:
        seed: the run's seed.
        position: index of the token in the whole sequence, prompt and BOS counted; or an int64 tensor [n] of them.
        vocab_size: number of tokens. The clock of a token does not depend on it.
        device: where to compute them: in whole numbers up to the logarithm, which is taken in float64.
        stream: CONTEXT_CLOCK if `position` is the key of a context (`context_key`).

    Returns:
        float64 tensor [vocab_size] (or [n, vocab_size]); positive and finite.
    """
    if isinstance(position, Tensor):
        position = position.unsqueeze(-1).to(device)
    return uniforms(seed, position, stream, torch.arange(vocab_size, device=device)).log_().neg_()


@dataclass(frozen=True)
class Noise:
    """The randomness a rule may use at one position, or at n positions (then `position` is an int64 tensor [n])."""

    seed: int
    position: int | Tensor
    key: int | None = None
    """of the context that the clocks belong to; None: to the position"""
    _clocks: dict[tuple[int, torch.device], Tensor] = field(default_factory=dict, repr=False, compare=False)
    """by vocabulary and device: drafting, verifying, ranking and recording a node use the same vector"""
    _gumbels: dict[tuple[int, torch.device], Tensor] = field(default_factory=dict, repr=False, compare=False)

    def clocks(self, like: Tensor) -> Tensor:
        """The clocks E, float64, for the last dimension of `like` and on its device: [1, vocab] or [n, vocab]. Not to be written to."""
        key = like.shape[-1], like.device
        if key not in self._clocks:
            place, stream = (self.position, CLOCK) if self.key is None else (self.key, CONTEXT_CLOCK)
            self._clocks[key] = clocks(self.seed, place, *key, stream).view(-1, like.shape[-1])
        return self._clocks[key]

    def gumbels(self, like: Tensor) -> Tensor:
        """-log E of the clocks E: standard Gumbel noise, [1, vocab] or [n, vocab]. Not to be written to."""
        key = like.shape[-1], like.device
        if key not in self._gumbels:
            self._gumbels[key] = self.clocks(like).log().neg_()
        return self._gumbels[key]

    def draws(self, slots: Sequence[int], count: int) -> Tensor:
        """Uniform numbers [len(slots), count] for the children of the nodes `slots`: independent from node to node."""
        return uniforms(self.seed, self._column(), DRAW, (torch.as_tensor(slots).unsqueeze(-1) << 20) + torch.arange(count))

    def coins(self, count: int) -> Tensor:
        """Uniform numbers [1 or n, count], one per try."""
        return uniforms(self.seed, self._column(), COIN, torch.arange(count).unsqueeze(0))

    def coin(self, slot: int, number: int) -> float:
        """The uniform number of one try at the node `slot`; those of slot 0 are `coins`. For one position."""
        return float(uniforms(self.seed, self.position, COIN, (slot << 20) + number))

    def residual(self) -> Tensor:
        """One uniform number [1 or n] for the draw from the remaining target probability."""
        return uniforms(self.seed, self.position, RESIDUAL, 0).view(-1)

    def laps(self, tokens: Tensor, count: int) -> Tensor:
        """The clocks of the 2nd, 3rd, … lap of these tokens, float64 [len(tokens), count]: what the first lap's clock is, anew."""
        index = (tokens.unsqueeze(-1) << 20) + torch.arange(count, device=tokens.device)
        return uniforms(self.seed, self._column(), LAP, index).log_().neg_()

    def _column(self) -> int | Tensor:
        return self.position.unsqueeze(-1) if isinstance(self.position, Tensor) else self.position


@dataclass(frozen=True)
class JoinedNoise(Noise):
    """The randomness at n positions of which each has its own clocks, so that n nodes are decided together."""

    parts: Sequence[Noise] = ()

    def clocks(self, like: Tensor) -> Tensor:
        """As of each part, one after the other."""
        return torch.cat([part.clocks(like) for part in self.parts])

    def gumbels(self, like: Tensor) -> Tensor:
        """As of each part, which keeps them for the walk."""
        return torch.cat([part.gumbels(like) for part in self.parts])


def joined(noises: Sequence[Noise]) -> Noise:
    """The randomness of n nodes: theirs if they share it, else with `position` [n]."""
    if all(noise is noises[0] for noise in noises):
        return noises[0]
    return JoinedNoise(noises[0].seed, torch.tensor([noise.position for noise in noises]), parts=noises)
