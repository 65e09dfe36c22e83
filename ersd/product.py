"""x W^T + b for a few rows x, the dearest part of a forward pass: as a machine does it soonest."""

from __future__ import annotations

import warnings
from bisect import bisect_left
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

FEW_ROWS = 5
"""Up to so many rows a product is turned round; measured on AMD and MKL, with one thread and with two."""
PACKED_ROWS = (7, 9, 12, 17, 25, 33, 49, 65)
"""Of so many rows a packed product is taken: oneDNN keeps about half a megabyte for every number that it has seen. 65: more go as fast
through MKL."""
LOST = 2.0**-24
"""What half precision may move a weight by, at most: it holds those that come from bfloat16, but for the last bits of the least of them."""
MOST_COPIED = 2**28
"""Bytes of a second copy of a model's weights, at most."""


@dataclass
class Product:
    """The product with one weight."""

    weight: Tensor
    """[out, in]"""
    bias: Tensor | None = None
    """[out]"""
    _halved: tuple[Tensor, Tensor] | None = None
    """the weight once more, in half precision and as FBGEMM wants it, and the bias or zeros"""
    _packed: Tensor | None = None
    """the weight once more, as oneDNN wants it"""

    def __call__(self, x: Tensor) -> Tensor:
        """Of x [n, in]: [n, out]."""
        if self._halved:
            return torch.fbgemm_linear_fp16_weight(x, *self._halved)
        rows = x.shape[0]
        if self._packed is not None and FEW_ROWS < rows <= PACKED_ROWS[-1]:
            return self._of_packed(x)
        if x.device.type != "cpu" or not 2 <= rows <= FEW_ROWS:
            return F.linear(x, self.weight, self.bias)
        # a few rows go faster the other way round, as (W x^T)^T: a third of a forward pass of 2 to 5 entries; and laid out by rows again,
        # or all that follows is slower
        product = (self.weight @ x.t()).t().contiguous()
        return product if self.bias is None else product.add_(self.bias)

    @property
    def fits_half_precision(self) -> bool:
        """Does half precision hold its weights?"""
        weight = self.weight
        return weight.device.type == "cpu" and weight.dtype == torch.float32 and bool((weight.half() - weight).abs().max() <= LOST)

    def halve(self) -> None:
        """From now on its weight is read in half precision, which takes half of the time; of x and of the sums all bits are kept.

        ValueError if half precision does not hold its weights; AttributeError or RuntimeError without FBGEMM, which PyTorch has on x86, and
        means to drop.
        """
        if not self.fits_half_precision:
            raise ValueError("half precision does not hold these weights")
        bias = self.weight.new_zeros(len(self.weight)) if self.bias is None else self.bias
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it will be dropped
            halved = torch.fbgemm_pack_gemm_matrix_fp16(self.weight.contiguous()), bias
            torch.fbgemm_linear_fp16_weight(self.weight.new_zeros(1, self.weight.shape[1]), *halved)
        self._halved = halved

    def pack(self) -> None:
        """From now on products of more than FEW_ROWS are taken by oneDNN, on a copy of the weight that is laid out for it: in two thirds of
        the time. Not of one row: there all ways wait for memory.

        AttributeError or RuntimeError without oneDNN, or if the weight is not float32 on a CPU.
        """
        if self.weight.device.type != "cpu" or self.weight.dtype != torch.float32:
            raise RuntimeError("only float32 on a CPU is packed")
        self._packed = torch.ops.mkldnn._reorder_linear_weight(self.weight.contiguous(), PACKED_ROWS[0])
        self._of_packed(self.weight.new_zeros(1, self.weight.shape[1]))

    def _of_packed(self, x: Tensor) -> Tensor:
        rows = x.shape[0]
        taken = PACKED_ROWS[bisect_left(PACKED_ROWS, rows)]
        padded = x if taken == rows else F.pad(x, (0, 0, 0, taken - rows))
        product: Tensor = torch.ops.mkldnn._linear_pointwise(padded, self._packed, self.bias, "none", [], "")
        return product[:rows]

    def restore(self) -> None:
        """Its weight is read as it is, again."""
        self._halved = self._packed = None
