"""What belongs together in one tab: a set of controls, their preview and their player."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr

from ersd.settings import Settings

from .controls import Controls
from .element_ids import ElementIds
from .preview import Preview


@dataclass(frozen=True)
class Workbench:
    """A set of controls and the player that shows their runs. Several stand on one page: nothing of them is found but by `ids`."""

    ids: ElementIds
    usual: Settings
    """what the controls hold where nobody asks for anything else"""
    controls: Controls
    preview: Preview
    player: gr.HTML
