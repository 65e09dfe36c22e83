"""Linear layer and RMSNorm of the Llama decoder, with the kernels that are fastest for a few rows on a CPU."""

from __future__ import annotations

from bisect import bisect_left

import torch
import torch.nn.functional as F
from torch import Tensor

PACKED_ROWS = (5, 7, 9, 13, 17, 25, 33, 49, 65)
"""Numbers of rows that the packed kernel is called with; inputs are padded to the next one, because oneDNN keeps about half a megabyte for
every number of rows it has seen. 5, 9, 13, 17, 33 and 65 are the last token of the text with 4, 8, 12, 16, 32 and 64 drafted ones."""


class Linear:
    """y = x W^T + b for rows x.

    On a CPU in float32, PyTorch's own kernel is slow for the few tokens of a decoding step. `for_few_rows` lays W out by columns in memory,
    which is fastest for a single row, and adds a copy packed by oneDNN for up to 65. All else goes through `F.linear`.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        """`weight`: [out, in]; `bias`: [out]."""
        self.weight, self.bias = weight, bias
        self._transposed: Tensor | None = None
        self._packed: Tensor | None = None
        self._least_packed = 0
        """rows from which on the packed copy is used"""

    def __call__(self, x: Tensor) -> Tensor:
        """[n, out] for x [n, in]."""
        rows = x.shape[0]
        if rows < self._least_packed and self._transposed is not None:
            return torch.mm(x, self._transposed) if self.bias is None else torch.addmm(self.bias, x, self._transposed)
        if self._packed is not None and rows <= PACKED_ROWS[-1]:
            padded_rows = PACKED_ROWS[bisect_left(PACKED_ROWS, rows)]
            padded = x if padded_rows == rows else F.pad(x, (0, 0, 0, padded_rows - rows))
            product: Tensor = torch.ops.mkldnn._linear_pointwise(padded, self._packed, self.bias, "none", [], "")
            return product[:rows]
        return F.linear(x, self.weight, self.bias)

    def for_few_rows(self, least_packed: int) -> None:
        """Lay the weight out by columns and keep a packed copy, for inputs of at least this many rows (float32 on a CPU; without oneDNN
        there is none).

        `weight` becomes another view of the same numbers: whoever shares it takes it from here.
        """
        weight, self._least_packed = self.weight.contiguous(), least_packed
        self._transposed = weight.t().contiguous()
        self.weight = self._transposed.t()
        try:
            packed = torch.ops.mkldnn._reorder_linear_weight(weight, PACKED_ROWS[0])
            torch.ops.mkldnn._linear_pointwise(weight.new_zeros(PACKED_ROWS[0], weight.shape[1]), packed, self.bias, "none", [], "")
        except (AttributeError, RuntimeError):
            return
        self._packed = packed


class RMSNorm:
    """x w / sqrt(mean x² + ε) over the last dimension (Zhang & Sennrich, 2019).

    PyTorch computes it in ten operations on a CPU, and next to layers as small as the embedded pair's an operation costs about the same
    whatever its size. In float32 on a CPU it is computed as x (w √d) / sqrt(|x|² + d ε), in four.
    """

    def __init__(self, weight: Tensor, epsilon: float) -> None:
        """`weight`: [d]."""
        size = weight.shape[0]
        self.weight, self.epsilon = weight, epsilon
        self._scaled = weight * size**0.5 if weight.device.type == "cpu" and weight.dtype == torch.float32 else None
        self._least = torch.tensor((size * epsilon) ** 0.5, dtype=torch.float32)

    def __call__(self, x: Tensor) -> Tensor:
        """Normalised x [..., d], in its precision."""
        if self._scaled is None:
            return F.rms_norm(x, x.shape[-1:], self.weight, self.epsilon)
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return (x * self._scaled).div_(torch.hypot(length, self._least))
