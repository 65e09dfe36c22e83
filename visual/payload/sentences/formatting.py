"""How tokens and counts are written: visible whitespace, quotation marks, plurals, decimals."""

from __future__ import annotations

import html
import unicodedata

from ersd.formatting import characters, decimal as decimal, plural as plural, rounded as rounded, visible


def token_label(text: str, token: int | None = None) -> str:
    """A token as the page writes it: `saw` (after a space), `-ed` (continues a word), `“.”` (punctuation), `␣` or `↵` (nothing else)."""
    name = visible(text.removeprefix(" ") or text, token).replace("⏎", "↵")
    if text[:1].islower():
        return f"-{name}"
    is_punctuation = bool(text.strip()) and not any(character.isalnum() for character in text)
    if not is_punctuation:
        return name
    return f"‘{name}’" if "“" in name or "”" in name else f"“{name}”"


def text_of(label: str) -> str:
    """A text with this label, the reverse of `token_label` for tokens of words and punctuation."""
    if len(label) > 2 and label[0] == "“" and label[-1] == "”":
        return label[1:-1]
    return label[1:] if len(label) > 1 and label[0] == "-" else f" {label}"


def quoted(name: str) -> str:
    """A token's label in the quotation marks by which the browser recognizes a token in a sentence, and draws it in a box."""
    return name if name.startswith("“") else f"“{name}”"


def width(text: str) -> int:
    """Columns of `text` in a monospace face; wide East Asian characters and emoji take two."""
    return len(text) if text.isascii() else sum(map(_width_of, characters(text)))


def _width_of(character: str) -> int:
    return min(2, sum(0 if unicodedata.combining(point) else 1 + (unicodedata.east_asian_width(point) in "WF") for point in character))


def fitting(text: str, columns: int, from_end: bool = False) -> str:
    """As many of the first characters, or of the last ones, as fit into these columns."""
    kept: list[str] = []
    for character in characters(text)[:: -1 if from_end else 1]:
        columns -= _width_of(character)
        if columns < 0:
            break
        kept.append(character)
    return "".join(kept[:: -1 if from_end else 1])


def ending(text: str, columns: int) -> str:
    """The last `columns` of a text on one line, with … in front where it is cut."""
    flat = " ".join(text[-4 * columns :].split())  # the text may be long, its end is enough
    if width(flat) <= columns:
        return flat
    return "…" + fitting(flat, columns - 1, from_end=True)


def last_words(text: str, columns: int) -> str:
    """The last words of a text that fit into `columns`; of a longer word its end."""
    end = ending(text, columns)
    whole = end.partition(" ")[2] if end.startswith("…") else end
    return whole or end


def escape(text: str) -> str:
    """Text made safe for HTML and for Plotly's pseudo-HTML, whatever a model or a user wrote."""
    return html.escape(text, quote=False)


def ordinal(rank: int) -> str:
    """1st, 2nd, 3rd, 4th …"""
    if rank % 100 in (11, 12, 13):
        return f"{rank}th"
    return str(rank) + {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
