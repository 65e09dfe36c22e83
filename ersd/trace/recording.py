"""Who writes a run's steps down: the process beside, as long as it can; else this one, which goes on where the other stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..walk import ScoredTree, Walk
from .beside import BESIDE
from .outcome import Outcome
from .recorder import Recorder
from .teller import Seen


class Recording:
    """The record of one run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder, self._beside = recorder, BESIDE
        self._run = self._beside.open(recorder)
        """Its number there; None: it is written down here"""
        self._seen: list[list[Seen]] = []
        """of every step that was written down there"""

    def begin(self, scored: ScoredTree, way: Walk, milliseconds: Mapping[str, float]) -> Callable[[], Any]:
        """Begins to write the next Step down; the function returned ends it, and gives the Step, or what the recorder's teller made of it.
        Steps are ended in the order in which they were begun.

        It raises what the formulas raise of laws that are none. `milliseconds` are those of its fields whose names end in _ms.
        """
        outcome, teller = Outcome.of(scored, way, milliseconds), self._recorder.teller
        alone_ms = teller.alone_ms if teller else None
        answer = None if self._run is None else self._beside.ask(self._run, outcome, alone_ms)

        def end() -> Any:
            written = answer() if answer and self._run is not None else None
            if written is None:
                self._go_on_here()
                return self._recorder.write(outcome, alone_ms).made
            self._seen.append(written.seen)
            if teller:
                teller.state = written.state
            return written.made

        return end

    def close(self) -> None:
        """No step comes any more."""
        if self._run is not None:
            self._beside.close(self._run)

    def _go_on_here(self) -> None:
        self.close()
        self._run = None
        for visits in self._seen:
            self._recorder.skip(visits)
        self._seen = []
