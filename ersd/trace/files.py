"""A trace as a file: JSON, an HTML page that plays it, or an image of a step.

Pages and images are made by `visual`, which is looked for only when one is wanted.
"""

from __future__ import annotations

import html
import importlib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..formatting import quoted

if TYPE_CHECKING:
    from .model import Trace

TEXTS = (".json", ".html")
IMAGES = (".svg", ".png")
"""Endings of the files that a trace can be saved as."""
FRAME_HEIGHT = 900
"""Pixels of a run in a notebook."""


def save(trace: Trace, path: str | Path, **image: str | int | None) -> None:
    """Write a trace to a file; `image`: `picture`, `step` and `theme` of `Trace.save`, None where not given.

    ValueError for a name with another ending, for an argument that does not fit, or where something is missing.
    """
    path = Path(path)
    given = {name: value for name, value in image.items() if value is not None}
    if path.suffix in IMAGES:
        path.write_bytes(_export("an image").image(trace, path.suffix.removeprefix("."), **given))
        return
    if path.suffix not in TEXTS:
        raise ValueError(f"path must end in one of {', '.join(TEXTS + IMAGES)}, got {quoted(str(path))}")
    if given:
        raise ValueError(f"{next(iter(given))} is of an image, so path must end in {' or '.join(IMAGES)}, got {quoted(str(path))}")
    path.write_text(trace.to_json() if path.suffix == ".json" else page_of(trace), encoding="utf-8")


def page_of(trace: Trace) -> str:
    """The HTML page that plays a trace; ValueError where the package `visual` is missing."""
    return str(_export("an HTML page").html(trace))


def _export(wanted: str) -> ModuleType:
    try:
        return importlib.import_module("visual.export")
    except ImportError as problem:
        raise ValueError(f"{wanted} needs the package visual of this project beside ersd: {problem}") from None


def frame_of(trace: Trace, height: int = FRAME_HEIGHT) -> str:
    """The page in a frame of its own, for notebooks: it can reach nothing around it. Two frames do not disturb each other."""
    page = html.escape(page_of(trace), quote=True)
    style = f"width: 100%; height: {height}px; border: 0"
    rights = "allow-scripts allow-downloads"
    return f'<iframe srcdoc="{page}" sandbox="{rights}" title="A run of speculative decoding" style="{style}"></iframe>'
