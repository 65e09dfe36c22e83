"""Products in several ways: each gives the product, and the one is taken that the clock says is soonest."""

import pytest
import torch

from ersd.models import soonest
from ersd.models.product import PACKED_ROWS, Product, packed, plain, transposed, turned
from ersd.models.soonest import MOST_ROWS, REPEATS, ROUNDS, ROWS, take_soonest


def products(count=3, bias=False):
    torch.manual_seed(0)
    return [Product(torch.randn(8, 4), torch.randn(8) if bias else None) for _ in range(count)]


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("way", [plain, turned, transposed, packed])
def test_every_way_gives_the_product(way, bias):
    (product,) = products(1, bias)
    multiply = way(product.weight, product.bias)
    for rows in range(1, MOST_ROWS + 1):
        x = torch.randn(rows, 4)
        expected = x.double() @ product.weight.double().t() + (product.bias if bias else 0)
        assert multiply(x).is_contiguous()
        torch.testing.assert_close(multiply(x).double(), expected, atol=1e-5, rtol=1e-5)


class Clock:
    """A time that only ways take."""

    def __init__(self, monkeypatch, **seconds):
        self.now, self.calls = 0.0, []
        monkeypatch.setattr(soonest, "perf_counter", lambda: self.now)
        monkeypatch.setattr(soonest, "_WAYS", {name: self.way(name, taken) for name, taken in seconds.items()})

    def way(self, name, taken):
        def made(weight, bias):
            def multiply(x):
                self.calls.append((name, len(x)))
                self.now += taken(len(x)) if callable(taken) else taken
                return plain(weight, bias)(x)

            return multiply

        return made

    def taken(self, product):
        """The way by which so many rows are multiplied, from one on."""
        self.calls.clear()
        for rows in range(1, MOST_ROWS + 2):
            product(torch.randn(rows, 4))
        return [name for name, _ in self.calls]


def test_the_soonest_way_is_taken_for_every_number_of_rows(monkeypatch):
    clock = Clock(monkeypatch, plain=1.0, turned=lambda rows: 0.5 if 1 < rows <= 5 else 2.0, packed=lambda rows: 0.5 if rows > 9 else 2.0)
    made = products()
    assert take_soonest(made) == {1: "plain", 3: "turned", 5: "turned", 9: "plain", 17: "packed", 33: "packed"}
    for product in made:  # more than MOST_ROWS go by PyTorch's own product, which this clock does not see
        names = ["plain"] + 4 * ["turned"] + 4 * ["plain"] + (MOST_ROWS - 9) * ["packed"]
        assert clock.taken(product) == names


def test_one_row_too_is_multiplied_as_is_soonest(monkeypatch):
    """All wait for memory then, and still PyTorch's own way may take longer than another: one by one would look slower than it is."""
    clock = Clock(monkeypatch, plain=1.0, transposed=lambda rows: 0.5 if rows == 1 else 2.0)
    made = products()
    assert take_soonest(made)[1] == "transposed"
    for product in made:
        assert clock.taken(product) == ["transposed"] + (MOST_ROWS - 1) * ["plain"]


def test_a_way_that_is_hardly_sooner_is_not_taken(monkeypatch):
    Clock(monkeypatch, plain=1.0, transposed=0.91)
    assert set(take_soonest(products()).values()) == {"plain"}
    Clock(monkeypatch, plain=1.0, transposed=0.89)
    assert set(take_soonest(products()).values()) == {"transposed"}


def test_what_else_the_machine_does_does_not_count(monkeypatch):
    """Of a way's tries one is soon, the others are held up."""
    held_up = iter([9.0, 0.1, *(9.0 for _ in range(len(ROWS) * ROUNDS * REPEATS))])
    Clock(monkeypatch, plain=1.0, turned=lambda rows: next(held_up))
    assert take_soonest(products(1))[ROWS[0]] == "turned"


@pytest.mark.parametrize("problem", [AttributeError, RuntimeError])
def test_a_way_that_there_is_not_here_is_left_out(monkeypatch, problem):
    Clock(monkeypatch, plain=1.0, turned=0.5)

    def missing(weight, bias):
        raise problem("no oneDNN")

    monkeypatch.setitem(soonest._WAYS, "packed", missing)
    assert set(take_soonest(products()).values()) == {"turned"}


def test_a_large_model_keeps_no_second_copy_of_its_weights(monkeypatch):
    Clock(monkeypatch, plain=1.0, turned=0.8, transposed=0.5, packed=0.6)
    size = sum(product.weight.nbytes for product in products())
    monkeypatch.setattr(soonest, "MOST_COPIED", size)
    assert set(take_soonest(products()).values()) == {"transposed"}
    monkeypatch.setattr(soonest, "MOST_COPIED", size - 1)
    assert set(take_soonest(products()).values()) == {"turned"}


@pytest.mark.parametrize(("most", "tried"), [(1, 1), (63, 1), (64, 2), (1000, 3)])
def test_of_a_large_model_the_first_products_are_tried(monkeypatch, most, tried):
    clock = Clock(monkeypatch, plain=1.0)
    monkeypatch.setattr(soonest, "MOST_TRIED", most)
    take_soonest(products())
    assert len(clock.calls) == tried * len(ROWS) * ROUNDS * REPEATS


def test_onednn_is_asked_for_few_numbers_of_rows(monkeypatch):
    seen, take = set(), torch.ops.mkldnn._linear_pointwise

    def noted(x, *more):
        seen.add(x.shape[0])
        return take(x, *more)

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", noted)
    (product,) = products(1)
    multiply = packed(product.weight, None)
    for rows in range(1, MOST_ROWS + 1):
        multiply(torch.randn(rows, 4))
    assert seen == set(PACKED_ROWS)
