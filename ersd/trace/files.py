"""A trace as a file: JSON, or an HTML page that plays it. Pages are made by `visual`, which is looked for only when one is wanted."""

from __future__ import annotations

import html
import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from ..formatting import quoted

if TYPE_CHECKING:
    from .model import Trace

FRAME_HEIGHT = 900
"""Pixels of a run in a notebook."""


def save(trace: Trace, path: str | Path) -> None:
    """Write a trace to a `.json` or a `.html` file; ValueError for any other name, or where `visual` is missing."""
    path = Path(path)
    if path.suffix not in (".json", ".html"):
        raise ValueError(f"path must end in .json or .html, got {quoted(str(path))}")
    path.write_text(trace.to_json() if path.suffix == ".json" else page_of(trace), encoding="utf-8")


def page_of(trace: Trace) -> str:
    """The HTML page that plays a trace; ValueError where the package `visual` is missing."""
    try:
        export = importlib.import_module("visual.export")
    except ImportError as problem:
        raise ValueError(f"an HTML page needs the package visual of this project beside ersd: {problem}") from None
    return str(export.html(trace))


def frame_of(trace: Trace, height: int = FRAME_HEIGHT) -> str:
    """The page in a frame of its own, for notebooks: it can reach nothing around it. Two frames do not disturb each other."""
    page = html.escape(page_of(trace), quote=True)
    style = f"width: 100%; height: {height}px; border: 0"
    return f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="A run of speculative decoding" style="{style}"></iframe>'
