"""What a message may quote."""

from __future__ import annotations

MOST_QUOTED = 200
"""Characters of a value, at most, that stand in a message."""


def brief(value: object) -> str:
    """The value as it may stand in a message: its first 200 characters."""
    if isinstance(value, int) and value.bit_length() > 4 * MOST_QUOTED:
        return f"a number of more than {MOST_QUOTED} digits"  # Python itself refuses to write down the longest
    text = str(value)
    return text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 3]}..."


def quoted(value: object) -> str:
    """The value as Python writes it, briefly: what was given, in a message that refuses it."""
    if isinstance(value, str):
        return brief(repr(value[: MOST_QUOTED + 1]))  # not all of 40 MB has to be written out first
    return brief(value if isinstance(value, int) else repr(value))
