"""A generator that works ahead: what it makes next is made while its consumer looks at what it made last."""

from __future__ import annotations

import sys
from collections.abc import Generator
from dataclasses import dataclass
from queue import Queue
from threading import Event, Thread
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
HANDOVER = 2e-4
"""Seconds until a thread that computes in Python lets another one go on. Decoding asks for the interpreter after every operation, and
would wait for up to 5 ms by default: a step of 16 drafted tokens takes a tenth less time so."""
SLOW = 0.1
"""Seconds. After an item that took so long the next is begun when it is asked for: a consumer may go while it waits for this one, and is
heard only then."""


@dataclass(frozen=True)
class _End:
    """Nothing more comes, because of this error or because all is made."""

    error: BaseException | None


def ahead(items: Generator[T, None, None], most: int = 1) -> Generator[T, None, None]:
    """The same items in the same order, made in a thread of its own, at most `most` more than were asked for and one under way.

    An error of `items` is raised here. Closing this generator closes `items`, after the item that is being made; none is begun while it
    waits for one that takes longer than SLOW.
    """
    made: Queue[T | _End] = Queue(most)
    is_asked, unwanted = Event(), Event()

    def work() -> None:
        error = None
        try:
            begun = monotonic()
            for item in items:
                is_asked.clear()
                made.put(item)
                if monotonic() - begun > SLOW and not unwanted.is_set():
                    is_asked.wait()
                if unwanted.is_set():
                    break
                begun = monotonic()
            items.close()
        except BaseException as raised:  # whatever it is, it belongs to the consumer
            error = raised
        made.put(_End(error))

    sys.setswitchinterval(min(sys.getswitchinterval(), HANDOVER))
    thread = Thread(target=work, name="ahead", daemon=True)
    thread.start()
    item: T | _End | None = None
    try:
        while not isinstance(item := made.get(), _End):
            yield item
            is_asked.set()
    finally:
        unwanted.set()
        is_asked.set()
        while not isinstance(item, _End):
            item = made.get()
        thread.join()
    if item.error is not None:
        raise item.error
