"""The model pairs a server offers, loaded when first needed: its own stay in memory, public ones are dropped when there are too many."""

from __future__ import annotations

import gc
import os
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from ersd.formatting import quoted
from ersd.models.catalogue import Offer, read_catalogue
from ersd.models.checkpoint import has_other_tokens

from .zero_gpu import IS_ZERO_GPU

if TYPE_CHECKING:
    from ersd import ModelPair, Settings
    from ersd.costs import Costs


EMBEDDED = "embedded storyteller"
"""Display name of the pair that comes with the page."""

RUN_SECONDS = 300.0
"""The default time limit of a run."""

MAX_PUBLIC = 2
"""Public pairs in memory; the least recently used one is dropped for another."""

POLL_SECONDS = 0.2
"""How often the progress of loading is checked."""

Report = Callable[[str], None]
"""Takes a line on the progress of loading."""


class Pairs:
    """Named pairs; the first is the default."""

    def __init__(
        self,
        own: dict[str, Callable[[], ModelPair]],
        run_seconds: float = RUN_SECONDS,
        public: Sequence[Offer] = (),
        load_public: Callable[[Offer, Report], ModelPair] | None = None,
        sources: Mapping[str, str] | None = None,
    ) -> None:
        """
        Args:
            own: display name -> how to load it.
            run_seconds: time limit of a run.
            public: pairs offered by name too.
            load_public: loads one of them and reports its progress.
            sources: where the guesses of those of `own` come from that have no draft model with the target's tokens.
        """
        self.run_seconds = run_seconds
        self._own = dict(own)
        self._public = {offer.name: offer for offer in public}
        self._load_public = load_public
        self._sources = dict(sources or {})
        self._loaded: dict[str, ModelPair] = {}  # the most recently used at the end
        self._loading: dict[str, Future[ModelPair]] = {}
        self._progress: dict[str, str] = {}
        self._lock = threading.Lock()

    @property
    def names(self) -> list[str]:
        """The display names."""
        return [*self._own, *self._public]

    def about(self, name: str) -> str:
        """Size and licence of a public pair; empty for the server's own."""
        return self._public[name].about if name in self._public else ""

    def source(self, name: str) -> str:
        """Where its guesses come from unless a visitor chooses otherwise, as `Settings.source`."""
        return self._sources.get(name, "model")

    def chats(self, name: str) -> bool:
        """Whether these are known to be instruct models."""
        return isinstance(name, str) and name in self._public and self._public[name].chat

    def ready(self, name: str) -> bool:
        """Whether the pair is in memory."""
        return isinstance(name, str) and name in self._loaded

    @property
    def loading(self) -> bool:
        """Whether the default pair is being loaded."""
        return self.names[0] in self._loading

    def prior(self, name: str, settings: Settings) -> Sequence[float] | None:
        """The rank distribution measured for such runs on this pair, as `ModelPair.prior`; None while the pair is not in memory."""
        pair = self._loaded.get(name) if isinstance(name, str) else None
        return pair.prior(settings) if pair else None

    def costs(self, name: str, source: str) -> Costs | None:
        """What the parts of a step cost here with guesses from this source; None while the pair is not in memory."""
        pair = self._loaded.get(name) if isinstance(name, str) else None
        return pair.costs.get(source) if pair else None

    def get(self, name: str) -> ModelPair:
        """The pair, loaded if necessary. ValueError if it is not offered or cannot be loaded."""
        with self._lock:
            if self.ready(name):
                self._loaded[name] = self._loaded.pop(name)
                return self._loaded[name]
        return self._start(name).result()

    def loading_progress(self, name: str, check_client: Callable[[], object] = lambda: None) -> Iterator[str]:
        """A line on the progress of loading whenever it changes, until the pair is in memory. Raises as `get`, and as `check_client`."""
        if self.ready(name):
            return
        future, last = self._start(name), ""
        while not future.done():
            line = self._progress.get(name, "Loading the model …")
            if line != last:
                yield line
                last = line
            check_client()
            time.sleep(POLL_SECONDS)
        future.result()

    def preload(self) -> None:
        """Load the default pair in the background, so that the page is served immediately."""
        gc.freeze()  # what is imported stays, and to visit it when the pair is there would hold all answers for half a second

        def report(future: Future[ModelPair]) -> None:
            if future.exception():  # the page shows it too, when the pair is requested
                print(f"The model pair cannot be loaded: {future.exception()}", flush=True)

        self._start(self.names[0]).add_done_callback(report)

    def load_all(self) -> None:
        """Load every pair in this thread, since ZeroGPU takes no models after the start. What cannot be loaded is not offered."""
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
        """The loading of a pair, begun unless it is under way: two visitors must not load it twice."""
        if not isinstance(name, str) or name not in self.names:  # a client may send anything, a list too
            raise ValueError(f"models must be one of {', '.join(self.names)}, got {quoted(name)}")
        with self._lock:
            if name in self._loading:
                return self._loading[name]
            future: Future[ModelPair] = Future()
            if name in self._loaded:
                future.set_result(self._loaded[name])
                return future
            self._loading[name] = future
        threading.Thread(target=self._finish, args=(name, future), name="load-pair", daemon=True).start()
        return future

    def _finish(self, name: str, future: Future[ModelPair]) -> None:
        """Load a pair and set its future."""
        pair, problem = None, None
        try:
            pair = self._load(name)
        except BaseException as error:
            problem = error
        with self._lock:
            if pair:
                self._loaded[name] = pair
            self._loading.pop(name)
            self._progress.pop(name, None)
        if pair:
            future.set_result(pair)
        else:
            future.set_exception(problem)

    def _load(self, name: str) -> ModelPair:
        if name in self._own:
            pair = self._own[name]()
        else:
            assert self._load_public
            self._make_room()
            pair = self._load_public(self._public[name], lambda line: self._progress.__setitem__(name, line))
        print("\n".join([f"Loaded {pair.name}. {pair.decoding}", *pair.notices]), flush=True)
        # what is loaded now stays; the garbage collector need not visit it while steps stream
        gc.collect()
        gc.freeze()
        return pair

    def _make_room(self) -> None:
        """Drop the least recently used public pairs. A run that uses one keeps it to its end."""
        with self._lock:
            public = [name for name in self._loaded if name in self._public]
            dropped = public[: max(0, len(public) - MAX_PUBLIC + 1)]
            for name in dropped:
                del self._loaded[name]
        if dropped:
            gc.unfreeze()
            gc.collect()


def pairs_of(flags: Namespace) -> Pairs:
    """The pairs that the flags of app.py ask for: the embedded one, perhaps one of the operator's as the default, and public ones."""
    own, sources = {EMBEDDED: lambda: _load_pair(flags, None, None)}, {}
    if flags.target:
        name = " ← ".join(os.path.basename(each.rstrip("/")) for each in (flags.target, flags.draft) if each)
        own = {name: lambda: _load_pair(flags, flags.target, flags.draft), **own}
        if not flags.draft:
            sources = {name: "ngram"}
        elif has_other_tokens(Path(flags.target), Path(flags.draft)):
            sources = {name: "foreign"}
    public = public_offers(flags.pairs)
    return Pairs(own, flags.run_seconds, public, lambda offer, report: load_public(flags, offer, report), sources)


def public_offers(names: str) -> list[Offer]:
    """The pairs of the catalogue that --pairs names: all, none, or some with commas between them."""
    offers = read_catalogue()
    if names in ("all", "none"):
        return offers if names == "all" else []
    wanted = [name.strip() for name in names.split(",")]
    for name in wanted:
        if name not in [offer.name for offer in offers]:
            raise ValueError(f"--pairs must be all, none, or some of {', '.join(offer.name for offer in offers)}, got {quoted(name)}")
    return [offer for offer in offers if offer.name in wanted]


def load_public(flags: Namespace, offer: Offer, report: Report) -> ModelPair:
    """Fetch and load a pair of the catalogue. ValueError before anything is fetched if this machine cannot hold it."""
    from ersd.machine import place_and_precision
    from ersd.models.hub import fetch, obstacle

    device, dtype = place_and_precision(flags.device, flags.dtype)
    report(f"{offer.name}: looking for it …")
    reason = "" if IS_ZERO_GPU else obstacle(offer, device, dtype)
    if reason:
        raise ValueError(f"{offer.name} cannot be loaded: {reason}. The {EMBEDDED} is always there")
    fetch(offer, report)
    report(f"{offer.name}: loading {offer.gigabytes:g} GB …")
    return _load_pair(flags, offer.target, offer.draft)


def _load_pair(flags: Namespace, target: str | None, draft: str | None) -> ModelPair:
    import ersd

    return ersd.load_pair(
        target=target, draft=draft, device=flags.device, dtype=flags.dtype, device_map=flags.device_map, is_emulated=IS_ZERO_GPU
    )
