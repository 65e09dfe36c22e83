"""Speculative sampling via exponential races, and the rules it is compared with.

    import ersd
    pair = ersd.load_pair()
    trace = ersd.run(pair, "Once upon a time", ersd.Settings(algorithm="ersd", topology="tau_star", draft_tokens=16))

Everything is loaded on first use, so that settings, traces and the lists of algorithms and topologies are at hand without torch.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import lab as lab, randomness as randomness, theory as theory
    from .algorithms import ALGORITHMS as ALGORITHMS
    from .engine import generate as generate, run as run
    from .loading import load_pair as load_pair
    from .models import ModelPair as ModelPair
    from .settings import METHODS as METHODS, Settings as Settings
    from .statistics import Statistics as Statistics
    from .topologies import TOPOLOGIES as TOPOLOGIES
    from .trace import Step as Step, Trace as Trace

_HOME = {
    "generate": "engine",
    "run": "engine",
    "ModelPair": "models",
    "load_pair": "loading",
    "ALGORITHMS": "algorithms",
    "METHODS": "settings",
    "TOPOLOGIES": "topologies",
    "Settings": "settings",
    "Statistics": "statistics",
    "Step": "trace",
    "Trace": "trace",
}
_MODULES = ("lab", "randomness", "theory")

__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
