"""The introduction above the player: a sentence and two ways on, shown until the first action in a browser (web/introduction)."""

from __future__ import annotations

import gradio as gr

from visual.markup import template
from visual.payload.lessons import languages, read_labels
from visual.payload.sentences.formatting import escape

from .links import NAMES, TRACE

SKIPPED_BY = (*NAMES, TRACE, "step", "vertex", "tab", "lesson", "figure", "view")
"""Parameters of an address that asks for a run, a step, a tab or the page for a room: it is opened without the introduction."""


def introduction() -> None:
    """Build it inside the current Blocks, once in each language of the lessons; the browser keeps one."""
    html = template("introduction/introduction.html")
    texts = []
    for language in languages():
        labels = {name: escape(text) for name, text in read_labels(language).items()}
        texts.append(html.substitute(labels, language=language))
    gr.HTML(f'<div class="introduction-place"><div>{"".join(texts)}</div></div>', apply_default_css=False, padding=False)


def head() -> str:
    """What its script needs in the page's head."""
    return f'<meta name="ersd-links" content="{" ".join(SKIPPED_BY)}">'
