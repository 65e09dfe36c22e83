"""Tokens as text."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


class Detokenizer:
    """What tokens look like. It can be pickled, for a process that has no models."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, nameless: Collection[int]) -> None:
        """`nameless`: ids that are no token of the tokenizer; they have no text."""
        self.tokenizer, self.nameless = tokenizer, frozenset(nameless)
        self._known: dict[int, str] = {}

    def token_text(self, token: int) -> str:
        """What the token looks like inside a text, its leading space included."""
        if token not in self._known:
            anchor, length = self._anchor
            self._known[token] = self.decode([*anchor, token])[length:]
        return self._known[token]

    @cached_property
    def _anchor(self) -> tuple[list[int], int]:
        """A token to read another one behind, since some tokenizers drop the space of a text's first token; and the length of its text."""
        anchor = self.tokenizer.encode("a", add_special_tokens=False)[-1:]
        return anchor, len(self.decode(anchor))

    def decode(self, tokens: list[int], skip_special_tokens: bool = False) -> str:
        """The text of tokens; special ones are written out unless they are to be left out."""
        if self.nameless:
            tokens = [token for token in tokens if token not in self.nameless]
        return str(self.tokenizer.decode(tokens, skip_special_tokens=skip_special_tokens, clean_up_tokenization_spaces=False))


class TextStream:
    """The text of a run, token by token."""

    def __init__(self, texts: Detokenizer, prompt: list[int]) -> None:
        self.texts, self.ids = texts, list(prompt)
        self.start, self.read = max(0, len(prompt) - 4), len(prompt)

    def push(self, token: int) -> str:
        """What the token adds to the text."""
        self.ids.append(token)
        before = self.texts.decode(self.ids[self.start : self.read], skip_special_tokens=True)
        after = self.texts.decode(self.ids[self.start :], skip_special_tokens=True)
        if len(after) <= len(before) or after.endswith("\ufffd"):
            return ""
        self.start, self.read = self.read, len(self.ids)
        return after[len(before) :]

    def flush(self) -> str:
        """What is still held back."""
        return ""
