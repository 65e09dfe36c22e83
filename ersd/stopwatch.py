"""The one source of measured times. Importing it does not import torch."""

from __future__ import annotations

from time import perf_counter


def now_ms() -> float:
    """Milliseconds of a clock that never goes back. Every time in a trace, on the page and in the terminal is a difference of two of them.

    Limits of time (a run's, a message's) are not shown and use `time.monotonic`.
    """
    return 1e3 * perf_counter()
