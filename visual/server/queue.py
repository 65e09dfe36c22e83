"""The queue of runs: a few at a time, a bounded number waiting, first come first served, for the page and for clients together.

Gradio's own queue shows a position only in Gradio's progress display, which the player does not use; so the position is streamed from here.
"""

from __future__ import annotations

import functools
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, ParamSpec, TypeVar

import gradio as gr

from visual.payload import messages
from visual.payload.sentences.formatting import plural

from . import logs
from .gradio_adapter import current_event
from .parameters import Endpoint
from .zero_gpu import IS_ZERO_GPU

RUNNING_LIMIT, WAITING_LIMIT = 2, 20
"""Most runs at a time and most runs that wait. All share one processor or GPU: more at a time would only make each slower."""

POSITION_SECONDS = 0.5
"""How often a waiting run reports its position; a visitor who has left is out of the queue within this time."""

FETCH_SECONDS = 60.0
"""How long a run goes on for a client that has not fetched its stream yet: Gradio's clients post first and fetch later."""
REOPEN_SECONDS = 10.0
"""The same for a client whose session has no stream any more. Gradio closes it after an answer, and the page opens it for the next one."""

QUEUE_FULL = "The page is busy: {waiting} runs wait already. Try again in a moment."

P = ParamSpec("P")
T = TypeVar("T")


class ClientGone(GeneratorExit):
    """Nobody can read this run any more: it ends as a generator that is closed."""


@dataclass(eq=False)
class Ticket:
    """A run's place in the queue, and what is known of its client."""

    ids: Sequence[str] = ()
    """Gradio's ids of the event and of its session, by which clients fetch their stream; none where no stream is fetched"""
    is_cancelled: bool = False
    fetch_by: float = field(default_factory=lambda: time.monotonic() + FETCH_SECONDS)
    """when a run without an open stream ends"""


class RunQueue:
    """A bounded queue with one ticket per run: the first `running_limit` tickets run, the others wait."""

    def __init__(self, running_limit: int, waiting_limit: int) -> None:
        self.running_limit, self.waiting_limit = running_limit, waiting_limit
        self.workers = ThreadPoolExecutor(running_limit, "worker")
        self._tickets: list[Ticket] = []
        self._streams: Counter[str] = Counter()
        """open streams, by the id that they are fetched by"""
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

    def check_client(self) -> None:
        """ClientGone if nobody can read the result of the caller any more."""
        if IS_ZERO_GPU:  # the process of the call knows nothing of the client
            return
        event = current_event()
        if any(event[0] in ticket.ids and self._is_gone(ticket) for ticket in tuple(self._tickets) if event):
            raise ClientGone

    def on_worker(self, function: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The function's result, computed in a worker thread: models run in these threads only. Raises as `check_client`.

        Gradio calls from up to forty threads, and every thread that has once multiplied matrices may keep 2 MB for the next time (MKL).
        """
        self.check_client()
        return self.workers.submit(function, *args, **named).result()

    def steps(self, open_steps: Callable[[], Generator[T, None, None]], seconds: float = math.inf) -> WorkerSteps[T]:
        """The items of a generator that is opened, continued and closed in worker threads. Raises immediately what opening it raises.

        TimeoutError after the item that exceeds `seconds`, which count from the first one on.
        """
        return WorkerSteps(self, self.on_worker(open_steps), seconds)

    def enter(self, ids: Sequence[str] = ()) -> Ticket:
        """A ticket at the end of the queue, to be returned with `leave`. Raises gr.Error if the queue is full."""
        ticket = Ticket(ids)
        with self._changed:
            if len(self) >= self.running_limit + self.waiting_limit:
                logs.log("queue", "busy")
                raise gr.Error(QUEUE_FULL.format(waiting=self.waiting_limit), visible=False, print_exception=False)
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Remove a ticket, whether it runs or waits."""
        with self._changed:
            self._tickets.remove(ticket)
            self._changed.notify_all()

    def wait(self, ticket: Ticket) -> Iterator[int]:
        """How many runs wait before this one, every POSITION_SECONDS, until it may run. ClientGone if nobody waits for it any more."""
        while (before := self._tickets.index(ticket) - self.running_limit) >= 0:
            if self._is_gone(ticket):
                raise ClientGone
            yield before
            with self._changed:
                self._changed.wait_for(lambda: self._tickets.index(ticket) < self.running_limit, POSITION_SECONDS)

    @contextmanager
    def stream(self, fetched_by: str) -> Iterator[None]:
        """While a client reads the stream of this id. When its last stream is closed, an event ends, and a session some time later."""
        with self._changed:
            self._streams[fetched_by] += 1
        try:
            yield
        finally:
            with self._changed:
                self._streams[fetched_by] -= 1
                self._streams += Counter()  # keeps what is open
                for ticket in self._tickets:
                    if fetched_by in ticket.ids:
                        ticket.fetch_by = time.monotonic() + (0 if fetched_by == ticket.ids[0] else REOPEN_SECONDS)

    def cancel(self, event: object) -> None:
        """End the run of this event at its next step."""
        with self._changed:
            for ticket in self._tickets:
                ticket.is_cancelled |= event in ticket.ids

    def is_fetched(self, ticket: Ticket) -> bool:
        """Whether a client has a stream open for this run."""
        with self._changed:
            return any(self._streams[one] for one in ticket.ids)

    def _is_gone(self, ticket: Ticket) -> bool:
        """Whether nobody can read this run: it was cancelled, its stream was closed, or was never fetched."""
        if ticket.is_cancelled or not ticket.ids:
            return ticket.is_cancelled
        return not self.is_fetched(ticket) and time.monotonic() >= ticket.fetch_by

    def streaming(self, endpoint: Endpoint, output: Callable[[messages.Message], Any] = lambda message: message) -> Endpoint:
        """The same stream once it may run, after messages with its position; `output` makes what is streamed out of a message.

        The endpoint also gets the name of its run, `run`, which all messages carry.
        """

        @functools.wraps(endpoint)
        def stream(*values: Any, **named: Any) -> Iterator[Any]:
            run = messages.new_run()
            try:
                ticket = self.enter(current_event())
            except gr.Error as full:
                yield output(messages.error(full.message, run=run))
                raise
            try:
                for before in self.wait(ticket):
                    yield output(messages.status(position(before), run))
                yield from endpoint(*values, run=run, **named)
            except ClientGone:
                return
            finally:
                self.leave(ticket)

        return stream

    def whole(self, endpoint: Endpoint) -> Endpoint:
        """The same function, called once it may run."""

        @functools.wraps(endpoint)
        def answer(*values: Any, **named: Any) -> Any:
            ticket = self.enter(current_event())
            try:
                for _ in self.wait(ticket):
                    pass
                return endpoint(*values, **named)
            except ClientGone:
                raise gr.Error("Nobody waits for this run any more.", visible=False, print_exception=False) from None
            finally:
                self.leave(ticket)

        return answer


class WorkerSteps(Generic[T]):
    """A generator whose items are computed in worker threads (`RunQueue.steps`)."""

    def __init__(self, runs: RunQueue, steps: Generator[T, None, None], seconds: float = math.inf) -> None:
        self._runs, self._steps, self._seconds = runs, steps, seconds
        self._count, self._end = 0, math.inf

    def __iter__(self) -> WorkerSteps[T]:
        return self

    def __next__(self) -> T:
        if not self._count:
            self._end = time.monotonic() + self._seconds
        elif time.monotonic() > self._end:
            raise TimeoutError(f"Ended after step {self._count}: a run may take {self._seconds:g} s here. Ask for fewer tokens.")
        step = self._runs.on_worker(next, self._steps, None)
        self._count += 1
        if step is None:
            raise StopIteration
        return step

    def close(self) -> None:
        """End it at its next item. Nobody waits for that: Gradio closes runs in its event loop."""
        self._runs.workers.submit(self._steps.close)


RUNS = RunQueue(RUNNING_LIMIT, WAITING_LIMIT)
"""The queue of this process, which has one device."""


def position(before: int) -> str:
    """What the player shows while a run waits; `before`: how many runs wait before it."""
    return f"Waiting: {plural(before, 'run')} before yours …" if before else "Waiting: yours is the next run …"
