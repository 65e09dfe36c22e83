"""The norm of the lean decoder is PyTorch's."""

import pytest
import torch
import torch.nn.functional as F

from ersd.models.rms_norm import RMSNorm


@pytest.mark.parametrize("size", [1, 32, 257])
@pytest.mark.parametrize("scale", [0.0, 1e-6, 1e-3, 1.0, 1e6])
def test_it_is_that_of_pytorch_for_rows_of_any_size(size, scale):
    generator = torch.Generator().manual_seed(size)
    rows, weight = scale * torch.randn(3, 2, size, generator=generator), torch.rand(size, generator=generator) - 0.2
    torch.testing.assert_close(RMSNorm(weight, 1e-5)(rows), F.rms_norm(rows, (size,), weight, 1e-5), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_in_half_precision_it_is_that_of_pytorch_itself(dtype):
    rows, weight = 300 * torch.randn(4, 64, dtype=dtype), torch.rand(64, dtype=dtype)  # squares of these leave float16
    found = RMSNorm(weight, 1e-5)(rows)
    assert found.dtype == dtype
    assert torch.equal(found, F.rms_norm(rows, (64,), weight, 1e-5))
