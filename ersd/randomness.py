"""Counter-based randomness: every clock and coin is a pure function of what it is for.

No state, no order of calls, no device: SplitMix64 over (seed, position, stream, index). Uniform numbers have 52 bits and lie half a step
inside (0, 1): 0 and 1 never occur, so a clock -log u is never 0 or infinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

CLOCK, DRAW, COIN, RESIDUAL = range(4)
"""Streams: what a number is used for. Numbers of different streams are independent."""

_GOLDEN = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


_ALL_BITS = 2**64 - 1


def _signed(value: int) -> int:
    """The int64 with the same 64 bits as `value`; torch has no unsigned arithmetic."""
    value &= _ALL_BITS
    return value - 2**64 if value >= 2**63 else value


def _shift_right(x: Tensor, bits: int) -> Tensor:
    if x.is_cpu:
        return torch.from_numpy(np.asarray(x.numpy().view(np.uint64) >> np.uint64(bits)).view(np.int64))
    return (x >> bits).bitwise_and_(2 ** (64 - bits) - 1)


def _mix(x: Tensor) -> Tensor:
    """SplitMix64's finalizer (Steele, Lea & Flood 2014) on int64 with wrap-around; on a CPU in the place of `x`."""
    if x.is_cpu:
        _mix_unsigned(x.numpy().view(np.uint64))
        return x
    x = _shift_right(x, 30).bitwise_xor_(x).mul_(_signed(_MIX_1))
    x = _shift_right(x, 27).bitwise_xor_(x).mul_(_signed(_MIX_2))
    return _shift_right(x, 31).bitwise_xor_(x)


def _mix_unsigned(bits: np.ndarray) -> None:
    """The same on the CPU, where numpy's unsigned numbers take half of the time; and most of the rest is memory that was not at hand."""
    shifted = np.empty_like(bits)
    bits ^= np.right_shift(bits, np.uint64(30), out=shifted)
    bits *= np.uint64(_MIX_1)
    bits ^= np.right_shift(bits, np.uint64(27), out=shifted)
    bits *= np.uint64(_MIX_2)
    bits ^= np.right_shift(bits, np.uint64(31), out=shifted)


def _mix_number(x: int) -> int:
    """The same of one number, without the price of a tensor."""
    x &= _ALL_BITS
    x = (x ^ (x >> 30)) * _MIX_1 & _ALL_BITS
    x = (x ^ (x >> 27)) * _MIX_2 & _ALL_BITS
    return x ^ (x >> 31)


def _counted(state: int | Tensor, counter: int | Tensor) -> int | Tensor:
    """The next state: the counter is stirred in."""
    if isinstance(counter, Tensor):
        return _stirred(state, _strides(counter))
    added = (counter + 1) * _GOLDEN
    return _mix(state + _signed(added)) if isinstance(state, Tensor) else _mix_number(state + added)


def _strides(counter: Tensor) -> Tensor:
    """What is added to a state to stir in a counter."""
    return (counter.to(torch.int64) + 1) * _signed(_GOLDEN)


def _stirred(state: int | Tensor, strides: Tensor) -> Tensor:
    return _mix((state if isinstance(state, Tensor) else _signed(state)) + strides)


def _state(seed: int, *counters: int | Tensor) -> int | Tensor:
    """The state once all these counters are stirred in, one after the other."""
    start = _mix_number(seed + _GOLDEN)
    state: int | Tensor = start if -(2**63) <= seed < 2**63 else _mix_number(start ^ (seed >> 64))
    for counter in counters:
        state = _counted(state, counter)
    return state


def _inside(state: Tensor) -> Tensor:
    """The numbers in (0, 1) that states stand for, float64."""
    return _shift_right(state, 12).to(torch.float64).add_(0.5).mul_(2.0**-52)


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
    state = _state(seed, stream, position, index)
    return _inside(torch.tensor(_signed(state)) if isinstance(state, int) else state)


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
    state = _state(seed, CLOCK, position)
    return _inside(_stirred(state, _strides_of_tokens(vocab_size, torch.device(device)))).log_().neg_()


@lru_cache(maxsize=8)
def _strides_of_tokens(vocab_size: int, device: torch.device) -> Tensor:
    return _strides(torch.arange(vocab_size, device=device))


MANY_CLOCKS = 16_384
"""From so many tokens on a position's clocks are wound up alone, beforehand in a thread; fewer take less time than to wake it and to share
the interpreter with it, and are wound up for BLOCK positions together."""
BLOCK = 8


@lru_cache(maxsize=64)
def _block_of_clocks(seed: int, first: int, count: int, vocab_size: int, device: torch.device) -> tuple[Tensor, ...]:
    """Those of `count` positions from the `first` on, each [1, vocab]."""
    return clocks(seed, torch.arange(first, first + count), vocab_size, device).split(1)


@lru_cache(maxsize=64)
def _clocks_at(seed: int, position: int, vocab_size: int, device: torch.device) -> Tensor:
    """Those of one position, [1, vocab]."""
    count = BLOCK if vocab_size < MANY_CLOCKS else 1
    place = position % count
    return _block_of_clocks(seed, position - place, count, vocab_size, device)[place]


@lru_cache(maxsize=512)
def _coins(seed: int, position: int) -> Tensor:
    return uniforms(seed, position, COIN, torch.arange(_COINS)).unsqueeze(0)


_COINS = 256
"""Coins that are worked out together: of every position the first ones are the same, however many are asked for."""
_BESIDE = ThreadPoolExecutor(1, "clocks")


def prepare_clocks(seed: int, positions: Iterable[int], vocab_size: int, device: torch.device) -> None:
    """Wind up the clocks of positions that come soon, beside what is going on; `Noise.clocks` finds them then."""
    if vocab_size >= MANY_CLOCKS:
        _BESIDE.submit(lambda: [_clocks_at(seed, position, vocab_size, device) for position in positions])


@dataclass(frozen=True)
class Noise:
    """The randomness a rule may use at one position, or at many at once (then `position` is an int64 tensor [n])."""

    seed: int
    position: int | Tensor

    def clocks(self, like: Tensor) -> Tensor:
        """The clocks E, float64, for the last dimension of `like` and on its device: [1, vocab] or [n, vocab]."""
        if isinstance(self.position, Tensor):
            return clocks(self.seed, self.position, like.shape[-1], like.device)
        return _clocks_at(self.seed, self.position, like.shape[-1], like.device)

    def draws(self, slots: Sequence[int], count: int) -> Tensor:
        """Uniform numbers [len(slots), count] for the children of the vertices `slots`: independent from vertex to vertex."""
        index = (torch.as_tensor(slots).unsqueeze(-1) << 20) + torch.arange(count)
        return uniforms(self.seed, self._column(), DRAW, index)

    def coins(self, count: int) -> Tensor:
        """Uniform numbers [1 or n, count], one per try."""
        if not isinstance(self.position, Tensor) and count <= _COINS:
            return _coins(self.seed, self.position)[:, :count]
        return uniforms(self.seed, self._column(), COIN, torch.arange(count).unsqueeze(0))

    def residual(self) -> Tensor:
        """One uniform number [1 or n] for the draw from what is left of the target."""
        return uniforms(self.seed, self._column(), RESIDUAL, torch.zeros(1, 1, dtype=torch.int64)).squeeze(-1)

    def _column(self) -> int | Tensor:
        return self.position.unsqueeze(-1) if isinstance(self.position, Tensor) else self.position
