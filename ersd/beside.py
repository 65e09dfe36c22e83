"""The record of vertices in a process of its own.

It is many small operations, each of which holds Python's lock, as those of decoding do: worked out in another thread they make
the steps decoded meanwhile take half as long again, and the times measured of these steps with them. Another process has another lock.

What is said over the pipes are plain numbers and names as marshal writes them, which is ten times as fast as JSON; both ends are the same
Python, and unlike pickle it runs nothing of what it reads. In a question the bytes of the laws follow.
"""

from __future__ import annotations

import marshal
import os
import struct
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from subprocess import PIPE, Popen
from threading import RLock, Thread
from time import monotonic
from typing import Any, BinaryIO, cast

import numpy as np
import torch

from .settings import Settings
from .vertex_record import Facts, Visited, vertex_record

Pipes = tuple[BinaryIO, BinaryIO]
"""To the process and from it."""
_Question = tuple[dict[str, Any], list[dict[str, Any]]]
"""The fields of Settings, and those of every `Visited`."""
PIPE_BYTES = 2**20
"""That many of a question can be on the way: those of a small vocabulary wholly, and who asks need not stop to have them taken."""
_LENGTH = struct.Struct("<Q")
"""What is said begins with how many bytes it takes."""
MOST_OPEN = 8
"""Questions that wait for their answers, at most; those that nobody asks for any more are heard to the end then."""
AGAIN_AFTER_S = 60.0
"""Seconds after which a process that has ended by itself, say for want of memory, is started again. It takes a few seconds of a core: one
that ends each time must not cost more than it saves."""


@dataclass
class _Asked:
    """A question that was put to the process."""

    answer: list[Facts] | None = None
    """None while it is open, and for good if the process could not work it out, or ended"""
    is_open: bool = False


class Beside:
    """Who works out what is written down: the process, once it was started and is ready; without it, or when it is gone, this one."""

    def __init__(self) -> None:
        self._one_at_a_time = RLock()
        self._open: deque[_Asked] = deque()
        """Questions without an answer, in the order in which they will be answered."""
        self._process: Popen[bytes] | None = None
        self._awaiting: Thread | None = None
        self._ready_for = 0
        """Who may ask: the process that started it, and none that is forked from that."""
        self._again_at: float | None = None
        """when one that has ended by itself is started again"""

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
            environment = {**os.environ, "PYTHONPATH": path}
            self._process = Popen(command, stdin=PIPE, stdout=PIPE, env=environment, start_new_session=True, pipesize=PIPE_BYTES)
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
        """Ends the process; who asks from now on, or waits for an answer, works it out here."""
        self._ready_for = 0
        with self._one_at_a_time:
            for asked in self._open:
                asked.is_open = False
            self._open.clear()
        if self._process:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def ask(self, settings: Settings, vertices: Sequence[Visited]) -> Callable[[], list[Facts]]:
        """Puts the question of `vertex_record` to the process, if it is ready, and waits for nothing.

        The function returned waits for the answer, and raises what `vertex_record` raises.
        """
        asked = _Asked()
        if self.is_ready:
            told = [each.told() for each in vertices]
            question = {"settings": vars(settings), "vertices": [words for words, _ in told]}
            laws = [law for _, laws in told for law in laws]
            self._exchange(lambda pipes: self._put(asked, pipes, question, laws))
        elif self._again_at:
            self._start_again()

        def answer() -> list[Facts]:
            if asked.is_open:
                self._exchange(lambda pipes: self._hear(asked, pipes))
            return vertex_record(settings, vertices) if asked.answer is None else asked.answer

        return answer

    def _start_again(self) -> None:
        with self._one_at_a_time:
            if self._again_at and monotonic() >= self._again_at:
                self._again_at = None
                self.start()

    def _put(self, asked: _Asked, pipes: Pipes, question: dict[str, Any], laws: list[np.ndarray]) -> None:
        if len(self._open) >= MOST_OPEN:
            self._hear(self._open[0], pipes)
        _tell(pipes[0], question, *laws)
        asked.is_open = True
        self._open.append(asked)

    def _hear(self, wanted: _Asked, pipes: Pipes) -> None:
        """Waits until a question is no longer open; those put before it are answered before it."""
        while wanted.is_open:
            answer = _heard(pipes[1])
            first = self._open.popleft()
            first.answer, first.is_open = answer, False

    def _exchange(self, speak: Callable[[Pipes], None]) -> None:
        """What is said to the process and heard of it comes to its end, or there is no process any more."""
        with self._one_at_a_time:
            if not self._process:
                return
            try:
                speak((cast("BinaryIO", self._process.stdin), cast("BinaryIO", self._process.stdout)))
            except (OSError, EOFError):
                self.stop()
                self._again_at = monotonic() + AGAIN_AFTER_S
            except BaseException:  # interrupted on the way: what comes next would be taken for something else
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
    pipe, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what anything prints is no answer
    questions: Queue[_Question | None] = Queue()
    Thread(target=_listen, args=[pipe, questions], daemon=True).start()
    _tell(answers, "ready")
    while asked := questions.get():
        settings, vertices = asked
        answer = None
        with suppress(Exception):  # asked again where it belongs, it is raised there
            answer = vertex_record(Settings(**settings), [Visited(**each) for each in vertices])
        _tell(answers, answer)


def _listen(pipe: BinaryIO, questions: Queue[_Question | None]) -> None:
    """Takes what is asked while something else is worked out, so that who asks need not wait; None: nobody can ask any more."""
    with suppress(EOFError):
        while True:
            question = _heard(pipe)
            for each in question["vertices"]:
                each.update((name, torch.from_numpy(_law(pipe, *law))) for name, law in each.pop("laws").items())
            questions.put((question["settings"], question["vertices"]))
    questions.put(None)


def _tell(pipe: BinaryIO, words: Any, *laws: np.ndarray) -> None:
    said = marshal.dumps(words)
    pieces: list[bytes | memoryview] = [_LENGTH.pack(len(said)), said, *(law.data for law in laws)]
    if len(said) + sum(law.nbytes for law in laws) < PIPE_BYTES:
        pieces = [b"".join(pieces)]  # who listens is woken once
    for piece in pieces:
        pipe.write(piece)
    pipe.flush()


def _heard(pipe: BinaryIO) -> Any:
    length = pipe.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError
    (wanted,) = _LENGTH.unpack(length)
    said = pipe.read(wanted)
    if len(said) < wanted:
        raise EOFError
    return marshal.loads(said)


def _law(pipe: BinaryIO, dtype: str, length: int) -> np.ndarray:
    """The next law in a question, [length]."""
    law = np.empty(length, dtype)
    if pipe.readinto(law.data) < law.nbytes:  # type: ignore[attr-defined]  # every pipe that is buffered has it
        raise EOFError
    return law
