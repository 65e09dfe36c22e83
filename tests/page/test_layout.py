"""Layout: nothing overlaps, is cut off, scrolls sideways or jumps from step to step, whatever the window, the theme and the run."""

from __future__ import annotations

import pytest

import ersd
from ersd.trace.step import Try
from tests.visual import fakes
from tests.visual.fakes import residual_step, trace
from visual.payload.messages import recording

from .browser import DESKTOP, FULL_HD, PHONE, PROJECTOR, WIDE_PROJECTOR
from .driver import (
    DARK,
    VERTICES,
    choose_method,
    click_vertex,
    data,
    generate,
    go_to,
    go_to_first,
    replay,
    root,
    vertices,
    wait_for,
    wait_for_phase,
    wait_until_at_rest,
)
from .geometry import do_touch, faults, frames, is_in_window, overlapping
from .reading import read

PROMPT = "Once upon a time there was a little girl named"
RUNS = {
    "ERSD τ*": {"topology": "tau_star", "draft_tokens": 16},
    "ERSD τ*, 64": {"topology": "tau_star", "draft_tokens": 64},
    "ERSD dynamic, 64": {"topology": "dynamic", "draft_tokens": 64},
    "ERSD batch": {"topology": "batch", "draft_tokens": 16},
    "RSD": {"algorithm": "gsd_wor", "topology": "specinfer", "branching": (4, 2, 1)},
    "SpecTr": {"algorithm": "kseq", "topology": "multi_sequence", "draft_tokens": 64, "sequences": 8},
    "block": {"algorithm": "block", "topology": "sequence", "draft_tokens": 24},
    "lossy": {"algorithm": "lossy", "topology": "sequence", "draft_tokens": 4, "leniency": 0.3, "temperature": 1.5},
    "greedy": {"algorithm": "greedy", "topology": "tau_star", "draft_tokens": 8},
    "one by one": {"algorithm": "autoregressive"},
}
SHOWN_IN = {
    "ERSD τ*": [DESKTOP],
    "ERSD τ*, 64": [PHONE, FULL_HD],
    "ERSD dynamic, 64": [PROJECTOR],
    "ERSD batch": [PHONE],
    "RSD": [PHONE],
    "SpecTr": [PROJECTOR, PHONE],
    "block": [PHONE],
    "lossy": [DESKTOP],
    "greedy": [FULL_HD],
    "one by one": [PHONE],
}
"""Every run and every window; the large trees and the long ones in the small windows, where they fit least."""
LABELS = "() => document.querySelector('#player-tree .js-plotly-plot').data.flatMap(({ name, text }) => (name === 'root' ? [] : text))"


@pytest.fixture(scope="module")
def runs(pair) -> dict[str, ersd.Trace]:
    settings = {name: ersd.Settings(**{"max_new_tokens": 16, "seed": 3, **fields}) for name, fields in RUNS.items()}
    return {name: ersd.run(pair, PROMPT, each) for name, each in settings.items()}


def assert_in_sight(page, step: ersd.Step) -> None:
    """The path and the end of a step are in the picture, whatever the tree."""
    panel = page.locator("#player-tree").bounding_box()
    drawn = {one["id"]: one for one in vertices(page)}
    assert len(step.tokens) in drawn, "the target's own token"
    for one in drawn.values():
        assert panel["x"] <= one["x"] <= panel["x"] + panel["width"], one
        assert panel["y"] <= one["y"] <= panel["y"] + panel["height"], one


@pytest.mark.parametrize("name", SHOWN_IN)
def test_no_step_of_a_run_has_a_fault_and_nothing_jumps(play, runs, name):
    page = play(runs[name])
    page.emulate_media(reduced_motion="reduce")
    steps = len(runs[name].steps)
    for size in SHOWN_IN[name]:
        page.set_viewport_size(size)
        wait_until_at_rest(page)
        positions = set()
        for step, is_dark in ((1, False), (steps, True)):
            page.evaluate(DARK, is_dark)
            go_to(page, step)
            positions.add(frames(page))
            assert "\n".join(faults(page)) == "", (size, step)
            assert_in_sight(page, runs[name].steps[step - 1])
            for label in filter(None, page.evaluate(LABELS)):
                text = label.split("</span>")[-1].split(" ×")[0].strip()
                assert not text.endswith("…") or len(text) >= 5, "enough of a name to know it"
        for phase in ("draft", "score", "walk"):
            button = page.locator(f"#player [data-tell={phase}]")
            if button.is_enabled():
                button.click()
                wait_for_phase(page, phase)
                wait_until_at_rest(page)
                positions.add(frames(page))
                assert "\n".join(faults(page)) == "", (size, phase)
        assert len(positions) == 1, positions


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=lambda size: str(size["width"]))
def test_a_long_note_beside_the_title_does_not_move_the_tree(open_page, runs, size):
    page = open_page("", **size)
    replay(page, recording(runs["ERSD τ*, 64"], "recorded"))
    tops, notes = set(), set()
    for step in range(1, len(runs["ERSD τ*, 64"].steps) + 1):
        go_to(page, step)
        tops.add(page.locator("#player-tree").bounding_box()["y"])
        notes.add(page.locator("#player .ersd-tree-note").text_content())
    assert len(tops) == 1 < len(notes)
    button = page.locator("#player .ersd-redraw-open").bounding_box()
    note = page.locator("#player .ersd-tree-note").bounding_box()
    assert note["x"] + note["width"] <= button["x"]


def test_where_a_long_path_is_folded_the_number_of_the_decision_shown_stands_on_the_fold(open_page, pair):
    """On a projector, in large letters, where a step opens above its last guess; other numbers that are folded away are not shown."""
    run = ersd.run(pair, PROMPT, ersd.Settings("half_race", "sequence", 9, temperature=0.2, seed=3, max_new_tokens=120))
    page = open_page("?view=lecture", **PROJECTOR)
    replay(page, recording(run, "recorded"))
    found = 0
    for step in (one for one in run.steps if one.accepted == 9):  # the whole path: it opens at the last guess but one
        go_to(page, step.index + 1)
        fold = next((one for one in vertices(page) if f"… {step.accepted - 2} more ✓" in one["label"]), None)
        if fold is None:  # both ends have two boxes
            continue
        found += 1
        shown = page.locator("#player .ersd-decisions button[aria-current]")
        assert shown.get_attribute("aria-label") == "Race 9"
        ring = page.locator("#player-tree .shapelayer path").last.bounding_box()
        assert ring["x"] < fold["x"] < ring["x"] + ring["width"] < shown.bounding_box()["x"] + 40
        assert page.locator("#player .ersd-decisions button").all_text_contents() == ["1", "2", "9", "10"]
    assert found


@pytest.mark.parametrize("tab", ["generate", "compare", "gallery"])
def test_no_tab_has_a_fault(page, tab):
    page.click(f"#tab-{tab}")
    for size, is_dark in ((PHONE, False), (PROJECTOR, True), (DESKTOP, False)):
        page.set_viewport_size(size)
        page.evaluate(DARK, is_dark)
        wait_until_at_rest(page)
        assert faults(page) == [], size
        assert is_in_window(page, f"#tab-{tab}")


def test_the_page_puts_the_form_and_the_run_in_sight(page):
    page.click("#tab-generate")
    positions = set()
    page.set_viewport_size(DESKTOP)
    for method, sizes in {
        "traversal": (DESKTOP,),
        "RSD": (PHONE, PROJECTOR, DESKTOP), "SpecTr": (PHONE, PROJECTOR, DESKTOP), "one by one": (DESKTOP,), "ERSD τ*": (DESKTOP,),
    }.items():  # fmt: skip
        choose_method(page, method)
        for size in sizes:  # more than one where a method adds a field
            page.set_viewport_size(size)
            wait_until_at_rest(page)
            assert faults(page) == [], (method, size)
        positions.add(str(page.locator(".setup").bounding_box()))
    assert len(positions) == 1, "the form has one size"
    generate(page, max_new_tokens=10)
    for size in (PROJECTOR, DESKTOP):
        page.set_viewport_size(size)
        page.evaluate("() => scrollTo(0, 0)")
        wait_until_at_rest(page)
        assert is_in_window(page, "#generate")
        assert root(page)["y"] < size["height"]
    page.set_viewport_size(PHONE)
    page.evaluate("() => scrollTo(0, 0)")
    assert is_in_window(page, "#generate")
    page.click("#generate")
    wait_for(page, "done")
    assert page.locator("#player").bounding_box()["y"] < PHONE["height"] / 4, "the run is in sight, below the settings in one line"
    small = """() => [...document.querySelectorAll("#player button:not(.ersd-term), .actions button")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        const { width, height } = one.getBoundingClientRect(), around = parseFloat(getComputedStyle(one, "::before").top) || 0;
        return Math.min(width, height) - 2 * Math.min(0, around) < 40;
      }).map((one) => one.outerHTML)"""
    assert page.evaluate(small) == [], "large enough for a finger"


def test_generate_is_on_the_screen_also_for_a_method_made_of_parts(open_page):
    page = open_page("?algorithm=traversal&topology=multi_sequence&draft_tokens=64&sequences=8&max_new_tokens=8", **DESKTOP)
    wait_for(page, "done")
    page.wait_for_selector(".ersd-shape .meter")
    wait_until_at_rest(page)
    assert page.inner_text(".ersd-shape .figure >> nth=0") == "Leaves first on several sequences"
    assert is_in_window(page, "#generate")


EXPLAINED = """() => [...document.querySelectorAll(".setup .info-text")].map((text) => [text.closest(".block[id]"), text])
  .filter(([field]) => field.getClientRects().length)
  .map(([field, text]) => [field.id, field.getBoundingClientRect(), text.getBoundingClientRect()])"""
"""The fields with an explanation in sight: name, box, and the box of the explanation."""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=lambda size: str(size["width"]))
def test_an_explanation_never_covers_its_field(page, size):
    page.click("#tab-generate")
    page.set_viewport_size(size)
    if size == PHONE:
        page.wait_for_selector("#prompt textarea", state="hidden")  # a phone folds the settings
        page.click(".fold-settings")
    page.wait_for_selector("#prompt textarea")
    fields = page.evaluate(EXPLAINED)
    assert len(fields) > 5
    for name, field, text in fields:
        assert not do_touch(field, text), name
        assert text["left"] >= 0, name
        assert text["right"] <= size["width"], name
    page.hover("#seed")
    page.wait_for_selector("#seed .info-text")  # it stood there all the time
    if size == PHONE:
        page.click(".fold-settings")


def test_the_button_of_folded_settings_says_so_from_the_start(open_page):
    page = open_page("", **PHONE)
    page.wait_for_selector(".workbench .fold-settings[aria-expanded=false]")
    page.click(".workbench .fold-settings")
    page.wait_for_selector(".workbench .fold-settings[aria-expanded=true]")


def test_text_that_goes_on_shows_an_arrow(play, pair):
    page = play(ersd.run(pair, PROMPT, ersd.Settings(draft_tokens=4, max_new_tokens=110)), **PHONE)
    go_to(page, int(data(page, "steps")))
    page.wait_for_selector("#player .ersd-text-card[data-more=above]")
    page.evaluate("document.getElementById('player-text').scrollTop = 0")
    page.wait_for_selector("#player .ersd-text-card[data-more=below]")


def test_many_tries_open_in_their_list_on_a_phone(play):
    page = play(trace(residual_step(rejections=20, accepted=False), residual_step()), **PHONE)
    go_to_first(page)
    assert page.locator("#player .ersd-tries [data-try]").count() == 20
    page.click("#player .ersd-switch [data-picture=decision]")
    tries = page.locator("#player .ersd-tries [data-try]:visible")
    assert tries.count() == 5, "the first ones"
    assert faults(page) == []
    page.click("#player .ersd-tries .ersd-more")
    assert tries.count() == 20
    assert faults(page) == []


def test_numbers_of_a_scale_do_not_meet_on_a_phone(play):
    rows = [fakes.row(1, " a", p=0.2, q=0.05), fakes.row(2, " b", p=0.11, q=0.21)]
    coin = Try(vertex=0, accepted=False, p=0.11, q=0.21, ratio=0.11 / 0.21, coin=0.9)
    page = play(trace(fakes.step([fakes.visit("coins", rows, token=1, tries=[coin])], parents=[-1], tokens=[2])), **PHONE)
    page.click("#player .ersd-switch [data-picture=decision]")
    page.wait_for_selector("#player-race .js-plotly-plot .bars .point")
    assert overlapping(read(page, "player")["ticks"]) == []
    assert faults(page) == []


def test_what_is_a_dot_opens_at_a_click(play, runs):
    page = play(runs["ERSD τ*, 64"])
    for step in range(1, len(runs["ERSD τ*, 64"].steps) + 1):
        go_to(page, step)
        wait_until_at_rest(page)
        if dots := [one for one in vertices(page) if not one["label"].strip()]:
            break
    assert dots, "no step has more nodes than boxes"
    folded = max(dots, key=lambda one: (one["y"], -one["x"]))  # the next one of the lowest branch
    click_vertex(page, folded)
    page.wait_for_function(f"(id) => ({VERTICES})().find((one) => one.id === id)?.label.trim()", arg=folded["id"])


def test_the_page_and_its_pictures_have_the_colours_of_the_theme(open_page):
    page = open_page("?__theme=dark")
    brightness = """() => {
      const sum = (colour) => colour.match(/\\d+/g).slice(0, 3).reduce((all, part) => all + Number(part), 0);
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return [sum(style(".gradio-container").backgroundColor), sum(style(".ersd-say").color)];
    }"""
    font = "() => document.querySelector('#player-tree .js-plotly-plot')._fullLayout.font.color"
    panel, ink = page.evaluate(brightness)
    assert ink - panel > 350
    before = page.evaluate(font)
    page.evaluate(DARK, False)
    page.wait_for_function(f"(before) => ({font})() !== before", arg=before)
    panel, ink = page.evaluate(brightness)
    assert panel - ink > 350


LETTERS = """(least) => [...document.querySelectorAll("#player *, .masthead *, .setup *")].filter((one) => (
  [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) && one.getClientRects().length
  && !one.closest(".ersd-announcer, .hoverlayer, style, option") && one.checkVisibility({ visibilityProperty: true })
)).map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent.slice(0, 30)]).filter(([size]) => size && size < least)"""


def test_present_is_large_on_one_screen_and_its_button_goes_there_and_back(open_page, runs):
    page = open_page("?view=lecture&method=ERSD+τ*&draft_tokens=16&max_new_tokens=16&seed=1", **WIDE_PROJECTOR)
    page.emulate_media(reduced_motion="reduce")  # what still moves may overlap
    assert not page.is_visible("#prompt textarea")
    wait_for(page, "done", "error")  # the run of the link
    for name, size, least in (
        (None, WIDE_PROJECTOR, 18),
        ("SpecTr", WIDE_PROJECTOR, 18),
        ("block", PROJECTOR, 15),
    ):
        if name:
            page.set_viewport_size(size)
            replay(page, recording(runs[name], "recorded"))
        positions = set()
        steps = int(data(page, "steps"))
        for step in (1, steps):
            go_to(page, step)
            wait_until_at_rest(page)
            assert page.evaluate(LETTERS, least - 0.01) == []
            assert faults(page) == []
            parts = (".ersd-headlines", ".ersd-phases", ".ersd-tree")
            positions.add(str([page.locator(f"#player {part}").bounding_box() for part in parts]))
        assert len(positions) == 1, "however long the headline is"
        for part in ("#player-tree", "#player .ersd-decision-plot", "#player .ersd-say", "#player-exact", "#generate"):
            assert is_in_window(page, part), part
    page.click(".present-button")
    assert page.is_visible("#prompt textarea")
    assert "view" not in page.url
    page.click(".present-button")
    assert not page.is_visible("#prompt textarea")
    assert "view=lecture" in page.url
