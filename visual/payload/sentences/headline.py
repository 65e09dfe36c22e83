"""The headline of a finished step: how many tokens one call gave, what the draft guessed right, what the target added."""

from __future__ import annotations

from collections.abc import Sequence

from ersd.settings import Settings
from ersd.trace.step import Step

from ..message_types.step import PartKind
from .exactness import is_biased
from .formatting import fitting, plural, width
from .kinds.table import KINDS, key_of, run_kind
from .nodes import emitted_names

Part = tuple[PartKind, str]
"""What a part of the headline is (`""`, `accepted` or `target`) and its plain text."""

MAX_COLUMNS = 26
"""Columns for accepted tokens and the target's own together, so that the headline is one line beside the settings at 1440 px."""
MAX_OWN_COLUMNS = 14
"""Columns for the target's own token at most."""
GAP = " … "


def headline(step: Step, settings: Settings) -> list[Part]:
    """The headline in parts; the browser draws ✓ before accepted tokens and ★ before the target's own."""
    accepted, own = step.accepted, len(step.emitted) - step.accepted
    start = f"{plural(accepted + own, 'token')} from one call: "
    names = emitted_names(step)
    target = _cut(names[-1], MAX_OWN_COLUMNS) if own else ""
    if not step.tokens:
        return [("", f"{start}nothing was drafted, the target wrote "), ("target", target)]
    if not accepted:
        none = "no guess was close enough" if is_biased(settings) else KINDS[key_of(run_kind(settings))].none_right
        return [("", f"{start}{none}, the target added "), ("target", target)]
    # no comma: the accepted text may end with one
    added: list[Part] = [("", " and the target added "), ("target", target)] if own else [("", " and the text ends there")]
    verb = "close enough were " if is_biased(settings) else KINDS[key_of(run_kind(settings))].guessed
    words = running_text([one.text for one in step.emitted[:accepted]], names[:accepted], MAX_COLUMNS - width(target))
    return [("", start + verb), ("accepted", words), *added]


def running_text(texts: Sequence[str], labels: Sequence[str], room: int) -> str:
    """Tokens as running text; where that has no letters, their labels. A long text keeps its beginning and its end."""
    text = " ".join("".join(texts).replace("\n", " ↵ ").split())
    return _cut(text or " ".join(labels), max(room, 12))


def _cut(text: str, room: int) -> str:
    """A text with … in its middle where it is too long; whole words are kept where they fit."""
    if width(text) <= room:
        return text
    half = (room - width(GAP)) // 2
    head, tail = fitting(text, half), fitting(text, half, from_end=True)
    whole_head, whole_tail = head.rpartition(" ")[0], tail.partition(" ")[2]
    if text[len(head)] == " ":
        whole_head = head
    if text[-len(tail) - 1] == " ":
        whole_tail = tail
    return f"{whole_head or head}{GAP}{whole_tail or tail}" if " " in text else f"{head}…{tail}"
