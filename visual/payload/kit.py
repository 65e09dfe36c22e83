"""The kit, what every player is sent once: templates, layouts, colours, kinds of decisions, texts and number formats."""

from __future__ import annotations

from visual.payload import bookmarks, redraw, sources, watermark, what_if
from visual.payload.times import lanes
from visual.payload.tree import style as tree_style

from .decision import FIGURES, LAYOUT, MARKS, WORDS
from .message_types.kit import Kit
from .sentences.glossary import TERMS
from .sentences.kinds.table import KINDS
from .sentences.numbers import NUMBERS
from .theme import DARK, LIGHT, SIGNS


def kit() -> Kit:
    """What every player needs once."""
    return {
        "palettes": {"light": LIGHT, "dark": DARK},
        "signs": SIGNS,
        "marks": MARKS,
        "kinds": {name: kind.to_browser() for name, kind in KINDS.items()},
        "words": WORDS,
        "glossary": [term.to_browser() for term in TERMS],
        "numbers": NUMBERS,
        "tree": tree_style.KIT,
        "decision": {"layout": LAYOUT, "figures": FIGURES},
        "what_if": what_if.KIT,
        "redraw": redraw.KIT,
        "lanes": lanes.WORDS,
        "watermark": watermark.KIT,
        "sources": sources.WORDS,
        "find": bookmarks.BOOKMARKS,
    }
