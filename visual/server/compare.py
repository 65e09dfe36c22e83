"""Runs several methods in turns, a few calls each, and tells them to their players and to the board beside them."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

import ersd
from ersd.formatting import brief, quoted
from ersd.settings import Settings
from visual.payload import messages
from visual.payload.compare import Comparison
from visual.payload.messages import Message, RunMessages
from visual.payload.sentences.labels import field_of, in_labels
from visual.payload.sentences.names import every_method

from .endpoints import BEAT, TURNS, what_ended_it
from .logs import Entry, logged
from .pairs import Pairs
from .zero_gpu import most_seconds, on_gpu

LANES = 3
"""Methods that are compared, at most; two at least."""
NOTHING = "none"
"""What the last menu of methods says where only two are compared."""
SHARED_FIELDS = ("temperature", "top_k", "top_p", "max_new_tokens", "seed", "branching", "sequences", "leniency", "chat")
"""The fields of Settings that all methods of a comparison have in common."""
NAMES = ("prompt", "models", *(f"{name}_{place + 1}" for place in range(LANES) for name in ("method", "draft_tokens")), *SHARED_FIELDS)
"""The values that a comparison is asked for with, in order."""
MOST_IN_A_ROW, TURN_MS = 16, 150.0
"""Target calls that a method makes before it is the next one's turn, and milliseconds that they take, at most. With one call each a small
model finds its weights gone from the processor's caches every time, and one by one, whose calls are shortest, loses most by it."""

Update = tuple[Any, ...]
"""What becomes of the players and, last, of the board."""


@dataclass(frozen=True)
class CompareRequest:
    """What somebody asks for; nothing in it is checked yet."""

    values: dict[str, Any]

    def runs(self) -> list[Settings]:
        """The settings of every method. ValueError in the words of Settings, which says of which method it is."""
        shared = {name: self.values[name] for name in SHARED_FIELDS}
        runs = []
        for place in range(1, LANES + 1):
            method, draft_tokens = self.values[f"method_{place}"], self.values[f"draft_tokens_{place}"]
            if place == LANES and method == NOTHING:
                continue
            try:
                algorithm, topology = _parts(method)
                drafted = {} if draft_tokens is None else {"draft_tokens": draft_tokens}
                runs.append(Settings(algorithm, topology, **drafted, **shared))
            except ValueError as problem:
                own = field_of(str(problem)) not in SHARED_FIELDS
                raise ValueError(f"{problem}{f' (method {place})' if own else ''}") from None
        return runs


def _parts(method: Any) -> tuple[str, str]:
    """Algorithm and topology of a method by its full name."""
    named = every_method()
    if not isinstance(method, str) or method not in named:
        raise ValueError(f"method must be one of {', '.join(named)}, got {quoted(method)}")
    return named[method]


@dataclass
class _Lane:
    """A method while it runs."""

    running: ExitStack
    """what ends with it: its steps, its line in the log"""
    entry: Entry
    steps: Generator[ersd.Step, None, None]
    narrator: RunMessages
    waiting: list[Message] = field(default_factory=list)
    """messages that the player has not been sent yet"""
    last: int = -1
    """the newest token"""
    is_over: bool = False


def comparing(pairs: Pairs) -> Callable[..., Iterator[Update]]:
    """The function behind the button: takes the values of NAMES, streams updates of LANES players and of the board."""

    def compare(*values: Any) -> Iterator[Update]:
        request = CompareRequest(dict(zip(NAMES, values, strict=True)))
        with ExitStack() as running:  # stopping it and closing the tab end here too, and free the caches
            lanes: list[_Lane] = []
            try:
                runs = request.runs()
                models = request.values["models"]
                for words in pairs.waiting(models):
                    yield _to_all(messages.status(words))
                pair = pairs.get(models)
                for settings in runs:
                    lanes.append(_begun(running.enter_context(ExitStack()), pair, request, settings))
            except Exception as problem:  # whatever it is, who waits must be told
                running.enter_context(logged("compare")).fail(problem)
                yield _to_all(_failure(problem))
                return
            yield from _told(lanes, Comparison(runs, pair.costs), most_seconds(pairs.run_seconds, *runs), pair.eos_ids)

    def runs_of(*values: Any) -> list[Settings]:
        return CompareRequest(dict(zip(NAMES, values, strict=True))).runs()

    bounded = on_gpu(compare, "compare", runs_of, pairs.run_seconds, lambda words: _to_all(messages.error(words)))
    return TURNS.streaming(bounded, _to_all)


def _begun(running: ExitStack, pair: ersd.ModelPair, request: CompareRequest, settings: Settings) -> _Lane:
    """A method that is about to run. Raises what the engine raises."""
    models, prompt = request.values["models"], request.values["prompt"]
    steps = running.enter_context(closing(ersd.generate(pair, prompt, settings, in_turns=True)))
    entry = running.enter_context(logged("compare"))
    entry.settings = settings
    fed = pair.fed(prompt, settings.chat) if settings.chat else None  # three times, so only where there is more than the prompt
    return _Lane(running, entry, steps, RunMessages(prompt, settings, models, pair.costs, fed))


def _told(lanes: list[_Lane], comparison: Comparison, seconds: float, eos_ids: frozenset[int]) -> Iterator[Update]:
    """The updates of a comparison: at once that it begins, then what has come; as many players draw, in a beat for each."""
    end = time.monotonic() + seconds
    sent = 0.0
    for lane in lanes:
        lane.waiting.append(lane.narrator.begin())
    yield _update(lanes, comparison.begin())
    try:
        while not all(lane.is_over for lane in lanes):
            in_a_row = _calls_in_a_row(lanes)
            for place, lane in enumerate(lanes):
                for _ in range(in_a_row):
                    if not lane.is_over:
                        _one_call(lane, comparison, place, eos_ids)
            calls = max(lane.narrator.statistics.steps for lane in lanes)
            if time.monotonic() > end:
                raise TimeoutError(f"Ended after call {calls}: a comparison may take {seconds:g} s here. Ask for fewer tokens.")
            if time.monotonic() - sent > LANES * BEAT:
                yield _update(lanes, comparison.more())
                sent = time.monotonic()
    except GeneratorExit:
        raise
    except Exception as problem:  # out of memory and the like: the page must say so, whatever it is
        for lane in lanes:
            lane.entry.fail(problem)
        yield _update(lanes, comparison.more())
        yield _to_all(_failure(problem))
        return
    yield _update(lanes, f"{comparison.more()}\n{comparison.end()}")


def _calls_in_a_row(lanes: list[_Lane]) -> int:
    """As many for all, who are told call by call: so that the slowest, by what its calls took but for the first, ends its turn in time."""
    totals = [lane.narrator.statistics for lane in lanes]
    slowest = max((total.steady_ms / (total.steps - 1) for total in totals if total.steps > 1), default=TURN_MS)
    return max(1, min(MOST_IN_A_ROW, int(TURN_MS / max(slowest, 1.0))))


def _one_call(lane: _Lane, comparison: Comparison, place: int, eos_ids: frozenset[int]) -> None:
    """One target call of a method, or its end."""
    step = TURNS.workers.submit(next, lane.steps, None).result()
    if step is None:
        lane.is_over = comparison.lanes[place].is_over = True
        lane.waiting.append(lane.narrator.end(what_ended_it(lane.narrator, lane.last in eos_ids)))
        lane.running.close()
        return
    lane.last = step.emitted[-1].token
    lane.waiting.append(lane.narrator.step(step))
    lane.entry.tokens = lane.narrator.statistics.tokens
    comparison.add(place, step)


def _update(lanes: list[_Lane], board: str) -> Update:
    """What the players have not been sent yet, and this for the board."""
    players: list[Any] = ["\n".join(lane.waiting) if lane.waiting else gr.skip() for lane in lanes]
    for lane in lanes:
        lane.waiting.clear()
    return (*players, *[gr.skip()] * (LANES - len(lanes)), board)


def _to_all(message: Message) -> Update:
    return (message,) * (LANES + 1)


def _failure(problem: Exception) -> Message:
    """What went wrong, in words. What neither the user nor a limit of this server brought about is printed here too."""
    if isinstance(problem, (ValueError, TimeoutError)):
        return messages.error(in_labels(str(problem)), field_of(str(problem)))
    print(f"A comparison failed: {problem!r}", flush=True)
    return messages.error(brief(problem) or type(problem).__name__)
