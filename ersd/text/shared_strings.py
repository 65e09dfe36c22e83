"""The strings that two tokenizers both have as a token."""

from __future__ import annotations

from .detokenizer import Detokenizer


def shared_strings(first: Detokenizer, second: Detokenizer, first_size: int, second_size: int) -> list[tuple[int, int]]:
    """Pairs of ids, one of each tokenizer, that stand for the same text. `first_size`, `second_size`: ids below them are looked at."""
    theirs = _ids_of_strings(second, second_size)
    return [(token, theirs[text]) for text, token in _ids_of_strings(first, first_size).items() if text in theirs]


def _ids_of_strings(texts: Detokenizer, size: int) -> dict[str, int]:
    """String -> its first id. Special tokens, bytes and parts of characters are no strings."""
    found: dict[str, int] = {}
    for token in range(size):
        if token not in texts.silent and not texts.raw_byte(token):
            text = texts.token_text(token)
            if text and "\ufffd" not in text:
                found.setdefault(text, token)
    return found
