"""The theory of vertices in a process of its own.

Its formulas are many small operations, each of which holds Python's lock, as those of decoding do: worked out in another thread they make
the steps decoded meanwhile take half as long again, and the times measured of these steps with them. Another process has another lock.

What is said over the pipes is a line of JSON, in a question followed by the bytes of the laws; nothing that is read can run anything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Lock, Thread
from typing import Any, BinaryIO, cast

import numpy as np
import torch

from .settings import Settings
from .vertex_theory import Figures, Laws, vertex_theory


class Beside:
    """Who works out the theory: the process, once it was started and is ready; without it, or when it is gone, this one."""

    def __init__(self) -> None:
        self._one_at_a_time = Lock()
        self._process: Popen[bytes] | None = None
        self._awaiting: Thread | None = None
        self._ready_for = 0
        """Who may ask: the process that started it, and none that is forked from that."""

    @property
    def is_ready(self) -> bool:
        """Is there a process that answers?"""
        return self._ready_for == os.getpid()

    def start(self) -> None:
        """Starts the process, if there is none. It takes a few seconds to be ready, for which nobody waits, and ends with this one."""
        if self._process:
            return
        path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parent.parent), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-c", "from ersd.beside import serve; serve()"]
        # in a session of its own, or Ctrl-C at a terminal would end it before those who ask it
        try:
            self._process = Popen(command, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": path}, start_new_session=True)
        except OSError:  # no room for one more: it is worked out here, and takes longer
            return
        self._awaiting = Thread(target=self._await, args=[self._process], name="beside", daemon=True)
        self._awaiting.start()

    def wait(self) -> bool:
        """Waits until the process that was started is ready, or has failed; is it ready?"""
        if self._awaiting:
            self._awaiting.join()
        return self.is_ready

    def stop(self) -> None:
        """Ends the process; who asks from now on works it out here."""
        self._ready_for = 0
        if self._process:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def theory(self, settings: Settings, vertices: Sequence[Laws]) -> list[Figures]:
        """`vertex_theory`, by the process if it is ready. Raises what that raises."""
        if not (vertices and self.is_ready):
            return vertex_theory(settings, vertices)
        with self._one_at_a_time:
            answer = self._ask(settings, vertices)
        return vertex_theory(settings, vertices) if answer is None else answer

    def _ask(self, settings: Settings, vertices: Sequence[Laws]) -> list[Figures] | None:
        """None if there is no answer: the process has ended, or could not work it out."""
        process = self._process
        if not process:
            return None
        try:
            laws = [law.numpy() for p, q, _ in vertices for law in (p, q)]
            question = {
                "settings": asdict(settings),
                "laws": [(law.dtype.name, len(law)) for law in laws],
                "children": [k for *_, k in vertices],
            }
            _tell(cast("BinaryIO", process.stdin), question, *laws)
            return cast("list[Figures] | None", _heard(cast("BinaryIO", process.stdout)))
        except (OSError, EOFError):
            self.stop()
            return None
        except BaseException:  # interrupted while it waited: the answer would be taken for that to the next question
            self.stop()
            raise

    def _await(self, process: Popen[bytes]) -> None:
        try:
            _heard(cast("BinaryIO", process.stdout))
        except (OSError, EOFError):  # it could not be started, and has said why
            return
        if process is self._process:
            self._ready_for = os.getpid()


BESIDE = Beside()
"""That of this process; not started unless someone starts it, as the page does."""


def serve() -> None:
    """What the process does: it says that it is ready, then answers until nobody can ask any more. None: here it cannot be worked out."""
    torch.set_num_threads(1)
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what anything prints is no answer
    _tell(answers, "ready")
    while True:
        try:
            question = _heard(questions)
            laws = [torch.from_numpy(_law(questions, *each)) for each in question["laws"]]
        except EOFError:
            return
        answer = None
        with suppress(Exception):  # asked again where it belongs, it is raised there
            vertices = list(zip(laws[::2], laws[1::2], question["children"], strict=True))
            answer = vertex_theory(Settings(**question["settings"]), vertices)
        _tell(answers, answer)


def _tell(pipe: BinaryIO, words: Any, *laws: np.ndarray) -> None:
    pipe.write(json.dumps(words).encode() + b"\n")
    for law in laws:
        pipe.write(law.tobytes())
    pipe.flush()


def _heard(pipe: BinaryIO) -> Any:
    line = pipe.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    return json.loads(line)


def _law(pipe: BinaryIO, dtype: str, length: int) -> np.ndarray:
    """The next law in a question, [length]."""
    law = np.empty(length, dtype)
    if pipe.readinto(law.data) < law.nbytes:  # type: ignore[attr-defined]  # every pipe that is buffered has it
        raise EOFError
    return law
