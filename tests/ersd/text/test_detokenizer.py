"""The pieces of a run, joined, are the text after the prompt: for tokenizers of every kind, prompts and cut points."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings, strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from ersd.text.detokenizer import Detokenizer, TextStream

from ..tiny import characters

ASCII = "abcdefgh"
WIDE = "éሀለ😀"


def byte_level() -> Tokenizer:
    """Every byte is a token, and some pairs of bytes, which may lie across characters."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    name = dict(zip(range(256), (_byte_name(byte) for byte in range(256)), strict=True))
    pairs = [(name[a], name[b]) for a, b in zip("ሀለ".encode(), "ሀለ".encode()[1:], strict=False)]
    vocab = [*alphabet, *dict.fromkeys(a + b for a, b in pairs)]
    inner = Tokenizer(models.BPE({token: i for i, token in enumerate(vocab)}, list(dict.fromkeys(pairs))))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False), decoders.ByteLevel()
    return inner


def _byte_name(byte: int) -> str:
    """As GPT-2 writes a byte."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return chr(byte) if byte in printable else chr(256 + [b for b in range(256) if b not in printable].index(byte))


def byte_fallback() -> Tokenizer:
    vocab = ["▁", *ASCII, *(f"▁{letter}" for letter in ASCII), *(f"<0x{byte:02X}>" for byte in range(256))]
    merges = [("▁", letter) for letter in ASCII]
    inner = Tokenizer(models.BPE({token: i for i, token in enumerate(vocab)}, merges, byte_fallback=True))
    inner.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    replace = decoders.Replace("▁", " ")
    inner.decoder = decoders.Sequence([replace, decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    return inner


def metaspace() -> Tokenizer:
    vocab = ["▁", *ASCII, *WIDE, *(f"▁{letter}" for letter in ASCII)]
    inner = Tokenizer(models.BPE({token: i for i, token in enumerate(vocab)}, [("▁", letter) for letter in ASCII]))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    return inner


def word_piece() -> Tokenizer:
    letters = ASCII + WIDE
    inner = Tokenizer(models.WordPiece({token: i for i, token in enumerate(["[UNK]", *letters, *(f"##{one}" for one in letters)])}))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.Whitespace(), decoders.WordPiece()
    return inner


def end_of_word() -> Tokenizer:
    letters = ASCII + WIDE
    vocab = [*letters, *(f"{letter}</w>" for letter in letters)]
    inner = Tokenizer(models.BPE({token: i for i, token in enumerate(vocab)}, [], end_of_word_suffix="</w>"))
    inner.pre_tokenizer, inner.decoder = pre_tokenizers.Whitespace(), decoders.BPEDecoder("</w>")
    return inner


def word_level() -> Tokenizer:
    inner = Tokenizer(models.WordLevel({letter: i for i, letter in enumerate(ASCII + WIDE)}, unk_token="a"))
    inner.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Split("", "isolated")])
    return inner


KINDS = [byte_level, byte_fallback, metaspace, word_piece, end_of_word, word_level]


@cache
def detokenizer(kind) -> Detokenizer:
    return Detokenizer(PreTrainedTokenizerFast(tokenizer_object=kind()), ())


def streamed(kind, prompt: list[int], tokens: list[int]) -> TextStream:
    """The stream after all tokens, its text compared with its pieces."""
    stream = TextStream(detokenizer(kind), prompt)
    pieces = [stream.push(token) for token in tokens]
    assert "".join([*pieces, stream.flush()]) == stream.text
    assert stream.flush() == ""
    return stream


words = st.lists(st.text(ASCII + WIDE, min_size=1, max_size=6), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30, deadline=None)
@given(words, words)
def test_prompt_and_pieces_are_the_text_of_all_tokens(kind, prompt, text):
    """Wherever a run ends: what is shown then differs from the whole text by an unfinished character at most."""
    tokenizer = detokenizer(kind).tokenizer
    before, after = (tokenizer.encode(part, add_special_tokens=False) for part in (prompt, f"{prompt} {text}"))
    after = after[len(before) :] if after[: len(before)] == before else tokenizer.encode(text, add_special_tokens=False)
    whole = detokenizer(kind).decode([*before, *after])
    start = len(detokenizer(kind).decode(before))
    assert streamed(kind, before, after).text == whole[start:]
    for cut in range(len(after)):
        shown = streamed(kind, before, after[:cut]).text
        assert whole[start:].startswith(shown.rstrip("\ufffd"))
        assert len(shown) - len(shown.rstrip("\ufffd")) <= 1


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_tokens_after_any_prompt_are_shown_soon(kind, data):
    """Random tokens, most of them no characters: only one U+FFFD is ever held back."""
    ids = st.integers(0, len(detokenizer(kind).tokenizer) - 1)
    prompt, tokens = data.draw(st.lists(ids, max_size=20)), data.draw(st.lists(ids, max_size=40))
    stream = TextStream(detokenizer(kind), prompt)
    for token in tokens:
        stream.push(token)
        assert len(stream._window) <= 12
        assert len(stream._held) <= 1
    stream.flush()
    if kind not in (byte_level, byte_fallback):
        whole = detokenizer(kind).decode([*prompt, *tokens])
        assert whole.endswith(stream.text)


@pytest.mark.parametrize("kind", [byte_level, byte_fallback])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 255), max_size=40), st.text(ASCII + WIDE, max_size=4))
def test_bytes_are_decoded_as_utf_8_with_replacements(kind, data, prompt):
    tokenizer = detokenizer(kind).tokenizer
    name = _byte_name if kind is byte_level else (lambda byte: f"<0x{byte:02X}>")
    tokens = tokenizer.convert_tokens_to_ids([name(byte) for byte in data])
    assert streamed(kind, tokenizer.encode(prompt, add_special_tokens=False), tokens).text == bytes(data).decode(errors="replace")


@pytest.mark.parametrize("kind", [byte_level, byte_fallback])
def test_a_character_appears_with_its_last_byte(kind):
    tokenizer = detokenizer(kind).tokenizer
    stream = TextStream(detokenizer(kind), tokenizer.encode("a😀", add_special_tokens=False))
    name = _byte_name if kind is byte_level else (lambda byte: f"<0x{byte:02X}>")
    tokens = tokenizer.convert_tokens_to_ids([name(byte) for byte in "😀é".encode()])
    assert [stream.push(token) for token in tokens] == ["", "", "", "😀", "", "é"]


@pytest.mark.parametrize("kind", [byte_level, byte_fallback])
def test_bytes_that_form_no_character_take_linear_time(kind, monkeypatch):
    tokenizer = detokenizer(kind).tokenizer
    lone = tokenizer.convert_tokens_to_ids(_byte_name(0x80) if kind is byte_level else "<0x80>")
    stream, decode = TextStream(detokenizer(kind), [lone]), Detokenizer.decode
    decoded: list[int] = []
    monkeypatch.setattr(Detokenizer, "decode", lambda self, tokens, *more, **named: (
        decoded.append(len(tokens)), decode(self, tokens, *more, **named))[1])  # fmt: skip
    for _ in range(300):
        stream.push(lone)
    assert stream.text + stream.flush() == "\ufffd" * 300
    assert max(decoded) <= 13, "one window and a token, however many came before"
    assert len(decoded) <= 2 * 300


def test_special_tokens_and_ids_without_a_name_add_nothing():
    tokenizer = characters({"a": 0, "b": 1, "^": 2, "z": 5}, bos_token="^")
    stream = TextStream(Detokenizer(tokenizer, {3, 4}), [2])
    assert [stream.push(token) for token in (0, 3, 2, 4, 1, 5)] == ["a", "", "", "", "b", "z"]


def test_the_pieces_of_the_embedded_pair_are_its_text(pair):
    ids = pair.encode("Once upon a time there was a cat")
    stream = TextStream(pair.texts, ids[:4])
    assert "".join(map(stream.push, ids[4:])) + stream.flush() == pair.text(ids)[len(pair.text(ids[:4])) :]
    assert [pair.token_text(token) for token in ids[4:]] == [TextStream(pair.texts, ids[:i]).push(ids[i]) for i in range(4, len(ids))]
