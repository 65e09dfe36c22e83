"""A process of its own that writes steps down.

It is many small operations, each of which holds Python's lock, as those of decoding do: worked out in another thread they make
the steps decoded meanwhile take half as long again, and the times measured of these steps with them. Another process has another lock.

It is told of a run once, by a Recorder that has not begun, and then of every step what came of it. What is said over the pipes are plain
numbers and names and the bytes of laws (`pipes.py`); memory that both see was measured to take as long, for what one has written is in no
cache of the other. Recorders, and what they have written, are pickled: only these two processes can write to these pipes.
"""

from __future__ import annotations

import itertools
import os
import pickle
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from queue import Queue
from subprocess import PIPE, Popen
from threading import RLock, Thread
from time import monotonic
from typing import Any, BinaryIO, cast

import torch

from ..models.detokenizer import Detokenizer
from .outcome import Outcome, Shapes, Words
from .pipes import heard, heard_array, tell
from .recorder import Recorder
from .teller import Written

Pipes = tuple[BinaryIO, BinaryIO]
"""To the process and from it."""
_Told = tuple[str, int, Any, Any]
"""What is told: `texts`, the number of a `Detokenizer` and its pickle; `open`, the number of a run and its pickled Recorder; `step`, the number
of the run, the words of an `Outcome` with the shapes of its laws, and milliseconds of a token one by one, the only thing that is answered;
or `close` and the number of the run."""
PIPE_BYTES = 2**20
"""That many of a question can be on the way: those of a small vocabulary wholly, and who asks need not stop to have them taken."""
MOST_OPEN = 8
"""Questions that wait for their answers, at most; those that nobody asks for any more are heard to the end then."""
MOST_TEXTS = 4
"""Tokenizers that the process keeps beside those of the runs that go on: the last ones. A large one takes a fifth of a second to send."""
AGAIN_AFTER_S = 60.0
"""Seconds after which a process that has ended by itself, say for want of memory, is started again. It takes a few seconds of a core: one
that ends each time must not cost more than it saves."""


@dataclass
class _Asked:
    """A question that was put to the process."""

    answer: bytes | None = None
    """what was written, pickled; None while it is open, and for good if the process could not work it out, or ended"""
    is_open: bool = False


class Beside:
    """The process, once it was started and is ready. Who asks must be able to go without it (`recording.py`)."""

    def __init__(self) -> None:
        self._one_at_a_time = RLock()
        self._runs = itertools.count()
        self._texts: dict[int, Detokenizer] = {}
        """What tokens look like, as the process was told, by the numbers it knows them by."""
        self._open: deque[_Asked] = deque()
        """Questions without an answer, in the order in which they will be answered."""
        self._process: Popen[bytes] | None = None
        self._modules: tuple[str, ...] = ()
        self._awaiting: Thread | None = None
        self._ready_for = 0
        """Who may ask: the process that started it, and none that is forked from that."""
        self._again_at: float | None = None
        """when one that has ended by itself is started again"""

    @property
    def is_ready(self) -> bool:
        """Is there a process that answers?"""
        return self._ready_for == os.getpid()

    def start(self, *modules: str) -> None:
        """Starts the process, if there is none. It takes a few seconds to be ready, for which nobody waits, and ends with this one.

        `modules`: that it loads at once, those of the tellers to come; else the first run that has one waits for that.
        """
        if self._process:
            return
        self._modules = modules
        path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parent.parent.parent), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, "-c", f"import {', '.join(['ersd.trace.beside', *modules])}; ersd.trace.beside.serve()"]
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
        """Ends the process; who asks from now on, or waits for an answer, gets none."""
        self._ready_for = 0
        with self._one_at_a_time:
            self._texts = {}
            for asked in self._open:
                asked.is_open = False
            self._open.clear()
        if self._process:
            self._process.kill()
            self._process.communicate()
        self._process = None

    def open(self, recorder: Recorder) -> int | None:
        """Tells the process of a run; the number it knows it by, to be given back by `close`. None if it is not there, or cannot know it.

        `recorder`: one that has not begun; it stays as it is.
        """
        if not self.is_ready:
            if self._again_at:
                self._start_again()
            return None
        run = next(self._runs)
        try:
            with self._one_at_a_time:
                for told in self._told_of(run, recorder):
                    self._exchange(lambda pipes, told=told: tell(pipes[0], told))  # type: ignore[misc]
        except (pickle.PicklingError, AttributeError, TypeError):  # a tokenizer that cannot travel
            return None
        return run

    def _told_of(self, run: int, recorder: Recorder) -> list[_Told]:
        """What has to be told of a run: its recorder, and how its tokens look if that is not known there."""
        known = next((number for number, texts in self._texts.items() if texts is recorder.texts), None)
        number = max(self._texts, default=-1) + 1 if known is None else known
        pickled = BytesIO()
        _Writer(pickled, number).dump(recorder)
        opening: _Told = ("open", run, pickled.getvalue(), None)
        if known is not None:
            return [opening]
        texts: _Told = ("texts", number, pickle.dumps(recorder.texts), None)
        self._texts[number] = recorder.texts
        _forget(self._texts)
        return [texts, opening]

    def close(self, run: int) -> None:
        """Nothing more is asked of this run."""
        if self.is_ready:
            self._exchange(lambda pipes: tell(pipes[0], ("close", run, None, None)))

    def ask(self, run: int, outcome: Outcome, alone_ms: float | None = None) -> Callable[[], Written | None]:
        """Has the next step of a run written down, as `Recorder.write`, and waits for nothing.

        The function returned waits for that; None if it could not be worked out there, for whatever reason.
        """
        asked = _Asked()
        if self.is_ready:
            self._exchange(lambda pipes: self._put(asked, pipes, run, outcome, alone_ms))

        def answer() -> Written | None:
            if asked.is_open:
                self._exchange(lambda pipes: self._hear(asked, pipes))
            return pickle.loads(asked.answer) if asked.answer else None

        return answer

    def _start_again(self) -> None:
        with self._one_at_a_time:
            if self._again_at and monotonic() >= self._again_at:
                self._again_at = None
                self.start(*self._modules)

    def _put(self, asked: _Asked, pipes: Pipes, run: int, outcome: Outcome, alone_ms: float | None) -> None:
        if len(self._open) >= MOST_OPEN:
            self._hear(self._open[0], pipes)
        tell(pipes[0], ("step", run, (outcome.words, outcome.shapes), alone_ms), *chain.from_iterable(outcome.laws.values()))
        asked.is_open = True
        self._open.append(asked)

    def _hear(self, wanted: _Asked, pipes: Pipes) -> None:
        """Waits until a question is no longer open; those put before it are answered before it."""
        while wanted.is_open:
            answer = heard(pipes[1])
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
            heard(cast("BinaryIO", process.stdout))
        except (OSError, EOFError):  # it could not be started, and has said why
            return
        if process is self._process:
            self._ready_for = os.getpid()


BESIDE = Beside()
"""That of this process; not started unless someone starts it, as the page does."""


class _Writer(pickle.Pickler):
    """Writes recorders without what their tokens look like."""

    def __init__(self, file: BytesIO, number: int) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._number = number

    def persistent_id(self, thing: object) -> int | None:
        """Detokenizer go by their number."""
        return self._number if isinstance(thing, Detokenizer) else None


class _Reader(pickle.Unpickler):
    """Reads recorders, of which the tokens' looks are known."""

    def __init__(self, file: BytesIO, texts: dict[int, Detokenizer]) -> None:
        super().__init__(file)
        self._texts = texts

    def persistent_load(self, number: int) -> Detokenizer:
        """Detokenizer go by their number."""
        return self._texts[number]


def _forget(texts: dict[int, Detokenizer]) -> None:
    """Who tells and who is told forget the same ones."""
    while len(texts) > MOST_TEXTS:
        del texts[min(texts)]


def serve() -> None:
    """What the process does: it says that it is ready, then answers until nobody can ask any more. None: here it cannot be worked out."""
    torch.set_num_threads(1)
    pipe, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what anything prints is no answer
    told: Queue[_Told | None] = Queue()
    Thread(target=_listen, args=[pipe, told], daemon=True).start()
    tell(answers, "ready")
    texts: dict[int, Detokenizer] = {}
    recorders: dict[int, Recorder] = {}
    while each := told.get():
        about, number, said, alone_ms = each
        answer = None
        with suppress(Exception):  # worked out where it belongs, it is raised there
            if about == "texts":
                texts[number] = pickle.loads(said)
                _forget(texts)
            elif about == "open":
                recorders[number] = _Reader(BytesIO(said), texts).load()
            elif about == "close":
                del recorders[number]
            else:
                answer = pickle.dumps(recorders[number].write(said, alone_ms), pickle.HIGHEST_PROTOCOL)
        if about == "step":
            tell(answers, answer)


def _listen(pipe: BinaryIO, told: Queue[_Told | None]) -> None:
    """Takes what is told while something else is worked out, so that who tells need not wait; None: nobody can ask any more."""
    with suppress(EOFError):
        while True:
            about, number, said, alone_ms = heard(pipe)
            told.put((about, number, _outcome(pipe, *said) if about == "step" else said, alone_ms))
    told.put(None)


def _outcome(pipe: BinaryIO, words: Words, shapes: Shapes) -> Outcome:
    """An outcome, its laws from the pipe."""
    return Outcome(words, {name: list(heard_array(pipe, dtype, shape)) for name, dtype, shape in shapes})
