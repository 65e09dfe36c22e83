"""A text from a file, with a message for everything that is none."""

from __future__ import annotations

from pathlib import Path

from ..formatting import quoted
from ..settings import MAX_TEXT_BYTES


def read_text(flag: str, file: str) -> str:
    """The text of a file, without a line break at its end. ValueError naming the flag, the file and what is allowed."""
    try:
        with Path(file).open("rb") as opened:
            data = opened.read(MAX_TEXT_BYTES + 1)
            size = max(len(data), Path(file).stat().st_size)
    except OSError as problem:
        raise ValueError(f"{flag} must be a file that can be read, got {quoted(file)}: {problem.strerror}") from None
    if size > MAX_TEXT_BYTES:
        raise ValueError(f"{flag} must be a text of at most {MAX_TEXT_BYTES:,} bytes, got {quoted(file)} with {size:,}")
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"{flag} must be a text in UTF-8, got {quoted(file)}, which has byte {data[problem.start]:#04x} at {problem.start}"
        ) from None
    if "\0" in text:
        raise ValueError(f"{flag} must be a text, got {quoted(file)}, which has a zero byte at {text.index(chr(0))}")
    return text.removesuffix("\n").removesuffix("\r")
