"""x W^T + b for a few rows x, the dearest part of a forward pass: as a machine does it soonest."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

FEW_ROWS = 9
"""Up to so many rows a product is turned round; measured on AMD and MKL, where 12 rows are slower so."""
LOST = 2.0**-24
"""What half precision may move a weight by, at most: it holds those that come from bfloat16, but for the last bits of the least of them."""
MOST_HALVED = 2**27
"""Weights that are kept in half precision too, at most: 256 MB."""


@dataclass
class Product:
    """The product with one weight."""

    weight: Tensor
    """[out, in]"""
    bias: Tensor | None = None
    """[out]"""
    _halved: tuple[Tensor, Tensor] | None = None
    """the weight once more, in half precision and as FBGEMM wants it, and the bias or zeros"""

    def __call__(self, x: Tensor) -> Tensor:
        """Of x [n, in]: [n, out]."""
        if self._halved:
            return torch.fbgemm_linear_fp16_weight(x, *self._halved)
        if x.device.type != "cpu" or not 2 <= x.shape[0] <= FEW_ROWS:
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

        AttributeError or RuntimeError without FBGEMM, which PyTorch has on x86, and means to drop.
        """
        bias = self.weight.new_zeros(len(self.weight)) if self.bias is None else self.bias
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it will be dropped
            halved = torch.fbgemm_pack_gemm_matrix_fp16(self.weight.contiguous()), bias
            torch.fbgemm_linear_fp16_weight(self.weight.new_zeros(1, self.weight.shape[1]), *halved)
        self._halved = halved

    def restore(self) -> None:
        """Its weight is read as it is, again."""
        self._halved = None
