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
    from . import curves as curves, lab as lab, randomness as randomness, theory as theory
    from .decoding import generate as generate, run as run
    from .drafts.topologies import TOPOLOGIES as TOPOLOGIES
    from .load import load_pair as load_pair
    from .models.pair import ModelPair as ModelPair
    from .rerun import replay as replay
    from .rules.registry import ALGORITHMS as ALGORITHMS
    from .settings import METHODS as METHODS, Settings as Settings
    from .trace.model import Trace as Trace
    from .trace.statistics import Statistics as Statistics
    from .trace.step import Step as Step
    from .watermarking import watermark as watermark

_HOME = {
    "generate": "decoding",
    "replay": "rerun",
    "run": "decoding",
    "ModelPair": "models.pair",
    "load_pair": "load",
    "ALGORITHMS": "rules.registry",
    "METHODS": "settings",
    "TOPOLOGIES": "drafts.topologies",
    "Settings": "settings",
    "Statistics": "trace.statistics",
    "Step": "trace",
    "Trace": "trace",
    "watermark": "watermarking",
}
_MODULES = ("curves", "lab", "randomness", "theory")

__all__ = [*_HOME, *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
