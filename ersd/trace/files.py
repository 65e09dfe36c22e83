"""Traces as files: JSON, an HTML page that plays one, or an image; curves are saved likewise.

Pages and images are made by `visual`, which is looked for only when one is wanted.
"""

from __future__ import annotations

import html
import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..formatting import quoted

if TYPE_CHECKING:
    from .model import Trace

IMAGES = (".svg", ".png")
"""Endings of images."""
FRAME_HEIGHT = 900
"""Pixels of a run in a notebook."""


def save(path: str | Path, texts: Mapping[str, Callable[[], str]], image: Callable[..., bytes], **of_image: str | int | None) -> None:
    """Write a file whose ending says what is wanted.

    Args:
        path: of the file.
        texts: ending -> makes what is written.
        image: makes an image; gets its format, and of `of_image` what is not None.

    ValueError for a name with another ending, for an argument that does not fit, or where something is missing.
    """
    path = Path(path)
    given = {name: value for name, value in of_image.items() if value is not None}
    if path.suffix in IMAGES:
        path.write_bytes(image(path.suffix.removeprefix("."), **given))
        return
    if path.suffix not in texts:
        raise ValueError(f"path must end in one of {', '.join((*texts, *IMAGES))}, got {quoted(str(path))}")
    if given:
        raise ValueError(f"{next(iter(given))} is of an image, so path must end in {' or '.join(IMAGES)}, got {quoted(str(path))}")
    path.write_text(texts[path.suffix](), encoding="utf-8")


def save_trace(trace: Trace, path: str | Path, **image: str | int | None) -> None:
    """`Trace.save`; `image`: its `picture`, `step` and `theme`."""
    texts = {".json": trace.to_json, ".html": lambda: page_of(trace)}
    save(path, texts, lambda format, **given: exporter("an image").image(trace, format, **given), **image)


def page_of(trace: Trace) -> str:
    """The HTML page that plays a trace; ValueError where the package `visual` is missing."""
    return str(exporter("an HTML page").html(trace))


def exporter(wanted: str) -> ModuleType:
    """The package that makes pages and images; ValueError naming what is `wanted` where it is missing."""
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
