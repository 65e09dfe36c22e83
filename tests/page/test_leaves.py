"""Leaves first on the page: numbered squares at the guesses in the order of asking, and coins that need not be tossed."""

from __future__ import annotations

import pytest

import ersd
from tests.visual.fakes import leaves_step, trace

from .browser import DESKTOP, PHONE
from .driver import go_to

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


COVERING = """() => {
  const all = document.querySelectorAll("#player .ersd-lowered, #player .ersd-decisions.squares button");
  const boxes = [...all].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => meet(a, b))).length;
}"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_is_left_of_keep_probabilities_covers_nothing(play, pair, size):
    settings = ersd.Settings("traversal", "multi_sequence", draft_tokens=64, sequences=8, seed=12, temperature=0.8, max_new_tokens=24)
    page = play(ersd.run(pair, "Once upon a time there was a little girl named", settings), **size)
    go_to(page, 1)
    assert page.locator("#player .ersd-lowered").count()
    assert page.evaluate(COVERING) == 0


def test_a_square_opens_the_decision_in_which_it_was_asked(play):
    page = play(trace(leaves_step()))
    assert page.inner_text("#player .ersd-lowered") == "0.38 → 0.04"
    page.click("#player .ersd-decisions button[aria-label^='asked 3']")
    page.wait_for_function("() => document.querySelectorAll('#player .ersd-tries button').length === 2")
    assert page.evaluate(COINS) == [["3", "long", False], ["–", "lot", True]]
    page.click("#player .ersd-decisions button[aria-label^='asked 1']")
    page.wait_for_function("() => document.querySelector('#player .ersd-tries .name').textContent === '“,”'")
    assert page.evaluate(COINS) == [["1", "“,”", False], ["2", "nest", False]]
