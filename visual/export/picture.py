"""The tree or the race of a step, and the curves of a measurement, as images: a page draws them in a browser without a window.

For a step that is the saved page, for curves a page that holds nothing else.
"""

from __future__ import annotations

import json
from string import Template
from urllib.parse import urlencode

from ersd.curves.results import Curves
from ersd.settings import Range, one_of
from ersd.trace.model import Trace
from visual.markup import in_script
from visual.payload.curves import message
from visual.payload.messages import compact
from visual.payload.theme import PALETTES

from .browser import FORMATS, THEMES, drawn
from .document import FOLDER, MODULE_PREFIX, html, import_map, plotly

PICTURES = ("tree", "race")
CURVES_MODULE = "curves/image.js"
VIEWS = ("accepted", "next", "speed")


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


def curves_image(curves: Curves, format: str, view: str = "accepted", theme: str = "light") -> bytes:
    """A view of the curves, as the content of an image file.

    Args:
        curves: the measurement.
        format: `svg` or `png`.
        view: `accepted` tokens, the `next` token, or `speed` on the machine that measured.
        theme: `light` or `dark`.

    ValueError for another argument, and where choreographer or a browser is missing; RuntimeError if the browser fails.
    """
    one_of("format", format, FORMATS)
    one_of("view", view, VIEWS)
    one_of("theme", theme, THEMES)
    messages = [json.loads(line) for line in message.recording(curves, curves.models, "").split("\n")]
    data = compact({"kit": message.KIT, "palette": PALETTES[theme], "messages": messages})
    page = Template((FOLDER / "curves.html").read_text(encoding="utf-8"))
    names = {"plotly": plotly(), "import_map": import_map(CURVES_MODULE), "data": in_script(data), "module": MODULE_PREFIX + CURVES_MODULE}
    return drawn(page.substitute(names), "", view, format)
