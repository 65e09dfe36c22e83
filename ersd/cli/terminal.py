"""The terminal: a console that prints text as it is, error lines, and standard streams that are closed or full.

Prompts, tokens and names of models are not trusted: none is read as rich's markup, and none sends control characters.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from rich.console import Console
from rich.segment import Segment, Segments
from rich.style import Style

from ..formatting import harmless

WIDTH, HEIGHT = 16_384, 25
"""The size the console is given. So wide that rich never wraps, crops or pads a line: a terminal wraps by itself, a file needs none of it.
Both are set, since a dumb terminal would get 80 columns otherwise."""


class _Console(Console):
    """A console that leaves a reader's end to the program: rich would exit here."""

    def on_broken_pipe(self) -> None:
        raise  # called while the BrokenPipeError is handled


def console(is_quiet: bool = False) -> Console:
    """A console on standard output, with colours if that is a terminal, not a dumb one, and NO_COLOR is not set."""
    return _Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        force_jupyter=False,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
        width=WIDTH,
        height=HEIGHT,
        quiet=is_quiet,
    )


def verbatim(*pieces: tuple[str, str]) -> Segments:
    """(text, style) pairs printed exactly: `rich.text.Text` would expand their tabs and could strip the spaces at their end."""
    return Segments([Segment(harmless(text), Style.parse(style)) for text, style in pieces])


def print_error(message: str) -> None:
    """Print one line on standard error, if anything can be written there."""
    try:
        print(harmless(" ".join(message.splitlines())), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def discard(stream: TextIO) -> None:
    """Send what is left in the buffer of a stream that failed to the null device: Python flushes it again at the end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_closed_streams() -> set[str]:
    """Give closed standard streams the null device and return their names.

    Libraries may then write to them, and a file opened later does not get the descriptor that they write to.
    """
    closed = {name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None}
    for name in ("stdin", "stdout", "stderr"):  # in the order of their descriptors: open takes the lowest free one
        if name in closed:
            null = open(os.devnull, "r" if name == "stdin" else "w", errors="replace")  # noqa: SIM115  # open until the program ends
            setattr(sys, name, null)
    return closed
