"""The C library keeps little of what a server has freed, however many threads it has had."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from visual.server import allocator

ARENAS_OF_MANY_THREADS = """
at_once, kept = threading.Barrier(32), []

def work():
    at_once.wait()
    for _ in range(50):
        kept.append(bytearray(10_000))  # more than Python keeps room for itself
    at_once.wait()

everybody = [threading.Thread(target=work) for _ in range(32)]
for one in everybody: one.start()
for one in everybody: one.join()
library.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    told = ctypes.c_void_p(library.fopen(file.name.encode(), b"w"))
    library.malloc_info(0, told)
    library.fclose(told)
    print(file.read().decode().count("<heap nr="))
"""

HOW_OFTEN_A_BLOCK_IS_ONE_OF_ITS_OWN = """
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
own = 0
for _ in range(5):
    block = library.malloc(SIZE)
    own += block % 4096 == 16  # it begins a page, behind malloc's own two words
    library.free(block)
print(own)
"""

of_the_gnu_library = pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="this is not the GNU C library")


def seen(script: str, before: str) -> int:
    """What a process of its own prints that runs this line before."""
    whole = f"import ctypes, tempfile, threading\nfrom visual.ui import allocator\nlibrary = ctypes.CDLL(None)\n{before}\n{script}"
    return int(subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True, timeout=60).stdout)


@of_the_gnu_library
def test_many_threads_share_few_arenas():
    assert seen(ARENAS_OF_MANY_THREADS, "") > allocator.ARENAS, "or there is nothing to be bounded"
    assert seen(ARENAS_OF_MANY_THREADS, "assert allocator.keep_memory_flat()") <= allocator.ARENAS


@of_the_gnu_library
def test_a_large_block_is_given_back_however_often_there_was_one_and_a_smaller_one_is_kept():
    large, smaller = ("SIZE = 4 * allocator.LARGE", "SIZE = allocator.LARGE // 2")
    bounded = "assert allocator.keep_memory_flat()"
    assert seen(HOW_OFTEN_A_BLOCK_IS_ONE_OF_ITS_OWN, large) < 5, "or there is nothing to be bounded"
    assert seen(HOW_OFTEN_A_BLOCK_IS_ONE_OF_ITS_OWN, f"{large}; {bounded}") == 5
    assert seen(HOW_OFTEN_A_BLOCK_IS_ONE_OF_ITS_OWN, f"{smaller}; {bounded}") == 0, "or every step would ask the system for its memory anew"


def test_another_c_library_is_left_as_it_is(monkeypatch):
    monkeypatch.setattr(allocator.ctypes, "CDLL", lambda _: object())
    assert not allocator.keep_memory_flat()
