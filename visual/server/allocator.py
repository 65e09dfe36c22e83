"""Memory that stays flat under many visitors: what malloc of the GNU C library is asked to do otherwise.

A run is made in several threads, one run after another. By itself malloc gives every thread an arena of its own, up to eight for a core,
and what is free in one is of no use in another; and once a large block was freed it takes all up to that size from the arenas, where they
leave holes. With both bounded a server of 20 visitors holds a fifth less (`bench_visitors`). Other C libraries are left as they are.
"""

from __future__ import annotations

import ctypes

ARENAS = 2
LARGE = 1 << 20
"""Bytes from which on a block is one of its own, given back to the system when it is freed."""

# of malloc.h
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8


def keep_memory_flat() -> bool:
    """Bounds what malloc keeps from now on, before any thread is started; False where it cannot be asked to."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # a system without a C library of the process, as Windows, or one without the function
        return False
    return all([mallopt(_ARENA_MAX, ARENAS), mallopt(_MMAP_THRESHOLD, LARGE), mallopt(_TRIM_THRESHOLD, LARGE)])
