"""A run in a notebook cell."""

from __future__ import annotations

from dataclasses import dataclass

from ersd.trace.files import FRAME_HEIGHT, frame_of
from ersd.trace.model import Trace


@dataclass(frozen=True)
class Shown:
    """What a notebook draws of a trace: its player, in a frame that nothing around it can disturb."""

    trace: Trace
    height: int = FRAME_HEIGHT
    """pixels"""

    def _repr_html_(self) -> str:
        return frame_of(self.trace, self.height)
