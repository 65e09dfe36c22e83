"""Which way of multiplying is soonest on this machine, for how many rows: tried when a model is loaded.

PyTorch's own way is right for many rows. For one, and for the few tokens that a target scores in one call, it may take twice as long as
another, and which one that is differs: on AMD processors with one row `transposed`, with 5 `turned` or `packed`, with 9 `packed`; on an
Intel one with AVX-512 `transposed` with 5 and 9, and for one row none is sooner than PyTorch's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from time import perf_counter

import torch
from torch import Tensor

from .product import PACKED_ROWS, Product, Way, packed, plain, transposed, turned

ROWS = (1, 3, 5, 9, 17, 33)
"""So many rows are tried. What is soonest for the next number tried is taken; beyond the last, what is soonest for it."""
MOST_ROWS = PACKED_ROWS[-1]
"""More are multiplied as PyTorch does."""
ROUNDS, REPEATS = 2, 3
"""The ways are tried in turns, each so often behind itself, as in a run: behind another one it finds less of its copy near the processor.
The least time counts: what else the machine does only adds."""
CLEARLY = 0.9
"""A way has to take less than this times what PyTorch takes, or it is not worth another copy."""
MOST_COPIED = 2**28
"""Bytes that a copy of a model's weights may have, at most."""
MOST_TRIED = 2**24
"""Weights that are tried, of a larger model those of its first products: more than caches near a processor hold, so memory takes part."""

_PLAIN = "plain"
_WAYS: dict[str, Callable[[Tensor, Tensor | None], Way]] = {_PLAIN: plain, "turned": turned, "transposed": transposed, "packed": packed}
_COPIES = {"transposed", "packed"}


@torch.inference_mode()
def take_soonest(products: Sequence[Product]) -> dict[int, str]:
    """Let the products of one model, float32 on a CPU, be taken as is soonest here; returns the way for each of ROWS."""
    some = _first(products)
    is_small = sum(product.weight.nbytes for product in products) <= MOST_COPIED
    tried = {name: ways for name in _WAYS if (is_small or name not in _COPIES) and (ways := _made(name, some))}
    soonest = {rows: _soonest(tried, [product.weight.new_ones(rows, product.weight.shape[1]) for product in some]) for rows in ROWS}
    stands_for = [next((size for size in ROWS if size >= rows), ROWS[-1]) for rows in range(MOST_ROWS + 1)]
    names = [soonest[size] for size in stands_for]
    made = {name: _made(name, products) for name in set(names)}
    for place, product in enumerate(products):
        product.take([made[name][place] for name in names])
    return soonest


def _first(products: Sequence[Product]) -> list[Product]:
    """The first ones, at least one, that have MOST_TRIED weights at most."""
    weights = accumulate(product.weight.numel() for product in products)
    return [product for product, so_far in zip(products, weights, strict=True) if product is products[0] or so_far <= MOST_TRIED]


def _made(name: str, products: Sequence[Product]) -> list[Way]:
    """One way for every product; none where there is no such way here."""
    try:
        return [_WAYS[name](product.weight, product.bias) for product in products]
    except (AttributeError, RuntimeError):
        return []


def _soonest(tried: dict[str, list[Way]], inputs: list[Tensor]) -> str:
    """The name of the way that multiplies these inputs, one for every product, soonest."""
    seconds = dict.fromkeys(tried, float("inf"))
    for _ in range(ROUNDS):
        for name, ways in tried.items():
            for _ in range(REPEATS):
                begun = perf_counter()
                for way, x in zip(ways, inputs, strict=True):
                    way(x)
                seconds[name] = min(seconds[name], perf_counter() - begun)
    best = min(seconds, key=seconds.__getitem__)
    return best if seconds[best] < CLEARLY * seconds[_PLAIN] else _PLAIN
