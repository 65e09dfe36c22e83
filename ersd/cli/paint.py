"""Colours of a terminal, where there is one that wants them."""

from __future__ import annotations

import os
from typing import TextIO

from ..formatting import harmless
from ..trace.model import Emitted

GREEN, RED, BLUE, DIM, PLAIN = "\033[32m", "\033[31m", "\033[34m", "\033[2m", "\033[0m"


class Paint:
    """Paints text for a stream: only for a terminal, not for a dumb one, and not where NO_COLOR is set (https://no-color.org)."""

    def __init__(self, stream: TextIO) -> None:
        self.on = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def __call__(self, colour: str, text: str) -> str:
        """The text in a colour; nothing in it controls the terminal."""
        clean = harmless(text)
        return f"{colour}{clean}{PLAIN}" if self.on and clean else clean

    def token(self, emitted: Emitted) -> str:
        """A token of the text: drafted and accepted green, the target's own blue."""
        return self(GREEN if emitted.source == "draft" else BLUE, emitted.text)
