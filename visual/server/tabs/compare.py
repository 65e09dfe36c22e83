"""The run of the Compare tab: several methods take turns of a few target calls each, and stream to their players and to the board.

Or one method takes its guesses from every source that the pair has (EVERY_SOURCE), beside a run without a draft.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Any

import gradio as gr

import ersd
from ersd.decoding import stop_reason
from ersd.drafts.sources import sources_of
from ersd.formatting import number_in, quoted
from ersd.rules.registry import TRAITS
from ersd.settings import KEYS, METHODS, SOURCES, Settings, one_of
from visual.payload import messages
from visual.payload.compare.board import Comparison
from visual.payload.messages import Message, RunMessages
from visual.payload.sentences.names import every_method, field_of, in_labels

from ..average import average
from ..endpoints import BATCH_SECONDS, run_error
from ..logs import Entry, logged
from ..pairs import Pairs
from ..queue import RUNS, WorkerSteps
from ..zero_gpu import on_gpu, time_limit

LANES = 3
"""Most methods that are compared; at least two are. Also the number of players: of more runs the first have one."""
EVERY_SOURCE = "all"
"""As the source of a comparison: method 1 with each source that the pair has, and without a draft."""
NO_METHOD = "none"
"""What the last menu of methods shows if only two are compared."""
SHARED_FIELDS = (
    "temperature", "top_k", "top_p", "max_new_tokens", "seed", "branching", "sequences", "leniency", "chat", "source", "keys",
)  # fmt: skip
"""The fields of Settings that all methods of a comparison share; `source` may be EVERY_SOURCE, or one for each with commas between them,
and `keys` holds for those that have clocks."""
NAMES = ("prompt", "models", *(f"{name}_{lane}" for lane in range(1, LANES + 1) for name in ("method", "draft_tokens")), *SHARED_FIELDS)
"""The values of a request, in order."""
MAX_CALLS_IN_TURN, TURN_MS = 16, 150.0
"""Most target calls of one turn, and the milliseconds it should take. With one call per turn a small model finds its weights gone from the
processor's caches every time, and plain decoding, whose calls are shortest, loses most by it."""

Update = tuple[Any, ...]
"""The new values of the players and, last, of the board."""


@dataclass(frozen=True)
class CompareRequest:
    """A comparison as requested; nothing in it has been checked."""

    values: dict[str, Any]

    def runs(self, offered: Sequence[str] = tuple(SOURCES)) -> list[Settings]:
        """The settings of each run. ValueError from Settings, with the number of the method at fault.

        `offered`: the sources that the pair has; before it is loaded, all that there are.
        """
        shared = {name: self.values[name] for name in SHARED_FIELDS}
        one_of("keys", shared["keys"], KEYS)  # also where no method has clocks
        if shared["source"] == EVERY_SOURCE:
            return self._from_every_source({**shared, "source": offered[0]}, offered)
        sources = _sources(shared.pop("source"), sum(self.values[f"method_{lane}"] != NO_METHOD for lane in range(1, LANES + 1)))
        runs: list[Settings] = []
        for number in range(1, LANES + 1):
            method, draft_tokens = self.values[f"method_{number}"], self.values[f"draft_tokens_{number}"]
            if number == LANES and method == NO_METHOD:
                continue
            try:
                runs.append(_settings(method, draft_tokens, {**shared, "source": sources[len(runs)]}))
            except ValueError as problem:
                is_shared = field_of(str(problem)) in SHARED_FIELDS
                raise ValueError(f"{problem}{'' if is_shared else f' (method {number})'}") from None
        return runs

    def _from_every_source(self, shared: dict[str, Any], offered: Sequence[str]) -> list[Settings]:
        """Method 1 with each source, then without a draft."""
        method = self.values["method_1"]
        first = _settings(method, self.values["draft_tokens_1"], shared)
        if not first.vertices:
            raise ValueError(f"method must be one that drafts, to compare sources of guesses, got {quoted(method)}")
        temperature = first.temperature if TRAITS[first.algorithm].uses_sampling else 0.0
        plain = replace(first, algorithm="autoregressive", temperature=temperature)
        return [*(replace(first, source=source) for source in offered), plain]


def _settings(method: Any, draft_tokens: Any, shared: dict[str, Any]) -> Settings:
    """The settings of a method by its full name; without a number of drafted tokens it has the usual one."""
    algorithm, topology = _parts(method)
    drafted = {} if draft_tokens is None else {"draft_tokens": draft_tokens}
    if not TRAITS[algorithm].has_clocks:
        shared = {name: value for name, value in shared.items() if name != "keys"}
    return Settings(algorithm, topology, **drafted, **shared)


def _sources(source: Any, methods: int) -> list[Any]:
    """The source of every method: one for all, or with commas one for each."""
    given = [one.strip() for one in source.split(",")] if isinstance(source, str) else [source]
    if len(given) not in (1, methods):
        raise ValueError(f"source must be one for all methods or one per method, got {len(given)} for {methods}")
    return given * methods if len(given) == 1 else given


def _parts(method: Any) -> tuple[str, str]:
    """Algorithm and topology of a method by its full name."""
    named = every_method()
    if not isinstance(method, str) or method not in named:
        others = "a rule and a tree, such as greedy + τ* tree"
        raise ValueError(f"method must be one of {', '.join(METHODS)}, or {others}, got {quoted(method)}")
    return named[method]


def lanes_in(methods: str, draft_tokens: str, usual: int) -> dict[str, Any]:
    """Method and drafted tokens of every lane, from lists with commas: "ERSD τ*,standard" and "16,8".

    `usual`: drafted tokens where the second list has no entry; an empty entry is an empty field.
    """
    for name, given in (("methods", methods), ("draft_tokens", draft_tokens)):
        if not isinstance(given, str):
            raise ValueError(f"{name} must be text, a list with commas, got {quoted(given)}")
    named = methods.split(",")
    drafted = [number_in(one) if one else None for one in draft_tokens.split(",")] if draft_tokens else []
    if not 2 <= len(named) <= LANES:
        raise ValueError(f"method must be 2 to {LANES} names with commas between them, got {len(named)}")
    if len(drafted) > len(named):
        raise ValueError(f"draft_tokens must be one number per method, got {len(drafted)} for {len(named)}")
    values: dict[str, Any] = {}
    for lane in range(LANES):
        values[f"method_{lane + 1}"] = named[lane].strip() if lane < len(named) else NO_METHOD
        values[f"draft_tokens_{lane + 1}"] = drafted[lane] if lane < len(drafted) else usual
    return values


@dataclass
class RunningLane:
    """One method while it runs."""

    resources: ExitStack
    """closes its steps and its log entry"""
    entry: Entry
    steps: WorkerSteps[ersd.Step]
    run: RunMessages | None
    """makes the messages for its player; None if it has none"""
    unsent: list[Message] = field(default_factory=list)
    """messages for its player"""
    last: ersd.Step | None = None
    """the newest step"""
    is_over: bool = False


def compare_endpoint(pairs: Pairs) -> Callable[..., Iterator[Update]]:
    """The function of the Compare tab's button: takes the values of NAMES, streams updates of LANES players and of the board."""

    def compare(*values: Any, run: str = "") -> Iterator[Update]:
        request = CompareRequest(dict(zip(NAMES, values, strict=True)))
        with ExitStack() as resources:  # Stop and a closed tab end here too, and free the caches
            lanes: list[RunningLane] = []
            try:
                request.runs()  # an invalid request is answered before a pair is loaded for it
                models = request.values["models"]
                for progress in pairs.loading_progress(models, RUNS.check_client):
                    yield _to_all(messages.status(progress, run))
                pair = pairs.get(models)
                runs = request.runs(sources_of(pair))
                for index, settings in enumerate(runs):
                    lanes.append(_lane(resources.enter_context(ExitStack()), pair, request, settings, run, index < LANES))
            except Exception as problem:  # whatever it is, the page must show it
                resources.enter_context(logged("compare")).fail(problem)
                yield _to_all(_failure(problem, run))
                return
            averages = [average(settings, pair.prior) for settings in runs]
            prompt = request.values["prompt"]
            comparison = Comparison(runs, pair.costs, left_out=pair.left_out, run=run, averages=averages, prompt=prompt)
            yield from _updates(lanes, comparison, time_limit(pairs.run_seconds, *runs), pair)

    def runs_of(*values: Any) -> list[Settings]:
        return CompareRequest(dict(zip(NAMES, values, strict=True))).runs()

    bounded = on_gpu(compare, "compare", runs_of, pairs.run_seconds, _to_all)
    return RUNS.streaming(bounded, _to_all)


def _lane(
    resources: ExitStack, pair: ersd.ModelPair, request: CompareRequest, settings: Settings, run: str, has_player: bool
) -> RunningLane:
    """A method that is about to run. Raises what `ersd.generate` raises."""
    prompt = request.values["prompt"]
    steps = resources.enter_context(closing(RUNS.steps(lambda: ersd.generate(pair, prompt, settings))))
    entry = resources.enter_context(logged("compare"))
    entry.settings = settings
    if not has_player:
        return RunningLane(resources, entry, steps, None)
    # sent for every lane, so only where a template adds something
    fed = RUNS.on_worker(pair.fed, prompt, settings.chat) if settings.chat else None
    sent = RunMessages(prompt, settings, request.values["models"], pair.costs.get(settings.source), fed, pair.left_out, run=run)
    return RunningLane(resources, entry, steps, sent)


def _updates(lanes: list[RunningLane], comparison: Comparison, seconds: float, pair: ersd.ModelPair) -> Iterator[Update]:
    """The updates of a comparison: one immediately, then one per LANES * BATCH_SECONDS, since so many players draw it."""
    end = time.monotonic() + seconds
    last_update = 0.0
    for lane in lanes:
        if lane.run:
            lane.unsent.append(lane.run.begin())
    yield _update(lanes, comparison.begin())
    try:
        while not all(lane.is_over for lane in lanes):
            calls = _calls_in_turn(comparison)
            for index, lane in enumerate(lanes):
                for _ in range(calls):
                    if not lane.is_over:
                        _call(lane, comparison, index, pair)
                    if time.monotonic() > end:
                        count = max(lane.statistics.steps for lane in comparison.lanes)
                        raise TimeoutError(f"Ended after call {count}: a comparison may take {seconds:g} s here. Ask for fewer tokens.")
            if time.monotonic() - last_update > LANES * BATCH_SECONDS:
                yield _update(lanes, comparison.more())
                last_update = time.monotonic()
    except Exception as problem:  # also out of memory and the like: the page must show why the runs ended
        for lane in lanes:
            lane.entry.fail(problem)
        yield _update(lanes, comparison.more())
        yield _to_all(_failure(problem, comparison.run))
        return
    yield _update(lanes, f"{comparison.more()}\n{comparison.end()}")


def _calls_in_turn(comparison: Comparison) -> int:
    """Calls of one turn: what the slowest lane completes in TURN_MS. The same for every lane, since the board shows them call by call."""
    totals = [lane.statistics for lane in comparison.lanes]
    slowest = max((total.steady_ms / (total.steps - 1) for total in totals if total.steps > 1), default=TURN_MS)
    return max(1, min(MAX_CALLS_IN_TURN, int(TURN_MS / max(slowest, 1.0))))


def _call(lane: RunningLane, comparison: Comparison, index: int, pair: ersd.ModelPair) -> None:
    """One target call of a method, or its end."""
    step, shown = next(lane.steps, None), comparison.lanes[index]
    if step is None:
        assert lane.last, "a run has at least one step"
        lane.is_over = shown.is_over = True
        if lane.run:
            lane.unsent.append(lane.run.end(stop_reason(pair, shown.settings, shown.statistics.tokens, lane.last)))
        lane.resources.close()
        return
    lane.last = step
    if lane.run:
        lane.unsent.append(lane.run.step(step))
    comparison.add(index, step)
    lane.entry.tokens = shown.statistics.tokens


def _update(lanes: list[RunningLane], board: str) -> Update:
    """The unsent messages of every player, and this message for the board."""
    players: list[Any] = ["\n".join(lane.unsent) if lane.unsent else gr.skip() for lane in lanes[:LANES]]
    for lane in lanes:
        lane.unsent.clear()
    return (*players, *[gr.skip()] * (LANES - len(lanes)), board)


def _to_all(message: Message) -> Update:
    return (message,) * (LANES + 1)


def _failure(problem: Exception, run: str) -> Message:
    """The message of an error in this run."""
    text = run_error(problem).message
    return messages.error(in_labels(text), field_of(text), run)
