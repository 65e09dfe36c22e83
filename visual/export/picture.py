"""The tree or the race of a step as an image: the saved page draws it in a browser without a window."""

from __future__ import annotations

from urllib.parse import urlencode

from ersd.settings import Range, one_of
from ersd.trace.model import Trace

from .browser import FORMATS, THEMES, drawn
from .document import html

PICTURES = ("tree", "race")


def image(trace: Trace, format: str, picture: str = "tree", step: int | None = None, theme: str = "light") -> bytes:
    """A picture of one step, as the content of an image file.

    Args:
        trace: the run.
        format: `svg` or `png`.
        picture: `tree` or `race`.
        step: number of the step, from 1; None: the one that shows most, at which the page opens too.
        theme: `light` or `dark`.

    ValueError for another argument, for a step without this picture, and where choreographer or a browser is missing; RuntimeError if the
    browser fails.
    """
    one_of("format", format, FORMATS)
    one_of("picture", picture, PICTURES)
    one_of("theme", theme, THEMES)
    if step is not None:
        Range(int, 1, len(trace.steps)).check("step", step)
    query = urlencode({"theme": theme} if step is None else {"theme": theme, "step": step})
    found = drawn(html(trace), query, picture, format)
    if not found:
        raise ValueError(f"picture must be one that this step has, got {picture!r}")
    return found
