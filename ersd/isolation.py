"""Keeps what the caller has set in PyTorch and numpy (autocast, a default device, errors of floats) out of our computations."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
import torch

P = ParamSpec("P")
T = TypeVar("T")

_END = object()


@contextmanager
def library_defaults() -> Iterator[None]:
    """No autocast, new tensors on the CPU, numpy's own handling of errors. All are settings of a thread, so no other one notices.

    The default precision is one of the whole process. It cannot be changed for a while, so that all our tensors state theirs.
    """
    with ExitStack() as stack:
        stack.enter_context(np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"))
        for device in ("cpu", "cuda"):
            if torch.is_autocast_enabled(device):
                stack.enter_context(torch.autocast(device, enabled=False))
        if torch.get_default_device().type != "cpu":  # only then, because under it every call to PyTorch takes longer
            stack.enter_context(torch.device("cpu"))
        yield


def isolated(function: Callable[P, T]) -> Callable[P, T]:
    """The function under `library_defaults`; a generator function enters them for each step, since between steps its caller runs."""
    if not inspect.isgeneratorfunction(function):

        @functools.wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> T:
            with library_defaults():
                return function(*args, **named)

        return call

    @functools.wraps(function)
    def steps(*args: P.args, **named: P.kwargs) -> Iterator[Any]:
        with closing(function(*args, **named)) as inner:
            while True:
                with library_defaults():
                    item = next(inner, _END)
                if item is _END:
                    return
                yield item

    return cast("Callable[P, T]", steps)
