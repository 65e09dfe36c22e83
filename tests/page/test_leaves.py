"""Leaves first on the page: numbered squares at the guesses in the order of asking, and coins that need not be tossed."""

from __future__ import annotations

import pytest

from tests.visual.fakes import leaves_step, trace

from .browser import DESKTOP, PHONE

SQUARES = """() => [...document.querySelectorAll("#player .ersd-decisions.squares button")].filter((one) => one.checkVisibility())
  .map((one) => [one.textContent, one.getAttribute("aria-label"), parseFloat(getComputedStyle(one).fontSize)])"""
COINS = """() => [...document.querySelectorAll("#player .ersd-tries button")].map((one) =>
  [one.querySelector("b").textContent, one.querySelector(".name").textContent, one.classList.contains("untossed")])"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_squares_show_the_order_of_asking(play, size):
    page = play(trace(leaves_step()), **size)
    squares = page.evaluate(SQUARES)
    assert [(number, name) for number, name, _ in squares] == [
        ("1", "asked 1: “,”"), ("2", "asked 2: nest"), ("3", "asked 3: long"), ("4", "asked 4: of")
    ]  # fmt: skip
    assert all(letters >= 12 for *_, letters in squares)
    assert page.locator("#player .ersd-tree-keys [data-key=turns]").is_visible()


def test_a_square_opens_the_decision_in_which_it_was_asked(play):
    page = play(trace(leaves_step()))
    assert page.inner_text("#player .ersd-lowered") == "0.38 → 0.04"
    page.click("#player .ersd-decisions button[aria-label^='asked 3']")
    page.wait_for_function("() => document.querySelectorAll('#player .ersd-tries button').length === 2")
    assert page.evaluate(COINS) == [["3", "long", False], ["–", "lot", True]]
    page.click("#player .ersd-decisions button[aria-label^='asked 1']")
    page.wait_for_function("() => document.querySelector('#player .ersd-tries .name').textContent === '“,”'")
    assert page.evaluate(COINS) == [["1", "“,”", False], ["2", "nest", False]]
