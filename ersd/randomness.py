"""Counter-based randomness: every clock and coin is a pure function of what it is for.

No state, no order of calls, no device: SplitMix64 over (seed, position, stream, index). Uniform numbers have 52 bits and lie half a step
inside (0, 1): 0 and 1 never occur, so a clock -log u is never 0 or infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

CLOCK, DRAW, COIN, RESIDUAL = range(4)
"""Streams: what a number is used for. Numbers of different streams are independent."""

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_ALL_BITS = 2**64 - 1

_Bits = int | np.ndarray | Tensor
"""64 bits each: of one number an int, which costs no array; of many on the CPU uint64, where numpy takes half of torch's time; elsewhere
int64, as torch has no unsigned arithmetic."""


def _bits(numbers: int | Tensor) -> _Bits:
    if isinstance(numbers, int) or not numbers.is_cpu:
        return numbers
    return numbers.to(torch.int64).numpy().view(np.uint64) if numbers.ndim else int(numbers)


def _number(value: int, beside: _Bits) -> Any:
    """A number as what it is put together with needs it."""
    value &= _ALL_BITS
    if isinstance(beside, Tensor):
        return value - 2**64 if value >= 2**63 else value
    return np.uint64(value) if isinstance(beside, np.ndarray) else value


def _mix(x: Any) -> Any:
    """SplitMix64's finalizer (Steele, Lea & Flood 2014), with wrap-around; of many numbers in the place of `x`."""
    if isinstance(x, int):
        x &= _ALL_BITS
        x = (x ^ (x >> 30)) * _MIX_1 & _ALL_BITS
        x = (x ^ (x >> 27)) * _MIX_2 & _ALL_BITS
        return x ^ (x >> 31)
    room = np.empty_like(x) if isinstance(x, np.ndarray) else None  # memory that is not at hand takes most of the time
    x ^= _shifted(x, 30, room)
    x *= _number(_MIX_1, x)
    x ^= _shifted(x, 27, room)
    x *= _number(_MIX_2, x)
    x ^= _shifted(x, 31, room)
    return x


def _shifted(x: np.ndarray | Tensor, bits: int, room: np.ndarray | None = None) -> Any:
    """To the right, with zeros from the left; into `room`, if that is given."""
    if isinstance(x, Tensor):
        return (x >> bits).bitwise_and_(2 ** (64 - bits) - 1)
    return np.right_shift(x, np.uint64(bits), out=room)


def _strides(counter: Any) -> Any:
    """What is added to a state to stir in a counter."""
    return (counter + _number(1, counter)) * _number(_GOLDEN, counter)


def _stirred(state: Any, strides: Any) -> Any:
    """The next state."""
    if isinstance(state, int):
        state = _number(state, strides)
    elif isinstance(strides, int):
        strides = _number(strides, state)
    return _mix(state + strides)


def _state(seed: int, *counters: _Bits) -> Any:
    """The state once all these counters are stirred in, one after the other."""
    state = _mix(seed + _GOLDEN)
    if not -(2**63) <= seed < 2**63:
        state = _mix(state ^ (seed >> 64))
    for counter in counters:
        state = _stirred(state, _strides(counter))
    return state


_ONE = 0x3FF << 52
"""The bits of 1.0: in place of its fraction, m stands for 1 + m / 2^52."""
_BELOW = 1 - 2.0**-53
"""Less this, that is (m + 1/2) / 2^52, exactly."""


def _inside(state: Any) -> Tensor:
    """The numbers in (0, 1) that states stand for, float64: (m + 1/2) / 2^52 by their highest bits m; of many in the place of `state`."""
    if isinstance(state, int):
        return torch.tensor(((state >> 12) + 0.5) * 2.0**-52, dtype=torch.float64)
    fraction = _shifted(state, 12, state if isinstance(state, np.ndarray) else None)
    fraction |= _number(_ONE, fraction)
    numbers = fraction.view(torch.float64) if isinstance(fraction, Tensor) else torch.from_numpy(fraction.view(np.float64))
    return numbers.sub_(_BELOW)


def uniforms(seed: int, position: int | Tensor, stream: int, index: int | Tensor) -> Tensor:
    """Independent uniform numbers, one per broadcast element of `position` and `index`.

    Args:
        seed: any integer; all its bits count.
        position: index of the token in the whole sequence, int or int64 tensor.
        stream: CLOCK, DRAW, COIN or RESIDUAL.
        index: number within the position, int or int64 tensor (for clocks the token id).

    Returns:
        float64 in (0, 1), of the broadcast shape, on the device of `index`; the same bits on every device.
    """
    return _inside(_state(seed, stream, _bits(position), _bits(index)))


def clocks(seed: int, position: int | Tensor, vocab_size: int, device: torch.device | str = "cpu") -> Tensor:
    """The exponential clocks of every token at a position: E ~ Exp(1), shared by draft and target (arXiv 2504.15475, section 3).

    They are -log of the `uniforms` of the stream CLOCK whose index is the token.

    Args:
        seed: the run's seed.
        position: index of the token in the whole sequence, prompt and BOS counted; or an int64 tensor [n] of them.
        vocab_size: number of tokens. The clock of a token does not depend on it.
        device: where they are worked out: whole numbers up to the logarithm, which is taken in float64.

    Returns:
        float64 tensor [vocab_size] (or [n, vocab_size]); positive and finite.
    """
    if isinstance(position, Tensor):
        position = position.unsqueeze(-1).to(device)
    state = _state(seed, CLOCK, _bits(position))
    return _inside(_stirred(state, _strides_of_tokens(vocab_size, torch.device(device)))).log_().neg_()


@lru_cache(maxsize=8)
def _strides_of_tokens(vocab_size: int, device: torch.device) -> _Bits:
    strides: _Bits = _strides(_bits(torch.arange(vocab_size, device=device)))
    return strides


TOGETHER, POSITIONS = 2**16, 16
"""So many numbers are worked out together at most, for so many positions at most, but those of one position at least: the first operation
behind a forward pass finds nothing in the processor's caches, and a short run asks for few positions."""
MANY = 16_384
"""From so many numbers a position on those of the next positions are worked out beside what is going on. The thread shares the interpreter,
and of fewer tokens that costs the forward passes as much as it saves: with 4,096 they took 3% longer."""

_Kind = Callable[[int, Tensor, int, torch.device], Tensor]
"""`clocks` or `_coins`: of a seed, at positions [n], so many numbers, on a device"""
_CPU = torch.device("cpu")
_BESIDE = ThreadPoolExecutor(1, "clocks")


def _coins(seed: int, position: Tensor, count: int, device: torch.device) -> Tensor:
    """The first coins of every position, [n, count]."""
    return uniforms(seed, position.unsqueeze(-1), COIN, torch.arange(count))


def _gumbels(seed: int, position: Tensor, count: int, device: torch.device) -> Tensor:
    """-log of the clocks, [n, count]."""
    return clocks(seed, position, count, device).log_().neg_()


COINS = 256
"""Coins that are worked out together: of every position the first ones are the same, however many are asked for."""


@lru_cache(maxsize=64)
def _at(kind: _Kind, seed: int, position: int, count: int, device: torch.device) -> Tensor:
    """Those of one position, [1, count]."""
    positions = min(POSITIONS, max(1, TOGETHER // count))
    first = position - position % positions
    block = _block(kind, seed, first, positions, count, device)
    if count >= MANY:
        _prepare(kind, seed, first + positions, positions, count, device)
    return block[position - first]


@lru_cache(maxsize=64)
def _block(kind: _Kind, seed: int, first: int, positions: int, count: int, device: torch.device) -> tuple[Tensor, ...]:
    """Those of some positions from the `first` on, each [1, count]."""
    return kind(seed, torch.arange(first, first + positions), count, device).split(1)


@lru_cache(maxsize=64)
def _prepare(kind: _Kind, *block: Any) -> None:
    """Has a block worked out in a thread. A GPU is not waited for, and while a graph is recorded nobody else may tell it anything."""
    if block[-1].type == "cpu":
        with suppress(RuntimeError):  # the interpreter is ending
            _BESIDE.submit(_block, kind, *block)


def forget() -> None:
    """All that was worked out is worked out again, for who measures what that takes."""
    for kept in (_at, _block, _prepare):
        kept.cache_clear()


@dataclass(frozen=True)
class Noise:
    """The randomness a rule may use at one position, or at many at once (then `position` is an int64 tensor [n])."""

    seed: int
    position: int | Tensor

    def clocks(self, like: Tensor) -> Tensor:
        """The clocks E, float64, for the last dimension of `like` and on its device: [1, vocab] or [n, vocab]."""
        if isinstance(self.position, Tensor):
            return clocks(self.seed, self.position, like.shape[-1], like.device)
        return _at(clocks, self.seed, self.position, like.shape[-1], like.device)

    def gumbels(self, like: Tensor) -> Tensor:
        """-log E of the clocks E, which are standard Gumbel numbers."""
        if isinstance(self.position, Tensor):
            return self.clocks(like).log_().neg_()
        return _at(_gumbels, self.seed, self.position, like.shape[-1], like.device)

    def draws(self, slots: Sequence[int], count: int) -> Tensor:
        """Uniform numbers [len(slots), count] for the children of the vertices `slots`: independent from vertex to vertex."""
        if len(slots) == count == 1 and not isinstance(self.position, Tensor):
            return uniforms(self.seed, self.position, DRAW, slots[0] << 20).view(1, 1)
        index = (torch.as_tensor(slots).unsqueeze(-1) << 20) + torch.arange(count)
        return uniforms(self.seed, self._column(), DRAW, index)

    def coins(self, count: int) -> Tensor:
        """Uniform numbers [1 or n, count], one per try."""
        if not isinstance(self.position, Tensor) and count <= COINS:
            return _at(_coins, self.seed, self.position, COINS, _CPU)[:, :count]
        return uniforms(self.seed, self._column(), COIN, torch.arange(count).unsqueeze(0))

    def residual(self) -> Tensor:
        """One uniform number [1 or n] for the draw from what is left of the target."""
        return uniforms(self.seed, self.position, RESIDUAL, 0).view(-1)

    def _column(self) -> int | Tensor:
        return self.position.unsqueeze(-1) if isinstance(self.position, Tensor) else self.position
