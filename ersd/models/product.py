"""x W^T + b for a few rows x, the dearest part of a forward pass, in several ways. Which is soonest is the machine's to say: `soonest`."""

from __future__ import annotations

import warnings
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

PACKED_ROWS = (5, 7, 9, 12, 17, 25, 33, 49, 65)
"""Of so many rows a packed product is taken: oneDNN keeps about half a megabyte for every number that it has seen. 5, 9, 17, 33 and 65 are
a text's last token and 4, 8, 16, 32 and 64 drafted ones: 5 as 7 would take a quarter longer."""
LOST = 2.0**-24
"""What half precision may move a weight by, at most: it holds those that come from bfloat16, but for the last bits of the least of them."""

Way = Callable[[Tensor], Tensor]
"""x [n, in] to x W^T + b [n, out], for one W and b"""


class Product:
    """The product with one weight."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        """`weight`: [out, in]; `bias`: [out]."""
        self.weight, self.bias = weight, bias
        self.restore()

    def __call__(self, x: Tensor) -> Tensor:
        """Of x [n, in]: [n, out]."""
        rows = x.shape[0]
        return self._of_rows[rows](x) if rows < len(self._of_rows) else self._of_more(x)

    def take(self, ways: Sequence[Way], beyond: Way | None = None) -> None:
        """From now on n rows are multiplied by ways[n], and more than there are ways for `beyond`, or else as PyTorch does."""
        self._of_rows, self._of_more = ways, beyond or plain(self.weight, self.bias)

    def restore(self) -> None:
        """All rows are multiplied as PyTorch does, again."""
        self.take(())


def plain(weight: Tensor, bias: Tensor | None) -> Way:
    """As PyTorch does."""
    return partial(F.linear, weight=weight, bias=bias)


def turned(weight: Tensor, bias: Tensor | None) -> Way:
    """The other way round, as (W x^T)^T, and laid out by rows again, or all that follows is slower."""

    def multiply(x: Tensor) -> Tensor:
        product = (weight @ x.t()).t().contiguous()
        return product if bias is None else product.add_(bias)

    return multiply


def transposed(weight: Tensor, bias: Tensor | None) -> Way:
    """On a copy of the weight that lies by columns."""
    copy = weight.t().contiguous()
    return partial(torch.mm, mat2=copy) if bias is None else lambda x: torch.addmm(bias, x, copy)


def packed(weight: Tensor, bias: Tensor | None) -> Way:
    """By oneDNN, on a copy of the weight that is laid out for it. AttributeError or RuntimeError where it is missing."""
    multiply = torch.ops.mkldnn._linear_pointwise
    copy = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), PACKED_ROWS[0])

    def of_some_rows(x: Tensor) -> Tensor:
        rows = x.shape[0]
        taken = PACKED_ROWS[bisect_left(PACKED_ROWS, rows)]
        padded = x if taken == rows else F.pad(x, (0, 0, 0, taken - rows))
        product: Tensor = multiply(padded, copy, bias, "none", [], "")
        return product[:rows]

    of_some_rows(weight.new_zeros(1, weight.shape[1]))
    return of_some_rows


def halved(weight: Tensor, bias: Tensor | None) -> Way:
    """The weight read in half precision, which takes half of the time; of x and of the sums all bits are kept.

    ValueError if half precision does not hold it; AttributeError or RuntimeError without FBGEMM: PyTorch on x86 has it still.
    """
    if not fits_half_precision(weight):
        raise ValueError("half precision does not hold these weights")
    added = weight.new_zeros(len(weight)) if bias is None else bias
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it will be dropped
        copy = torch.fbgemm_pack_gemm_matrix_fp16(weight.contiguous())
        torch.fbgemm_linear_fp16_weight(weight.new_zeros(1, weight.shape[1]), copy, added)
    return lambda x: torch.fbgemm_linear_fp16_weight(x, copy, added)


def fits_half_precision(weight: Tensor) -> bool:
    """Does half precision hold a weight of float32 on a CPU?"""
    return weight.device.type == "cpu" and weight.dtype == torch.float32 and bool((weight.half() - weight).abs().max() <= LOST)
