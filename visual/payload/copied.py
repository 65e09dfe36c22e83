"""N-grams: where a step's guesses were copied from, which is what followed the same words earlier in the text."""

from __future__ import annotations

import re

from ersd.draft_tree import ROOT
from ersd.trace.step import Step

from .message_types.step import Copied
from .sentences.formatting import plural

MIN_COPIED = 2
"""A single word is found somewhere in most texts: that says nothing."""
MAX_MATCHED = 40
"""Characters of the words that are shown as the same: enough to see why it was copied from there."""
_LAST_WORD = re.compile(r"\s*\S+\s*$")


def copied(step: Step, text: str) -> Copied | None:
    """The longest path of the tree that stands earlier in the text, after the same last word; of several places the latest.

    None where there are not MIN_COPIED such guesses. Positions are in UTF-16 code units, as the browser counts.

    Args:
        step: with guesses from n-grams.
        text: prompt and text before the step.
    """
    last = _LAST_WORD.search(text)
    if not last:
        return None
    word, place = last[0], 0
    best: list[int] = []
    at = text.rfind(word, 0, len(text) - 1)
    while at >= 0:
        path = _path_along(step, text, at + len(word))
        if len(path) > len(best):
            best, place = path, at + len(word)
        at = text.rfind(word, 0, at + len(word) - 1) if at else -1
    if len(best) < MIN_COPIED:
        return None
    matched = len(word)
    while matched < min(place, MAX_MATCHED) and text[place - matched - 1] == text[len(text) - matched - 1]:
        matched += 1
    matched = len(text[place - matched : place].lstrip())
    end, kept = place + sum(len(step.texts[vertex]) for vertex in best), len(set(best) & set(step.path))
    return {
        "start": _units(text[:place]),
        "end": _units(text[:end]),
        "matched": _units(text[place - matched : place]),
        "words": f"{plural(len(best), 'guess', 'guesses')} copied from earlier in the text",
        "kept": f"{kept} kept",
    }


def _path_along(step: Step, text: str, start: int) -> list[int]:
    """The longest path of the tree that reads as the text from `start` on."""
    longest: list[int] = []
    paths: dict[int, tuple[list[int], int]] = {ROOT: ([], start)}
    for vertex, (parent, piece) in enumerate(zip(step.parents, step.texts, strict=True)):
        path, end = paths.get(parent, ([], -1))
        if end >= 0 and piece and text.startswith(piece, end):
            paths[vertex] = ([*path, vertex], end + len(piece))
            longest = max(longest, paths[vertex][0], key=len)
    return longest


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
