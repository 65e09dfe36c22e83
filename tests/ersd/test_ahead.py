"""A generator that works ahead: same items, bounded, closed with its consumer, errors and all."""

import sys
import threading
import time

import pytest

from ersd.ahead import HANDOVER, SLOW, ahead


def counting(made, closed, count=100):
    try:
        for number in range(count):
            made.append(number)
            yield number
    finally:
        closed.append(threading.current_thread().name)


def test_the_same_items_in_the_same_order_from_another_thread():
    made, closed = [], []
    assert list(ahead(counting(made, closed))) == made == list(range(100))
    assert closed == ["ahead"]


def test_threads_hand_the_interpreter_over_soon():
    sys.setswitchinterval(0.005)
    list(ahead(counting([], [])))
    assert sys.getswitchinterval() == pytest.approx(HANDOVER)


@pytest.mark.parametrize("most", [1, 3])
def test_it_stays_so_far_ahead_and_no_farther(most):
    made = []
    items = ahead(counting(made, []), most)
    assert next(items) == 0
    deadline = time.monotonic() + 10
    while len(made) < most + 2 and time.monotonic() < deadline:
        time.sleep(0.001)
    time.sleep(0.02)
    assert len(made) == most + 2  # the one taken, those that wait, and the one that finds no room
    items.close()


def test_the_next_item_is_made_while_the_consumer_looks_at_this_one():
    wanted = threading.Event()

    def items():
        yield 1
        wanted.set()
        yield 2

    coming = ahead(items())
    assert next(coming) == 1
    assert wanted.wait(10)
    assert list(coming) == [2]


def test_none_is_begun_behind_a_slow_one_before_somebody_asks_for_it():
    begun = []

    def slow():
        for number in range(5):
            begun.append(number)
            time.sleep(2 * SLOW if number == 1 else 0)
            yield number

    items = ahead(slow(), 3)
    assert [next(items), next(items)] == [0, 1]
    time.sleep(SLOW)
    assert begun == [0, 1]
    assert list(items) == [2, 3, 4]
    again = ahead(slow(), 3)
    next(again), next(again)
    again.close()
    assert begun == [0, 1, 2, 3, 4, 0, 1]


def test_closing_it_closes_what_it_runs_and_ends_its_thread():
    made, closed = [], []
    items = ahead(counting(made, closed))
    next(items)
    items.close()
    assert closed == ["ahead"]
    assert len(made) < 10
    assert all(thread.name != "ahead" for thread in threading.enumerate())


def test_an_error_comes_behind_the_items_before_it():
    def failing():
        yield 1
        raise ValueError("k must be a whole number")

    items = ahead(failing())
    assert next(items) == 1
    with pytest.raises(ValueError, match="k must be a whole number"):
        next(items)
