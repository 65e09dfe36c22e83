"""The curves of a measurement as an image: a page that holds nothing else draws them in a browser without a window."""

from __future__ import annotations

import json
from string import Template

from ersd.curves.results import Curves
from ersd.settings import one_of
from visual.markup import in_script
from visual.payload.curves import message
from visual.payload.messages import compact
from visual.payload.theme import PALETTES

from .browser import FORMATS, THEMES, drawn
from .bundle import PREFIX, import_map
from .document import HERE, plotly

MODULE = "curves/image.js"
VIEWS = ("accepted", "next", "speed")


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
    page = Template((HERE / "curves.html").read_text(encoding="utf-8"))
    names = {"plotly": plotly(), "import_map": import_map(MODULE), "data": in_script(data), "module": PREFIX + MODULE}
    return drawn(page.substitute(names), "", view, format)
