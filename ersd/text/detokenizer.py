"""Tokens as text: single tokens, whole sequences, and the pieces of a run as its tokens arrive."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_REPLACEMENT = "\ufffd"
_CONTEXT, _WINDOW = 4, 12
"""A window of 12 tokens is cut back to its last 4, which is as many as a character can have."""


class Detokenizer:
    """The text of tokens."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, nameless: Collection[int]) -> None:
        """`nameless`: ids that are no token of the tokenizer; they have no text."""
        self.tokenizer, self.nameless = tokenizer, frozenset(nameless)
        self._known: dict[int, str] = {}
        self._bytes: dict[int, bytes] = {}

    def token_text(self, token: int) -> str:
        """The text of a token inside a text, its leading space included."""
        if token not in self._known:
            anchor, length = self._anchor
            self._known[token] = self.decode([*anchor, token])[length:]
        return self._known[token]

    @cached_property
    def _anchor(self) -> tuple[list[int], int]:
        """A token to put before another one, since some tokenizers drop the space of the first token; and the length of its text."""
        anchor = self.tokenizer.encode("a", add_special_tokens=False)[-1:]
        return anchor, len(self.decode(anchor))

    def decode(self, tokens: Sequence[int], skip_special_tokens: bool = False) -> str:
        """The text of tokens, with or without the special ones."""
        named = [token for token in tokens if token not in self.nameless]
        return str(self.tokenizer.decode(named, skip_special_tokens=skip_special_tokens, clean_up_tokenization_spaces=False))

    @cached_property
    def silent(self) -> frozenset[int]:
        """Tokens that add nothing to a text: special ones, and ids without a name."""
        added = getattr(self.tokenizer, "added_tokens_decoder", {})
        return self.nameless | {i for i, token in added.items() if token.special} | set(self.tokenizer.all_special_ids)

    def raw_byte(self, token: int) -> bytes:
        """The byte that a byte-fallback token such as `<0xE1>` stands for; empty for all other tokens."""
        if token not in self._bytes:
            name = str(self.tokenizer.convert_ids_to_tokens(token))
            found = _BYTE.fullmatch(name)
            is_byte = found is not None and self.decode([token]) != name
            self._bytes[token] = bytes([int(found[1], 16)]) if found and is_byte else b""
        return self._bytes[token]


class TextStream:
    """Incremental decoder: what each new token adds to the text after a prompt.

    A character of several tokens appears with its last one, and bytes that form no character as U+FFFD, one token late. A piece is the
    difference of two decoded windows of tokens: whether a token begins with a space depends on the tokens before it. Windows may begin
    inside a character, since UTF-8 recovers at the next one. Byte-fallback tokens are decoded here: tokenizers replace a whole run of
    them if it has one wrong byte.
    """

    def __init__(self, detokenizer: Detokenizer, prompt_ids: Sequence[int]) -> None:
        """`prompt_ids`: the tokens before the text; their own text is not part of it."""
        self._detokenizer = detokenizer
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._window: list[int] = []
        self._shown = ""
        """the beginning of the window's text that is in pieces already, or in the prompt"""
        self._held = ""
        """the rest of the window's text: one U+FFFD that the next token may complete to a character"""
        self._pieces: list[str] = []
        for token in [token for token in prompt_ids if token not in detokenizer.silent][-_WINDOW:]:
            self.push(token)
        self._shown, self._held = self._shown + self._held, ""
        self._pieces = []

    @property
    def text(self) -> str:
        """All pieces so far."""
        return "".join(self._pieces)

    def push(self, token: int) -> str:
        """What the token adds to the text; empty inside a character of several tokens, and for special tokens."""
        if token in self._detokenizer.silent:
            piece = ""
        elif byte := self._detokenizer.raw_byte(token):
            piece = self._held + self._utf8.decode(byte)
            self._window, self._shown, self._held = [token], self._decode([token]), ""
        else:
            piece = self._utf8.decode(b"", final=True) + self._append(token)
        self._pieces.append(piece)
        return piece

    def flush(self) -> str:
        """What is held back when the run ends, in the middle of a character: one U+FFFD, or nothing."""
        piece = self._utf8.decode(b"", final=True) + self._held
        self._shown, self._held = self._shown + self._held, ""
        self._pieces.append(piece)
        return piece

    def _append(self, token: int) -> str:
        """What a token adds to the text of the window."""
        self._window.append(token)
        text = self._decode(self._window)
        start = _common_length(self._shown, text)
        end = max(start, len(text.removesuffix(_REPLACEMENT)))
        if len(self._window) > _WINDOW:
            self._window = self._window[-_CONTEXT:]
            kept = self._decode(self._window)
        else:
            kept = text
        self._held = text[end:]
        self._shown = kept.removesuffix(self._held)
        return text[start:end]

    def _decode(self, tokens: list[int]) -> str:
        return self._detokenizer.decode(tokens, skip_special_tokens=True)


def _common_length(first: str, second: str) -> int:
    """The number of characters that two texts begin with in common."""
    shorter = min(len(first), len(second))
    return next((i for i in range(shorter) if first[i] != second[i]), shorter)
