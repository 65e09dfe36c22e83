"""Every tab has an address: an address opens its tab, and choosing a tab changes the address and nothing else in it."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from visual.ui.tabs import TABS

from .browser import PHONE
from .geometry import is_in_window

FIRST, SECOND = list(TABS)[:2]


def opened(page) -> str:
    """The tab that is in view, by its name."""
    return page.get_attribute("#tabs [role=tab][aria-selected=true]", "id").removeprefix("tab-")


def asked(page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def test_every_tab_has_an_address_and_its_button_a_name_and_an_unknown_tab_is_reported(open_page):
    page = open_page("?tab=elsewhere&theme=3")
    page.wait_for_selector(".tab-note p:not(:empty)")
    assert opened(page) == FIRST
    assert "“elsewhere”" in page.inner_text(".tab-note p")
    page.click(f"#tab-{SECOND}")
    page.wait_for_selector(".tab-note p:empty", state="attached")
    assert asked(page) == {"theme": ["3"], "tab": [SECOND]}
    page.set_viewport_size(PHONE)  # there they do not all fit into the window
    for name in [*reversed(TABS), SECOND]:
        page.click(f"#tab-{name}")
        page.wait_for_selector(f"#tab-{name}[aria-selected=true]")
        assert asked(page) == {"theme": ["3"], "tab": [name]}
        assert is_in_window(page, f"#tab-{name}")
    page.reload()
    page.wait_for_selector(f"#tab-{SECOND}[aria-selected=true]")
    assert page.text_content(".tab-note p") == ""
