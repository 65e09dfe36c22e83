"""Memory that stays flat: what the C library is asked to do differently.

A run is made in several threads, one after another. The GNU C library gives each an arena of its own, up to eight for a core, and what was
freed in one is not used in another: under many visitors a server grew by a fifth more than with two arenas, and went on growing
(`tests/bench/bench_visitors.py`). Other C libraries have no arenas and nothing to be asked.
"""

from __future__ import annotations

import ctypes

ARENAS = 2
_ARENA_MAX = -8
"""M_ARENA_MAX of malloc.h."""


def bound_arenas(most: int = ARENAS) -> bool:
    """Lets malloc keep at most so many arenas from now on; False where the C library has none. Before any thread is started."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # no C library that is linked, as on Windows, or one without
        return False
    return bool(mallopt(_ARENA_MAX, most))
