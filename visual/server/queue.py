"""The queue of runs: a few at a time, a bounded number waiting, first come first served, for the page and for clients together.

Gradio's own queue shows a position only in Gradio's progress display, which the player does not use; so the position is streamed from here.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

import gradio as gr

from visual.payload import messages
from visual.payload.sentences.formatting import plural

from . import logs
from .parameters import Endpoint

RUNNING_LIMIT, WAITING_LIMIT = 2, 20
"""Most runs at a time and most runs that wait. All share one processor or GPU: more at a time would only make each slower."""

POSITION_SECONDS = 0.5
"""How often a waiting run reports its position; a visitor who has left is out of the queue within this time."""

FULL = "The page is busy: {waiting} runs wait already. Try again in a moment."

P = ParamSpec("P")
T = TypeVar("T")


class RunQueue:
    """A bounded queue with one ticket per run: the first `running_limit` tickets run, the others wait."""

    def __init__(self, running_limit: int, waiting_limit: int) -> None:
        self.running_limit, self.waiting_limit = running_limit, waiting_limit
        self._workers = ThreadPoolExecutor(running_limit, "worker")
        self._tickets: list[object] = []
        self._changed = threading.Condition()

    def __len__(self) -> int:
        """Runs that go on or wait."""
        return len(self._tickets)

    @property
    def running(self) -> int:
        """Runs that go on."""
        return min(len(self), self.running_limit)

    @property
    def waiting(self) -> int:
        """Runs that wait."""
        return len(self) - self.running

    def on_worker(self, function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The function's result, computed in a worker thread: models run in these threads only.

        Gradio calls from up to forty threads, and every thread that has once multiplied matrices may keep 2 MB for the next time (MKL).
        """
        return self._workers.submit(function, *args, **named).result()

    def enter(self) -> object:
        """A ticket at the end of the queue, to be returned with `leave`. Raises gr.Error if the queue is full."""
        ticket = object()
        with self._changed:
            if len(self) >= self.running_limit + self.waiting_limit:
                logs.log("queue", "busy")
                raise gr.Error(FULL.format(waiting=self.waiting_limit), visible=False, print_exception=False)
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: object) -> None:
        """Remove a ticket, whether it runs or waits."""
        with self._changed:
            self._tickets.remove(ticket)
            self._changed.notify_all()

    def wait(self, ticket: object) -> Iterator[int]:
        """How many runs wait before this one, every POSITION_SECONDS, until it may run."""
        while (before := self._tickets.index(ticket) - self.running_limit) >= 0:
            yield before
            with self._changed:
                self._changed.wait_for(lambda: self._tickets.index(ticket) < self.running_limit, POSITION_SECONDS)

    def streaming(self, endpoint: Endpoint, output: Callable[[messages.Message], Any] = lambda message: message) -> Endpoint:
        """The same stream once it may run, after messages with its position; `output` makes what is streamed out of a message.

        The endpoint also gets the name of its run, `run`, which all messages carry.
        """

        @functools.wraps(endpoint)
        def stream(*values: Any, **named: Any) -> Iterator[Any]:
            run = messages.new_run()
            try:
                ticket = self.enter()
            except gr.Error as full:
                yield output(messages.error(full.message, run=run))
                raise
            try:
                for before in self.wait(ticket):
                    yield output(messages.status(position(before), run))
                yield from endpoint(*values, run=run, **named)
            finally:
                self.leave(ticket)

        return stream

    def whole(self, endpoint: Endpoint) -> Endpoint:
        """The same function, called once it may run."""

        @functools.wraps(endpoint)
        def answer(*values: Any, **named: Any) -> Any:
            ticket = self.enter()
            try:
                for _ in self.wait(ticket):
                    pass
                return endpoint(*values, **named)
            finally:
                self.leave(ticket)

        return answer


RUNS = RunQueue(RUNNING_LIMIT, WAITING_LIMIT)
"""The queue of this process, which has one device."""


def position(before: int) -> str:
    """What the player shows while a run waits; `before`: how many runs wait before it."""
    return f"Waiting: {plural(before, 'run')} before yours …" if before else "Waiting: yours is the next run …"
