"""The form: methods and their parts, refused combinations, the preview of the tree, and its menus under the keyboard."""

from __future__ import annotations

import dataclasses

import ersd
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.drafts.topologies import refusal
from ersd.settings import METHODS
from visual.payload.sentences.names import METHOD_LABELS, algorithm_name, menu_label, topology_name
from visual.server.recorded import first_look

from .driver import choose, choose_method, chosen, generate, setup, state, unfold, wait_for_text, wait_until_chosen

USUAL = first_look().settings
EXTRA = {"specinfer": "branching", "multi_sequence": "sequences"}


def test_a_method_sets_its_parts_and_their_fields_and_parts_name_their_method(page):
    for method in ("ERSD τ*", "SpecInfer", "SpecTr", "one by one", "block"):
        choose_method(page, method)
        algorithm, topology = METHODS[method]
        drafts = algorithm != "autoregressive"
        is_disabled = "([name, isDisabled]) => document.querySelector(`#${name} input`).disabled === isDisabled"
        page.wait_for_function(is_disabled, arg=["draft-tokens", not drafts or topology == "specinfer"])
        page.wait_for_function(is_disabled, arg=["topology", not drafts])
        for name in ("branching", "sequences", "leniency"):
            page.wait_for_selector(f"#{name}", state="visible" if drafts and EXTRA.get(topology) == name else "detached")
        assert chosen(page, "method") == menu_label(method)
    choose_method(page, "standard")
    choose(page, "topology", topology_name("batch"))
    wait_until_chosen(page, "method", METHOD_LABELS["by parts"])
    choose(page, "algorithm", algorithm_name("ersd"))
    wait_until_chosen(page, "method", METHOD_LABELS["ERSD batch"])


def test_a_refused_tree_gives_way_and_the_page_says_why(page):
    choose_method(page, "ERSD τ*")
    choose(page, "topology", topology_name("dynamic"))
    choose(page, "algorithm", algorithm_name("kseq"))
    wait_for_text(page, "#preview", refusal("kseq", "dynamic").split(": ")[1])
    wait_until_chosen(page, "topology", topology_name("tau_star"))
    choose(page, "algorithm", algorithm_name("block"))
    wait_for_text(page, "#preview", refusal("block", "tau_star").split(": ")[1])
    wait_until_chosen(page, "topology", topology_name("sequence"))
    wait_until_chosen(page, "method", METHOD_LABELS["block"])
    page.click("#topology input")
    mark = "option => getComputedStyle(option, '::after').content"
    marks = {option.inner_text().strip("✓ \n"): option.evaluate(mark) for option in page.locator("#topology [role=option]").all()}
    assert {name for name, note in marks.items() if "not for block" not in note} == {topology_name("sequence")}
    page.locator("#topology [role=option]", has_text="batch").click()
    wait_until_chosen(page, "topology", topology_name("sequence"))
    generate(page, max_new_tokens=6)
    assert state(page) == "done"


def test_a_late_answer_does_not_replace_a_newer_one(page):
    choose_method(page, "ERSD τ*")
    wait_for_text(page, "#preview", "tokens per call")
    held = []
    page.route("**/run/predict*", lambda route: route.continue_() if held else held.append(route))
    choose(page, "topology", topology_name("dynamic"))
    choose(page, "algorithm", algorithm_name("kseq"))
    assert held
    with page.expect_response("**/run/predict*"):
        held[0].continue_()
    page.evaluate(FRAMES)  # by then it is shown, or another one was asked for
    wait_for_text(page, "#preview", refusal("kseq", "dynamic").split(": ")[1])
    wait_until_chosen(page, "topology", topology_name("tau_star"))
    page.unroute_all()


def test_the_preview_shows_the_tree_and_what_is_expected_of_it(page, pair):
    choose_method(page, "ERSD τ*")
    setup(page, draft_tokens=USUAL.draft_tokens)

    def is_expected_of(settings: ersd.Settings) -> None:
        shape = shape_of(settings, RankDistribution(pair.prior(settings)))
        wait_for_text(page, "#preview", f"{shape.expected:.2f} tokens per call")

    is_expected_of(USUAL)
    for k in (1, 256):
        setup(page, draft_tokens=k)
        is_expected_of(dataclasses.replace(USUAL, draft_tokens=k))
        assert f"of {k} drafted token" in page.get_attribute("#preview svg", "aria-label")
    choose_method(page, "SpecInfer")
    is_expected_of(ersd.Settings("gsd", "specinfer", branching=USUAL.branching))  # the answer to the choice must not come after the next
    setup(page, branching="3,2")
    is_expected_of(ersd.Settings("gsd", "specinfer", branching=(3, 2)))
    wait_for_text(page, "#preview", "9 drafted tokens, 2 levels")
    choose_method(page, "one by one")
    wait_for_text(page, "#preview", "nothing is drafted")
    choose(page, "algorithm", algorithm_name("lossy"))
    setup(page, leniency=0.3)
    wait_for_text(page, "#preview", "Biased")


def test_a_wrong_branching_is_reported_as_text_and_the_session_goes_on(page):
    choose_method(page, "SpecInfer")
    page.wait_for_function("() => !document.querySelector('#preview').textContent.includes('Biased')")  # of the test before
    before = page.inner_text("#player-text")
    setup(page, branching="4,x", max_new_tokens=6)
    wait_for_text(page, "#preview", "Branching must be 1 to 16 whole numbers from 1 to 64")
    generate(page)
    assert state(page) == "error"
    assert "got '4,x'" in page.inner_text("#player-status")
    assert page.inner_text("#player-text") == before
    setup(page, branching="<b>2</b>")
    wait_for_text(page, "#preview", "got '<b>2</b>'")
    generate(page, branching="2,2")
    assert state(page) == "done"


# --- menus under the keyboard -----------------------------------------------------------------------------------------------------

MENUS = ("models", "method")
OPEN = "() => [...document.querySelectorAll('[role=combobox][aria-expanded=true]')].map((one) => one.closest('[id].block').id)"
FOCUSED = "() => document.activeElement.closest('[id].block, button')?.id"
FRAMES = """() => new Promise((resolve) => {
  const wait = (frames) => (frames ? requestAnimationFrame(() => wait(frames - 1)) : setTimeout(resolve));
  wait(5);
})"""
"""Gradio's own handling of a key takes a frame or two."""
TAKES_CLICKS = """() => [...document.querySelectorAll("[role=listbox], ul.options")].filter((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).map((one) => one.closest("[id].block").id)"""


def press(page, key: str) -> tuple[str, list[str]]:
    """The component with the focus and the menus that are open, after a key."""
    page.keyboard.press(key)
    page.evaluate(FRAMES)
    return page.evaluate(FOCUSED), page.evaluate(OPEN)


def test_tab_closes_the_menu_it_leaves_and_escape_the_one_it_is_in(page):
    choose_method(page, "ERSD τ*")  # it has drafted tokens to set
    page.focus(".fold-settings")
    way = ("models", "prompt", "method", "draft-tokens")
    for name in way:
        is_menu = name in MENUS
        assert press(page, "Tab") == (name, [name] if is_menu else [])
        assert set(page.evaluate(TAKES_CLICKS)) <= {name}, "a list that fades takes no clicks"
    assert page.evaluate(TAKES_CLICKS) == []
    assert press(page, "Shift+Tab") == ("method", ["method"])
    assert press(page, "Escape") == ("method", [])
    page.fill("#seed input", "12")  # nothing covers what is below the menus
    unfold(page)
    page.click("#topology input")
    page.wait_for_selector("#topology [role=option]")
    assert press(page, "Shift")[1] == ["topology"]
    assert page.locator("#topology [role=option]").count() > 1, "a key that writes nothing filters nothing"
    press(page, "Escape")


def test_a_choice_can_be_made_with_the_keys(page):
    page.focus("#prompt textarea")
    press(page, "Tab")
    before = page.input_value("#method input")
    press(page, "ArrowDown")
    press(page, "Enter")
    assert page.input_value("#method input") != before
    assert page.evaluate(OPEN) == []
