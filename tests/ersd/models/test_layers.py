"""Linear and RMSNorm of the Llama decoder compute what PyTorch's own do."""

import pytest
import torch
import torch.nn.functional as F

from ersd.models.layers import PACKED_ROWS, Linear, RMSNorm


@pytest.mark.parametrize("bias", [False, True])
def test_the_product_is_right_for_every_number_of_rows(bias):
    torch.manual_seed(0)
    linear = Linear(torch.randn(8, 4), torch.randn(8) if bias else None)
    linear.for_few_rows(5)
    for rows in range(1, PACKED_ROWS[-1] + 3):
        x = torch.randn(rows, 4)
        expected = x.double() @ linear.weight.double().t() + (linear.bias if bias else 0)
        assert linear(x).is_contiguous()
        torch.testing.assert_close(linear(x).double(), expected, atol=1e-5, rtol=1e-5)


def test_onednn_sees_few_numbers_of_rows(monkeypatch):
    seen, multiply = set(), torch.ops.mkldnn._linear_pointwise
    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", lambda x, *more: (seen.add(x.shape[0]), multiply(x, *more))[1])
    linear = Linear(torch.randn(8, 4))
    linear.for_few_rows(5)
    for rows in range(1, PACKED_ROWS[-1] + 3):
        linear(torch.randn(rows, 4))
    assert seen == set(PACKED_ROWS)


@pytest.mark.parametrize("problem", [AttributeError, RuntimeError])
def test_without_onednn_pytorch_multiplies_several_rows(monkeypatch, problem):
    def missing(*_):
        raise problem("no oneDNN")

    monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", missing)
    linear = Linear(torch.randn(8, 4))
    linear.for_few_rows(5)
    x = torch.randn(5, 4)
    assert torch.equal(linear(x), F.linear(x, linear.weight))


@pytest.mark.parametrize("size", [1, 32, 257])
@pytest.mark.parametrize("scale", [0.0, 1e-6, 1e-3, 1.0, 1e6])
def test_the_norm_is_that_of_pytorch_for_rows_of_any_size(size, scale):
    generator = torch.Generator().manual_seed(size)
    rows, weight = scale * torch.randn(3, 2, size, generator=generator), torch.rand(size, generator=generator) - 0.2
    torch.testing.assert_close(RMSNorm(weight, 1e-5)(rows), F.rms_norm(rows, (size,), weight, 1e-5), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_norm_in_half_precision_is_pytorch_s_own(dtype):
    rows, weight = 300 * torch.randn(4, 64, dtype=dtype), torch.rand(64, dtype=dtype)  # their squares exceed float16
    found = RMSNorm(weight, 1e-5)(rows)
    assert found.dtype == dtype
    assert torch.equal(found, F.rms_norm(rows, (64,), weight, 1e-5))
