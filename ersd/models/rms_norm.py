"""Root mean square normalisation of the rows of a batch (Zhang & Sennrich, 2019), in four operations on a CPU."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


class RMSNorm:
    """x w / sqrt(mean x² + ε).

    PyTorch works it out in ten operations on a CPU, and beside models as small as the embedded ones an operation costs about the same
    whatever its size. There it is taken as x (w √d) / sqrt(|x|² + d ε).
    """

    def __init__(self, weight: Tensor, epsilon: float) -> None:
        """`weight`: [d]."""
        size = weight.shape[0]
        self.weight, self.epsilon = weight, epsilon
        self._scaled = weight * size**0.5 if weight.device.type == "cpu" and weight.dtype == torch.float32 else None
        self._least = torch.tensor((size * epsilon) ** 0.5)

    def __call__(self, x: Tensor) -> Tensor:
        """Of x [..., d], in its precision."""
        if self._scaled is None:
            return F.rms_norm(x, x.shape[-1:], self.weight, self.epsilon)
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        return (x * self._scaled).div_(torch.hypot(length, self._least))
