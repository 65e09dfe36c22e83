"""The model pairs a server offers, loaded when first needed and then kept."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ersd.words import quoted

if TYPE_CHECKING:
    from ersd import ModelPair


EMBEDDED = "embedded storyteller"
"""Display name of the pair that comes with the page."""


RUN_SECONDS = 300.0
"""How long a run may take where nothing else is asked for."""


class Pairs:
    """Named pairs; the first is the default."""

    def __init__(self, offers: dict[str, Callable[[], ModelPair]], run_seconds: float = RUN_SECONDS) -> None:
        """`offers`: display name -> how to load it. `run_seconds`: how long a run of one may take, at most."""
        self.run_seconds = run_seconds
        self._offers = dict(offers)
        self._loaded: dict[str, ModelPair] = {}
        self._lock = threading.Lock()
        self._loading = False

    @property
    def names(self) -> list[str]:
        """The display names."""
        return list(self._offers)

    def ready(self, name: str) -> bool:
        """Is this pair in memory?"""
        return isinstance(name, str) and name in self._loaded

    @property
    def loading(self) -> bool:
        """Is the default pair being loaded in the background?"""
        return self._loading

    def hazards(self, name: str, algorithm: str) -> Sequence[float] | None:
        """The rank law measured for a rule on this pair, as in `ModelPair.hazards`; None while the pair is not in memory."""
        return self._loaded[name].hazards.get(algorithm, ()) if self.ready(name) else None

    def get(self, name: str) -> ModelPair:
        """The pair, loaded if it is not yet. ValueError if it is not offered or cannot be loaded."""
        if not isinstance(name, str) or name not in self._offers:  # a client may send anything, a list too
            raise ValueError(f"models must be one of {', '.join(self.names)}, got {quoted(name)}")
        with self._lock:  # two visitors at once must not load it twice
            if name not in self._loaded:
                self._loaded[name] = self._offers[name]()
                print(f"Loaded {self._loaded[name].name}. {self._loaded[name].decoding}", flush=True)
                # what is loaded now stays; the garbage collector need not visit it while steps stream
                gc.collect()
                gc.freeze()
            return self._loaded[name]

    def preload(self) -> None:
        """Loads the default pair in the background, so that the page is there at once."""

        def load() -> None:
            try:
                self.get(self.names[0])
            except Exception as error:
                print(f"The model pair cannot be loaded: {error}", flush=True)  # said again, on the page, when it is asked for
            finally:
                self._loading = False

        self._loading = True
        threading.Thread(target=load, name="load-pair", daemon=True).start()
