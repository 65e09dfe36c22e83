"""The tabs of the page and their addresses, `?tab=compare`; tabs.js opens them by name and keeps the address up to date."""

from __future__ import annotations

import gradio as gr

from ..player import raw_html

TABS: dict[str, str] = {
    "generate": "Generate",
    "compare": "Compare",
    "lab": "Lab",
    "curves": "Curves",
    "learn": "Learn",
    "gallery": "Gallery",
}
"""Name in the address -> label, in order. The first is the default."""

NOTE = "tab-note"
"""Class of the note over the page: tabs.js reports an address that names no tab in it, share.js the result of sharing a link."""


def all_tabs() -> gr.Tabs:
    """The container of the tabs, a context as `gr.Tabs`."""
    raw_html('<p role="status"></p><button type="button" aria-label="Close">✕</button>', elem_classes=NOTE)
    return gr.Tabs(elem_id="tabs", overflow_behavior="wrap")


def tab(name: str) -> gr.Tab:
    """One of TABS, a context as `gr.Tab`. tabs.js gives its button the id `tab-<name>`."""
    return gr.Tab(TABS[name], id=name, elem_id=f"panel-{name}")
