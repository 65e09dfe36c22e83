"""A stand-in for the package `spaces` on ZeroGPU: it forks for every call, pickles what goes in and out, and checks the order of things.

What the real one does was read in its 0.51.3: `zero/decorator.py`, `zero/wrappers.py`.
"""

import contextlib
import functools
import inspect
import multiprocessing
import os
import pickle
import sys
import threading
import time

assert "torch" not in sys.modules, "spaces must be imported before torch"

MAIN = os.getpid()
QUOTA = float(os.environ["STAND_IN_QUOTA"])
"""Seconds that a call may declare."""
PAUSE = float(os.environ["STAND_IN_PAUSE"])
"""Seconds that the first pause of a call takes, and by which each is longer than the one before, up to a second.

A long run is not over before it is stopped, on a slow machine either.
"""


def GPU(task=None, *, duration=60):  # noqa: N802  # its name
    if task is None:
        return functools.partial(GPU, duration=duration)
    streams = inspect.isgeneratorfunction(task)

    @functools.wraps(task)
    def stream(*args, **kwargs):
        seconds = duration(*args, **kwargs) if callable(duration) else duration
        print(f"stand-in: declared {seconds} s, loading threads {[t.name for t in threading.enumerate() if 'load' in t.name]}", flush=True)
        import gradio  # not before the app does

        if seconds > QUOTA:
            words = f"You have exceeded your GPU quota ({seconds}s requested vs. {QUOTA:g}s left). <a href='x'>Try later</a>"
            raise gradio.Error(words, title="ZeroGPU quota exceeded", print_exception=False)
        fork = multiprocessing.get_context("fork")
        ours, theirs = fork.Pipe(duplex=True)
        worker = fork.Process(target=_work, args=(task, streams, ours, theirs), daemon=True)
        worker.start()
        theirs.close()
        ours.send_bytes(pickle.dumps((args, kwargs)))
        try:
            while True:
                kind, value = pickle.loads(ours.recv_bytes())
                if kind == "error":
                    raise value
                if kind == "end":
                    return
                yield value
                ours.send_bytes(b"go on")
        except (EOFError, OSError):  # the process is gone, as one is that takes longer than it declared
            raise gradio.Error("GPU task aborted", title="ZeroGPU worker error", print_exception=False) from None
        finally:
            with contextlib.suppress(OSError):
                ours.send_bytes(b"stop")
            worker.join(60)
            print(f"stand-in: process {worker.pid} {'goes on' if worker.is_alive() else 'has ended'}", flush=True)

    @functools.wraps(task)
    def once(*args, **kwargs):
        return next(iter(stream(*args, **kwargs)))

    return stream if streams else once


def _work(task, streams, mine, pipe):
    mine.close()  # the other end is the caller's alone: who waits for it learns when the caller has gone
    assert os.getpid() != MAIN
    print(f"stand-in: a call in process {os.getpid()} of {MAIN}", flush=True)
    args, kwargs = pickle.loads(pipe.recv_bytes())
    try:
        values = task(*args, **kwargs) if streams else iter([task(*args, **kwargs)])
        for count, value in enumerate(values, 1):
            pipe.send_bytes(pickle.dumps(("value", value)))
            time.sleep(min(PAUSE * count, 1))
            if pipe.recv_bytes() == b"stop":
                values.close()
                return
        pipe.send_bytes(pickle.dumps(("end", None)))
    except EOFError:
        return
    except Exception as problem:
        pipe.send_bytes(pickle.dumps(("error", problem)))
