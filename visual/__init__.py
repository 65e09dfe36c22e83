"""The visualiser: `payload` turns steps into data for the browser, `server` runs them, `ui` builds the page, `web` draws.

`export` puts a run with its player into one file; `visual.show(trace)` shows it in a notebook.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ersd.trace.model import Trace

    from .export.document import Shown


def show(trace: Trace, height: int = 900) -> Shown:
    """A run for a notebook cell, `height` pixels high; the same as the trace itself, which is as high as the player needs on a desktop."""
    from .export.document import Shown  # late: the pictures need none of it

    return Shown(trace, height)
