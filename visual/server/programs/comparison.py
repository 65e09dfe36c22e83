"""The endpoint `/compare`: two or three methods on one prompt and seed, in one answer."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

import gradio as gr

import ersd
from ersd.decoding import trace_of
from ersd.drafts.sources import sources_of
from ersd.settings import SOURCES
from visual.payload.compare.board import Comparison
from visual.payload.messages import compact
from visual.payload.sentences.names import full_name

from ..endpoints import CONCURRENCY, loaded, run_error
from ..logs import Entry, logged
from ..pairs import Pairs
from ..parameters import Endpoint, Parameters, plain_values
from ..queue import RUNS
from ..tabs.compare import SHARED_FIELDS, CompareRequest, lanes_in
from ..zero_gpu import on_gpu, time_limit

USUAL_METHODS = "ERSD τ*,SpecInfer,one by one"
"""Compared by default."""


def publish_comparison(pairs: Pairs) -> None:
    """Add `/compare` to the page being built."""
    gr.api(RUNS.whole(public_compare_endpoint(pairs)), api_name="compare", **CONCURRENCY)


def public_compare_endpoint(pairs: Pairs) -> Endpoint:
    """The function of `/compare`."""
    usual = plain_values(ersd.Settings())
    shared = {name: usual[name] for name in SHARED_FIELDS}
    parameters = Parameters({"methods": USUAL_METHODS, "draft_tokens": "", "models": pairs.names[0], **shared})

    def compare(*values: Any, **named: Any) -> str:
        """Two or three methods on one prompt and seed, as JSON, or one method with every source of guesses.

        `methods` are names with commas between them, `draft_tokens` one number for each or nothing. `source` is one for all, one for each,
        or `all`: the first method with every source of guesses that the pair has, and without a draft; `keys` holds for those that have
        clocks. The answer has a `headline`, the `source` asked for, and for every run its `method` and `source`, its `figures`, how its
        text compares (`likeness`), what its output promises (`exact`), and its `trace`, which `ersd.Trace.from_json` reads.
        """
        with logged("compare") as entry:
            try:
                return compact(_compared(pairs, parameters.values(*values, **named), entry))
            except Exception as problem:  # whatever it is, a client must get a message and not null
                raise run_error(problem) from problem

    def runs_of(*values: Any, **named: Any) -> list[ersd.Settings]:
        return _runs(parameters.values(*values, **named))

    return parameters.declare(on_gpu(compare, "compare", runs_of, pairs.run_seconds))


def _compared(pairs: Pairs, values: dict[str, Any], entry: Entry) -> dict[str, Any]:
    """The answer of `/compare`: every method runs, one after another."""
    _runs(values)  # an invalid request is answered before a pair is loaded for it
    prompt, pair = values["prompt"], loaded(pairs, values["models"])
    runs = _runs(values, sources_of(pair))
    comparison = Comparison(runs, pair.costs, left_out=pair.left_out)
    steps: list[list[ersd.Step]] = [[] for _ in runs]
    with closing(RUNS.steps(lambda: _in_turn(pair, prompt, runs), time_limit(pairs.run_seconds, *runs))) as in_turn:
        for index, step in in_turn:
            entry.settings = runs[index]
            entry.tokens += len(step.emitted)
            steps[index].append(step)
            comparison.add(index, step)
    for each in comparison.lanes:
        each.is_over = True
    board = json.loads(comparison.more())
    methods = []
    for settings, done, row, lane in zip(runs, steps, board["lanes"], comparison.lanes, strict=True):
        trace = RUNS.on_worker(trace_of, pair, prompt, settings, done)
        methods.append(
            {
                "method": full_name(settings.algorithm, settings.topology),
                "source": settings.source if settings.vertices else None,
                "exact": lane.exactness()["kind"],
                "likeness": row["text"],
                "figures": trace.stats,
                "trace": json.loads(trace.to_json()),
            }
        )
    return {"headline": board["headline"], "source": values["source"], "methods": methods}


def _runs(values: dict[str, Any], offered: Sequence[str] = tuple(SOURCES)) -> list[ersd.Settings]:
    """The settings of every run, as `CompareRequest.runs`. ValueError if a value is invalid."""
    lanes = lanes_in(values["methods"], values["draft_tokens"], ersd.Settings().draft_tokens)
    return CompareRequest({**lanes, **{name: values[name] for name in SHARED_FIELDS}}).runs(offered)


def _in_turn(pair: ersd.ModelPair, prompt: str, runs: list[ersd.Settings]) -> Generator[tuple[int, ersd.Step], None, None]:
    """The steps of all methods, each with the index of its method."""
    for index, settings in enumerate(runs):
        with closing(ersd.generate(pair, prompt, settings)) as steps:
            for step in steps:
                yield index, step
