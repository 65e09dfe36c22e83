"""Linear layer and RMSNorm of the Llama decoder, with the kernels that are fastest for a few rows on a CPU."""

from __future__ import annotations

from bisect import bisect_left

import torch
import torch.nn.functional as F
from torch import Tensor

TRANSPOSED_ROWS = 4
"""Maximum rows for the transposed copy. With 2 and 3 rows, as when a draft reads two tokens, it is 1.9 and 1.4 times as fast as the packed
one on an AMD processor with AVX2; with 5 rows it is slower."""
PACKED_ROWS = (5, 7, 9, 12, 17, 25, 33, 49, 65)
"""Numbers of rows that the packed kernel is called with; inputs are padded to the next one, because oneDNN keeps about half a megabyte for
every number of rows it has seen. 5, 9, 17, 33 and 65 are the last token of the text with 4, 8, 16, 32 and 64 drafted ones."""


class Linear:
    """y = x W^T + b for rows x.

    On a CPU in float32, PyTorch's own kernel is slow for the few tokens of a decoding step. `add_copies` adds two copies of the weight:
    transposed for up to 4 rows, packed by oneDNN for up to 65. All else goes through `F.linear`.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        """`weight`: [out, in]; `bias`: [out]."""
        self.weight, self.bias = weight, bias
        self._transposed: Tensor | None = None
        self._packed: Tensor | None = None

    def __call__(self, x: Tensor) -> Tensor:
        """[n, out] for x [n, in]."""
        rows = x.shape[0]
        if rows <= TRANSPOSED_ROWS and self._transposed is not None:
            return torch.mm(x, self._transposed) if self.bias is None else torch.addmm(self.bias, x, self._transposed)
        if self._packed is not None and rows <= PACKED_ROWS[-1]:
            padded_rows = PACKED_ROWS[bisect_left(PACKED_ROWS, rows)]
            padded = x if padded_rows == rows else F.pad(x, (0, 0, 0, padded_rows - rows))
            product: Tensor = torch.ops.mkldnn._linear_pointwise(padded, self._packed, self.bias, "none", [], "")
            return product[:rows]
        return F.linear(x, self.weight, self.bias)

    def add_copies(self) -> None:
        """Keep copies of the weight for few rows (float32 on a CPU). Without oneDNN there is no packed one."""
        self._transposed = self.weight.t().contiguous()
        try:
            packed = torch.ops.mkldnn._reorder_linear_weight(self.weight.contiguous(), PACKED_ROWS[0])
            torch.ops.mkldnn._linear_pointwise(
                self.weight.new_zeros(PACKED_ROWS[0], self.weight.shape[1]), packed, self.bias, "none", [], ""
            )
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
