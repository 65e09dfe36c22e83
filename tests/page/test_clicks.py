"""One rule for clicks: a vertex opens the decision about its children, the list of decisions the one about itself, the title says which."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ersd.trace.model import Try
from tests.visual.fakes import block_step, leaf_step, one_try, race_step, residual_step, trace

from .driver import wait_for_step
from .reading import read, show_vertex

ROOT, LIKED, LOVED, PLAY, DOG, SWIM = -1, 0, 1, 2, 3, 4
"""The vertices of `race_step`: ␣loved is accepted, ␣play behind it beaten by the target's own ␣swim, ␣dog is behind the rejected ␣liked."""
AFTER_ROOT, AFTER_LOVED = "ace after “Once she”", "ace after “Once she loved”"


def decisions(page) -> list[str]:
    return page.locator("#player .ersd-walk button").all_inner_texts()


def shown(page) -> tuple[str, str]:
    """Title and note."""
    return page.inner_text("#player .ersd-race-title"), page.inner_text("#player .ersd-note")


def test_every_vertex_opens_a_decision_and_the_title_says_about_what(play):
    page = play(trace(race_step()))
    assert shown(page) == ("R" + AFTER_LOVED, ""), "at first the last decision about drafted tokens"
    for vertex, title, note in [
        (ROOT, "R" + AFTER_ROOT, ""),
        (LOVED, "R" + AFTER_LOVED, ""),
        (SWIM, f"␣swim in the r{AFTER_LOVED}", ""),
        (LIKED, f"␣liked in the r{AFTER_ROOT}", "The walk did not go on from “␣liked”"),
        (PLAY, f"␣play in the r{AFTER_LOVED}", "The walk did not go on from “␣play”"),
        (DOG, f"␣liked in the r{AFTER_ROOT}", "Not visited: “␣liked” above it was not accepted. Shown is the decision about “␣liked”."),
    ]:
        show_vertex(page, "player", vertex)
        assert shown(page)[0] == title
        assert shown(page)[1].startswith(note)
        assert bool(shown(page)[1]) == bool(note)
        seen = read(page, "player")
        assert seen["isShown"]
        assert seen["sentence"]
        assert seen["tokens"]


def test_the_list_of_decisions_leads_to_the_one_about_a_vertex_also_by_keys(play):
    page = play(trace(race_step()))
    assert decisions(page) == ["✓ ␣loved", "★ ␣swim"]
    in_view = "() => [...document.querySelectorAll('.ersd-walk [aria-current]')].map((one) => one.textContent)"
    assert page.evaluate(in_view) == ["★ ␣swim"]
    page.focus("#player .ersd-walk button")
    page.keyboard.press("Enter")
    page.wait_for_function("title => document.querySelector('.ersd-race-title').innerText === title", arg=f"␣loved in the r{AFTER_ROOT}")
    assert page.evaluate(in_view) == ["✓ ␣loved"]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("title => document.querySelector('.ersd-race-title').innerText === title", arg=f"␣swim in the r{AFTER_LOVED}")


def test_a_leaf_is_not_what_is_shown_at_first(play):
    page = play(trace(leaf_step("race"), leaf_step("coins")))
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 1)
    assert read(page, "player")["draft"]["bars"], "the draft's side is there"
    assert shown(page)[0] == "R" + AFTER_ROOT
    show_vertex(page, "player", 0)
    assert not read(page, "player")["draft"]["bars"], "at the leaf it is not"


def test_a_row_of_a_sequence_opens_the_decision_about_its_token(play):
    page = play(trace(block_step((0.3, 0.3, 0.8)), residual_step()))
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 1)
    page.click("#player .ersd-tries [data-vertex='1']")
    page.wait_for_selector("#player .ersd-tries [data-vertex='1'].shown")
    assert shown(page) == ("␣b in the decision after “Once she a”", "")
    show_vertex(page, "player", 1)
    assert shown(page)[0] == "Decision after “Once she a b”"
    assert page.locator("#player .ersd-tries [data-vertex='2'].shown").count() == 1


def test_the_words_of_tree_and_picture_are_those_of_the_rule(play):
    page = play(trace(block_step((0.3, 0.3, 0.8)), residual_step()))
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, 1)
    keys = page.locator("#player .ersd-tree-card [data-key]:visible").all_inner_texts()
    assert keys[:3] == ["✓ kept", "✕ cut", "★ target’s own"]
    assert "✕ cut" in read(page, "player")["legend"]
    page.locator("#player .ersd-tree-card [data-term=bonus]").focus()
    assert "The target's own token" in page.inner_text("#player .ersd-tip")


def test_a_coin_says_what_it_is_compared_with(play):
    one = Try(vertex=0, accepted=False, p=0.41, q=0.66, ratio=0.41 / 0.99, coin=0.83)
    page = play(trace(one_try(one, rho=1.5), one_try(one, bias=0.1), residual_step()))
    said = []
    for step in (3, 2, 1):
        wait_for_step(page, step)
        said.append(page.inner_text("#player .ersd-symbols"))
        page.keyboard.press("ArrowLeft")
    assert ["p/q;" in said[0], "leniency" in said[1], "p/(ρ·q)" in said[2]] == [True] * 3


@pytest.mark.parametrize("kind", ["coins", "block"])
def test_where_nothing_was_drafted_no_coin_is_spoken_of(play, kind):
    page = play(trace(leaf_step(kind)))
    show_vertex(page, "player", 0)  # the leaf
    assert page.inner_text("#player .ersd-symbols") == "No coin here: the token is drawn from P."


def test_no_figure_of_a_decision_is_written_1_or_0_that_is_neither(play):
    step = residual_step()
    nearly = replace(step.walk[0], tv=0.996, kl=0.004, predicted=0.997, optimum=0.9996)
    page = play(trace(replace(step, walk=[nearly])))
    assert page.inner_text("#player .ersd-tile-tv .ersd-value") == "0.996"
    assert "KL 0.0040" in page.inner_text("#player .ersd-facts")
    here = page.locator("#player .ersd-cell-here b").all_inner_texts()
    assert here == ["0.997", "1.000"], "as many digits as a column has room for"
