"""The tabs of the page and their addresses, `?tab=compare`; tabs.js opens them by these names and keeps the address as they are."""

from __future__ import annotations

import gradio as gr

TABS: dict[str, str] = {"generate": "Generate", "compare": "Compare", "gallery": "Gallery"}
"""Name in the address -> what stands on the button, in order. The first is opened where an address names none."""

NOTE = "tab-note"
"""Class of the place where tabs.js says that an address names no tab."""


def all_tabs() -> gr.Tabs:
    """What holds the tabs: a context, as `gr.Tabs`."""
    gr.HTML('<p role="status"></p>', elem_classes=NOTE, apply_default_css=False, padding=False)
    return gr.Tabs(elem_id="tabs", overflow_behavior="wrap")


def tab(name: str) -> gr.Tab:
    """One of TABS: a context, as `gr.Tab`. The script calls its button `tab-<name>`."""
    return gr.Tab(TABS[name], id=name, elem_id=f"panel-{name}")
