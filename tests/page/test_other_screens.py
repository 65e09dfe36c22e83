"""Seen otherwise than on a usual screen: nothing vanishes, is cut off or covered."""

from __future__ import annotations

import pytest

from .browser import DESKTOP
from .driver import wait_until_at_rest
from .geometry import faults

TABS = ("generate", "compare", "lab", "curves", "learn", "gallery")
SMALL = {"width": 320, "height": 640}
ZOOMED = {"width": 640, "height": 400}
"""A window of 1280 x 800 at 200%."""
SPACING = """:not(svg, svg *) { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important; }
svg { letter-spacing: normal !important; word-spacing: normal !important; }
p { margin-bottom: 2em !important; }"""
"""What a reader may set, WCAG 1.4.12. The words of a picture have fixed places in it, so it does not inherit the spacing either."""
PAINTED = """() => {
  const parts = [...document.querySelectorAll("body *")].filter((one) => !one.closest("svg, button, a") || one.matches("button:empty"));
  return parts.flatMap((one, place) => ["", "::before", "::after"].flatMap((part) => {
    const style = getComputedStyle(one, part);
    const isEmpty = part ? style.content === '""' : !one.textContent.trim() && !one.matches("input, select, textarea");
    if (!isEmpty || one.offsetWidth < 2 || one.offsetHeight < 2 || !one.checkVisibility({ visibilityProperty: true })) return [];
    const { backgroundColor, borderTopStyle, borderLeftStyle, backgroundImage, printColorAdjust } = style;
    const isDrawn = backgroundImage !== "none" || borderTopStyle !== "none" || borderLeftStyle !== "none";
    const name = `${one.className}${part}`;
    return [{ key: `${place}${part}`, name, colour: backgroundColor, isDrawn, isOnPaper: printColorAdjust === "exact" || isDrawn }];
  }));
}"""
"""Elements without a text whose background is what they show."""
NOTHING = {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)", "rgba(255, 255, 255, 0)"}


@pytest.mark.parametrize("tab", TABS)
def test_bars_and_keys_are_there_in_forced_colours_and_on_paper(page, tab):
    page.set_viewport_size(DESKTOP)
    page.click(f"#tab-{tab}")
    page.wait_for_selector(f"#tab-{tab}[aria-selected=true]")
    wait_until_at_rest(page)
    usual = {one["key"]: one for one in page.evaluate(PAINTED) if one["colour"] not in NOTHING}
    page.emulate_media(forced_colors="active")
    forced = {one["key"]: one for one in page.evaluate(PAINTED)}
    page.emulate_media(forced_colors="none")
    gone = {one["name"] for key, one in usual.items() if key in forced and forced[key]["colour"] in NOTHING and not forced[key]["isDrawn"]}
    assert gone == set()
    assert {one["name"] for one in usual.values() if not one["isOnPaper"]} == set()


@pytest.mark.parametrize("tab", TABS)
def test_no_tab_has_a_fault_on_a_small_or_zoomed_screen_with_spaced_text_or_on_paper(page, tab):
    page.click(f"#tab-{tab}")
    for size in (SMALL, ZOOMED):
        page.set_viewport_size(size)
        wait_until_at_rest(page)
        assert faults(page) == [], size
    page.set_viewport_size(DESKTOP)
    spaced = page.add_style_tag(content=SPACING)
    wait_until_at_rest(page)
    found = faults(page)
    spaced.evaluate("(style) => style.remove()")
    assert found == [], "text spacing"
    page.emulate_media(media="print")
    wait_until_at_rest(page)
    found = faults(page)
    page.emulate_media(media="screen")
    assert found == [], "on paper"


def test_a_printed_page_is_as_large_as_the_window(page):
    page.set_viewport_size(DESKTOP)
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    rules = "() => [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).find((rule) => rule instanceof CSSPageRule)?.cssText"
    assert f"size: {DESKTOP['width']}px {DESKTOP['height']}px" in page.evaluate(rules)
