"""Lets the engine run ahead of the page: telling and sending a step must not hold up the next one."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import SimpleQueue

from ersd.trace import Step


class Ahead:
    """The steps of a generator, worked out in a thread of their own and handed over in order."""

    def __init__(self, steps: Generator[Step, None, None]) -> None:
        self._steps = steps
        self._ready: SimpleQueue[Step | Exception | None] = SimpleQueue()
        self._closed = threading.Event()
        threading.Thread(target=self._work, name="generate", daemon=True).start()

    def _work(self) -> None:
        end: Exception | None = None
        try:
            for step in self._steps:
                if self._closed.is_set():
                    break
                self._ready.put(step)
        except Exception as problem:  # raised again where the steps are read
            end = problem
        finally:
            self._steps.close()  # a generator must be closed by the thread that runs it
            self._ready.put(end)

    def __iter__(self) -> Iterator[Step]:
        while (item := self._ready.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item

    def close(self) -> None:
        """Ends the work with the step it is at, and frees the generator."""
        self._closed.set()
