"""The model pairs a server offers, loaded when first needed and then kept: its own for good, public ones as long as there is room."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING

from ersd.formatting import quoted
from ersd.models.catalogue import Offer

if TYPE_CHECKING:
    from ersd import ModelPair


EMBEDDED = "embedded storyteller"
"""Display name of the pair that comes with the page."""

RUN_SECONDS = 300.0
"""How long a run may take where nothing else is asked for."""

MOST_PUBLIC = 2
"""Public pairs in memory at once; of more, the one that was not used for longest is forgotten."""

BEAT = 0.2
"""Seconds after which it is looked again at how far loading is."""

Say = Callable[[str], None]


class Pairs:
    """Named pairs; the first is the default."""

    def __init__(
        self,
        own: dict[str, Callable[[], ModelPair]],
        run_seconds: float = RUN_SECONDS,
        public: Sequence[Offer] = (),
        load_public: Callable[[Offer, Say], ModelPair] | None = None,
    ) -> None:
        """`own`: display name -> how to load it, kept once loaded. `run_seconds`: how long a run of one may take, at most.

        `public`: offered by name too, loaded by `load_public`, which tells how far it is.
        """
        self.run_seconds = run_seconds
        self._own = dict(own)
        self._public = {offer.name: offer for offer in public}
        self._load_public = load_public
        self._loaded: dict[str, ModelPair] = {}  # the one used last at the end
        self._coming: dict[str, Future[ModelPair]] = {}
        self._words: dict[str, str] = {}
        self._lock = threading.Lock()
        self._loading = False

    @property
    def names(self) -> list[str]:
        """The display names."""
        return [*self._own, *self._public]

    def about(self, name: str) -> str:
        """Size and licence of a public pair; empty for the server's own."""
        return self._public[name].about if name in self._public else ""

    def chats(self, name: str) -> bool:
        """Are these known to be instruct models?"""
        return isinstance(name, str) and name in self._public and self._public[name].chat

    def ready(self, name: str) -> bool:
        """Is this pair in memory?"""
        return isinstance(name, str) and name in self._loaded

    @property
    def loading(self) -> bool:
        """Is the default pair being loaded in the background?"""
        return self._loading

    def hazards(self, name: str, algorithm: str) -> Sequence[float] | None:
        """The rank law measured for a rule on this pair, as in `ModelPair.hazards`; None while the pair is not in memory."""
        pair = self._loaded.get(name) if isinstance(name, str) else None
        return pair.hazards.get(algorithm, ()) if pair else None

    def get(self, name: str) -> ModelPair:
        """The pair, loaded if it is not yet. ValueError if it is not offered or cannot be loaded."""
        with self._lock:
            if self.ready(name):
                self._loaded[name] = self._loaded.pop(name)
                return self._loaded[name]
        return self._start(name).result()

    def waiting(self, name: str) -> Iterator[str]:
        """Until the pair is in memory: how far it is, in words, whenever that changes. Raises as `get`."""
        if self.ready(name):
            return
        coming, last = self._start(name), ""
        while not coming.done():
            words = self._words.get(name, "Loading the model …")
            if words != last:
                yield words
                last = words
            time.sleep(BEAT)
        coming.result()

    def preload(self) -> None:
        """Loads the default pair in the background, so that the page is there at once."""

        def say(coming: Future[ModelPair]) -> None:
            self._loading = False
            if coming.exception():
                print(f"The model pair cannot be loaded: {coming.exception()}", flush=True)  # said again, on the page, when it is asked for

        self._loading = True
        self._start(self.names[0]).add_done_callback(say)

    def load_all(self) -> None:
        """Loads every pair in this thread, before a page is served: ZeroGPU takes no models later. What cannot be loaded is not offered."""
        for name in self.names:
            try:
                self._loaded[name] = self._load(name)
            except Exception as problem:
                print(f"{name} is not offered: {problem}", flush=True)
                self._own.pop(name, None)
                self._public.pop(name, None)
        if not self._loaded:
            raise ValueError("no model pair could be loaded")

    def _start(self, name: str) -> Future[ModelPair]:
        """The loading of a pair, begun if it is not under way: two visitors at once must not load it twice."""
        if not isinstance(name, str) or name not in self.names:  # a client may send anything, a list too
            raise ValueError(f"models must be one of {', '.join(self.names)}, got {quoted(name)}")
        with self._lock:
            if name in self._coming:
                return self._coming[name]
            coming: Future[ModelPair] = Future()
            if name in self._loaded:
                coming.set_result(self._loaded[name])
                return coming
            self._coming[name] = coming
        threading.Thread(target=self._bring, args=(name, coming), name="load-pair", daemon=True).start()
        return coming

    def _bring(self, name: str, coming: Future[ModelPair]) -> None:
        try:
            pair = self._load(name)
        except BaseException as problem:
            with self._lock:
                self._coming.pop(name)
                self._words.pop(name, None)
            coming.set_exception(problem)
            return
        with self._lock:
            self._loaded[name] = pair
            self._coming.pop(name)
            self._words.pop(name, None)
        coming.set_result(pair)

    def _load(self, name: str) -> ModelPair:
        if name in self._own:
            pair = self._own[name]()
        else:
            assert self._load_public
            self._make_room()
            pair = self._load_public(self._public[name], lambda words: self._words.__setitem__(name, words))
        print(f"Loaded {pair.name}. {pair.decoding}", flush=True)
        # what is loaded now stays; the garbage collector need not visit it while steps stream
        gc.collect()
        gc.freeze()
        return pair

    def _make_room(self) -> None:
        """Forgets the public pairs that were not used for longest. A run that goes on with one keeps it to its end."""
        with self._lock:
            public = [name for name in self._loaded if name in self._public]
            forgotten = public[: max(0, len(public) - MOST_PUBLIC + 1)]
            for name in forgotten:
                del self._loaded[name]
        if forgotten:
            gc.unfreeze()
            gc.collect()
