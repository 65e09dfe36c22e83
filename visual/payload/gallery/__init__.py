"""The gallery: recorded runs that each show one effect. The sentences of a card are computed from its own runs.

A card has the settings of its runs, finds where in them the effect is, and describes it in two sentences. `assets/record_gallery.py` looks
for a seed that shows the effect; `visual/ui/tabs/gallery.py` shows the recorded runs.
"""

from . import rules, sources
from .card import Card, View

__all__ = ["CARDS", "Card", "View"]

CARDS: tuple[Card, ...] = (*rules.CARDS, *sources.CARDS)
"""In the order of the page."""
