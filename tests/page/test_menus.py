"""The menus of the controls under the keyboard: open only while they have the focus, and closed by Escape."""

from __future__ import annotations

MENUS = ("method", "algorithm", "topology")
OPEN = "() => [...document.querySelectorAll('[role=combobox][aria-expanded=true]')].map((one) => one.closest('[id].block').id)"
FOCUSED = "() => document.activeElement.closest('[id].block, button')?.id"
FRAMES = """() => new Promise((resolve) => {
  const wait = (frames) => (frames ? requestAnimationFrame(() => wait(frames - 1)) : setTimeout(resolve));
  wait(5);
})"""
"""Gradio's own handling of a key takes a frame or two."""


def press(page, key: str) -> tuple[str, list[str]]:
    """The component that has the focus then, and the menus that are open."""
    page.keyboard.press(key)
    page.evaluate(FRAMES)
    return page.evaluate(FOCUSED), page.evaluate(OPEN)


def test_tab_closes_the_menu_it_leaves_and_escape_the_one_it_is_in(open_page):
    page = open_page()
    page.focus("#prompt textarea")
    for menu in MENUS:
        assert press(page, "Tab") == (menu, [menu])
    assert press(page, "Tab") == ("draft-tokens", [])
    for menu in reversed(MENUS):
        assert press(page, "Shift+Tab") == (menu, [menu])
        assert press(page, "Escape") == (menu, [])
    page.fill("#seed input", "12")  # nothing covers what is below the menus
    page.click("#topology input")
    page.wait_for_selector("#topology [role=option]")
    assert press(page, "Shift")[1] == ["topology"]
    assert page.locator("#topology [role=option]").count() > 1, "a key that writes nothing filters nothing"


LISTS = "[role=listbox], ul.options"
TAKES_CLICKS = f"""() => [...document.querySelectorAll("{LISTS}")].filter((one) => {{
  const {{ left, top, width, height }} = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}}).map((one) => one.closest("[id].block").id)"""


def test_a_list_that_was_left_takes_no_clicks_and_goes(open_page):
    """It fades for a moment, so up to three are in the document."""
    page = open_page()
    page.focus("#prompt textarea")
    for menu in MENUS:
        press(page, "Tab")
        assert set(page.evaluate(TAKES_CLICKS)) <= {menu}
    press(page, "Tab")
    assert page.evaluate(TAKES_CLICKS) == []
    page.wait_for_function(f"() => !document.querySelector('{LISTS}')")


def test_a_choice_can_be_made_with_the_keys(open_page):
    page = open_page()
    page.focus("#prompt textarea")
    press(page, "Tab")
    before = page.input_value("#method input")
    press(page, "ArrowDown")
    press(page, "Enter")
    assert page.input_value("#method input") != before
    assert page.evaluate(OPEN) == []
