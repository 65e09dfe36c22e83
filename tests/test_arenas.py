"""Malloc keeps few arenas however many threads a server has had."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from visual.page.arenas import ARENAS

WITH_MANY_THREADS = """
import ctypes, tempfile, threading
from visual.page.arenas import bound_arenas

{before}
at_once, kept = threading.Barrier(32), []

def work():
    at_once.wait()
    for _ in range(50):
        kept.append(bytearray(10_000))  # more than Python keeps room for itself
    at_once.wait()

everybody = [threading.Thread(target=work) for _ in range(32)]
for one in everybody: one.start()
for one in everybody: one.join()
library = ctypes.CDLL(None)
library.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    told = ctypes.c_void_p(library.fopen(file.name.encode(), b"w"))
    library.malloc_info(0, told)
    library.fclose(told)
    print(file.read().decode().count("<heap nr="))
"""


def arenas(before: str) -> int:
    """How many there are after the work of many threads, with this line before it."""
    command = [sys.executable, "-c", WITH_MANY_THREADS.format(before=before)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout)


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="this C library tells nothing of arenas")
def test_many_threads_share_few_arenas():
    assert arenas("pass") > ARENAS, "or there is nothing to be bounded"
    assert arenas("assert bound_arenas()") <= ARENAS


def test_a_c_library_without_arenas_is_left_as_it_is(monkeypatch):
    from visual.page import arenas

    monkeypatch.setattr(arenas.ctypes, "CDLL", lambda _: object())
    assert not arenas.bound_arenas()
