"""Whose turn is it? Runs share one device: a few go on at once, some wait and are told their place, and whoever comes then is told that it
is busy. First come, first served."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gradio as gr

from visual.payload import messages
from visual.payload.sentences.formatting import plural
from visual.server import logs as request_log

from .parameters import Endpoint

BEAT = 0.5
"""Seconds from one word about a place to the next; who has gone leaves the queue within it."""

FULL = "The page is busy: {waiting} runs wait already. Try again in a moment."


class Turns:
    """A bounded queue. Every ticket in it is of a run that goes on, for the first `at_once`, or that waits."""

    def __init__(self, at_once: int, waiting: int) -> None:
        self.at_once, self.waiting = at_once, waiting
        self.workers = ThreadPoolExecutor(at_once, "worker")
        """What runs that go on in turns ask of their models is done in one of these. Gradio calls from any of forty threads, and every one
        that has once multiplied matrices may keep 2 MB for the next ones (MKL)."""
        self._tickets: list[object] = []
        self._moved = threading.Condition()

    def __len__(self) -> int:
        """How many go on or wait."""
        return len(self._tickets)

    @property
    def running(self) -> int:
        """How many go on."""
        return min(len(self), self.at_once)

    def enter(self) -> object:
        """A ticket at the end of the queue; gr.Error in words if there is no place. To be given back by `leave`."""
        ticket = object()
        with self._moved:
            if len(self._tickets) >= self.at_once + self.waiting:
                request_log.write("queue", "busy")
                raise gr.Error(FULL.format(waiting=self.waiting), visible=False, print_exception=False)
            self._tickets.append(ticket)
        return ticket

    def leave(self, ticket: object) -> None:
        """Gives a ticket back, and with it the place or the turn."""
        with self._moved:
            self._tickets.remove(ticket)
            self._moved.notify_all()

    def places(self, ticket: object) -> Generator[int, None, None]:
        """Until it is this ticket's turn: how many wait before it, every BEAT."""
        while True:
            with self._moved:
                before = self._tickets.index(ticket) - self.at_once
                if before < 0:
                    return
            yield before
            with self._moved:
                self._moved.wait_for(lambda: self._tickets.index(ticket) < self.at_once, BEAT)

    def streaming(self, endpoint: Endpoint, tell: Callable[[messages.Message], Any] = lambda message: message) -> Endpoint:
        """The same stream when its turn has come, and before it the place in the queue; `tell` makes what is streamed of a message."""

        @functools.wraps(endpoint)
        def stream(*values: Any, **named: Any) -> Iterator[Any]:
            try:
                ticket = self.enter()
            except gr.Error as full:
                yield tell(messages.error(full.message))
                raise
            try:
                for before in self.places(ticket):
                    yield tell(messages.status(in_words(before)))
                yield from endpoint(*values, **named)
            finally:
                self.leave(ticket)

        return stream

    def whole(self, endpoint: Endpoint) -> Endpoint:
        """The same answer when its turn has come."""

        @functools.wraps(endpoint)
        def answer(*values: Any, **named: Any) -> Any:
            ticket = self.enter()
            try:
                for _ in self.places(ticket):
                    pass
                return endpoint(*values, **named)
            finally:
                self.leave(ticket)

        return answer


def in_words(before: int) -> str:
    """What is said to who waits."""
    return f"Waiting: {plural(before, 'run')} before yours …" if before else "Waiting: yours is the next run …"
