"""The route of "Whose race was this?": a text and a seed come as JSON, and what the panel draws goes back. No model runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.routing import Route

from ersd.formatting import number_in, quoted
from ersd.settings import KEYS, RANGES, TEXT_START, Range, one_of
from ersd.text.detokenizer import TextStream
from ersd.text.prompt import text_ids
from ersd.watermarking import watermark
from visual.payload.message_types.panels import TextOfClocks
from visual.payload.messages import compact
from visual.payload.watermark import KIT, MAX_BYTES, MAX_TESTS, text_of_clocks

from .pairs import Pairs
from .questions import question_route, refusal
from .queue import RUNS

LABELS = {"text": "Text", "seed": "Seed", "start": "Start", "keys": "Clocks depend on", "models": "Models"}
"""Field -> its label in the panel (web/watermark/panel.html)."""
TESTS = Range(int, 1, MAX_TESTS)
"""Seeds and starts tried on the text so far, this one counted."""


def route(pairs: Pairs | None = None) -> Route:
    """Where the browser asks, for `launch`; with `pairs` their tokenizers."""
    return question_route(KIT["address"], lambda body: run_in_threadpool(lambda: answer(pairs, json.loads(body))))


def answer(pairs: Pairs | None, asked: Any) -> str:
    """The message for a request. What was typed and cannot be taken is an answer too: `refused`, a sentence, and the `field`."""
    if not isinstance(asked, Mapping):
        raise ValueError("a request must be a JSON object")
    try:
        return compact(_tested(pairs, asked))
    except ValueError as problem:
        return refusal(problem, LABELS)


def _tested(pairs: Pairs | None, asked: Mapping[str, Any]) -> TextOfClocks:
    text = _text(asked.get("text"))
    seed, start = (int(bounds.check(name, _number(asked.get(name)))) for name, bounds in (("seed", RANGES["seed"]), ("start", TEXT_START)))
    keys, tests = one_of("keys", asked.get("keys"), KEYS), int(TESTS.check("tests", asked.get("tests")))
    models = asked.get("models")
    if pairs is None or not isinstance(models, str) or not pairs.ready(models):
        there = [name for name in pairs.names if pairs.ready(name)] if pairs else []
        raise ValueError(f"models must be loaded, for its tokenizer ({', '.join(there) or 'none is yet'}), got {quoted(models)}")
    pair = pairs.get(models)
    tokens = RUNS.on_worker(text_ids, pair.tokenizer, text, is_whole=start == 0 and keys == "position")
    if not tokens:
        raise ValueError(f"text must be some text that the tokenizer reads, got {quoted(text)}, of which it makes no tokens")
    found = RUNS.on_worker(watermark, tokens, seed, start, keys)
    stream = TextStream(pair.texts, [])
    pieces = [stream.push(token) for token in tokens]
    pieces[-1] += stream.flush()
    return text_of_clocks(pieces, found.clocks, seed, tests)


def _text(text: Any) -> str:
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"text must be some text, got {quoted(text)}")
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:  # JSON can carry half a character, tokenizers cannot
        raise ValueError(f"text must be whole characters, got {text[error.start]!a} at {error.start}") from None
    if size > MAX_BYTES:
        raise ValueError(f"text must have at most {MAX_BYTES:,} bytes, got {size:,}")
    if "\0" in text:
        raise ValueError(f"text must be a text, got one with a zero byte at {text.index(chr(0))}")
    return text


def _number(value: Any) -> Any:
    """A number as it was typed, or what else came, which `Range.check` refuses by name."""
    return number_in(value.strip()) if isinstance(value, str) else value
