"""Names of methods, trees and runs, and which settings a run depends on."""

from __future__ import annotations

from itertools import product

from ersd.drafts.topologies import TOPOLOGIES, is_allowed
from ersd.rules.registry import TRAITS
from ersd.settings import ALGORITHMS, METHODS, Settings

BY_PARTS = "by parts"
"""Name in the menu of a method that the literature has no name for."""

_ALGORITHM_NAMES = {"gsd_wor": "without replacement"}
_TOPOLOGY_NAMES = {"tau_star": "τ* tree", "multi_sequence": "multi-sequence", "specinfer": "SpecInfer tree"}


def method_of(algorithm: str, topology: str) -> str:
    """The named method of these parts, or "by parts"."""
    for name, parts in METHODS.items():
        if parts == (algorithm, topology) or (parts[0] == algorithm and not TRAITS[algorithm].drafts):
            return name
    return BY_PARTS


def algorithm_name(algorithm: str) -> str:
    """The entry of the menu: the name in the code and a short description."""
    return f"{algorithm} · {_ALGORITHM_NAMES.get(algorithm) or ALGORITHMS[algorithm].split(':')[0]}"


def topology_name(topology: str) -> str:
    """The entry of the menu."""
    return _TOPOLOGY_NAMES.get(topology, topology)


def full_name(algorithm: str, topology: str) -> str:
    """The method's name, or its parts if it has none: `greedy + τ* tree`."""
    method = method_of(algorithm, topology)
    return f"{algorithm} + {topology_name(topology)}" if method == BY_PARTS else method


def every_method() -> dict[str, tuple[str, str]]:
    """All methods: full name -> (algorithm, topology), those of the literature first."""
    by_parts = {full_name(*parts): parts for parts in product(ALGORITHMS, TOPOLOGIES) if is_allowed(*parts)}
    return {**METHODS, **{name: parts for name, parts in by_parts.items() if name not in METHODS}}


def run_name(settings: Settings) -> str:
    """Method, k and seed of a run: `ERSD τ* · k = 16 · seed 7`."""
    return " · ".join([tree_name(settings), f"seed {settings.seed}"])


def tree_name(settings: Settings) -> str:
    """Method and k of a run: `ERSD τ* · k = 16`."""
    method = full_name(settings.algorithm, settings.topology)
    # i.i.d. draws at one node may coincide, and are one token then
    may_coincide = TRAITS[settings.algorithm].with_replacement and settings.topology != "sequence"
    k = f"k {'≤' if may_coincide else '='} {settings.vertices}" if settings.vertices else "no draft"
    return f"{method} · {k}"


def used(settings: Settings) -> list[str]:
    """The fields of Settings that a run depends on."""
    traits = TRAITS[settings.algorithm]
    tree = settings.topology if traits.drafts else ""
    given = {
        "topology": traits.drafts,
        "draft_tokens": traits.drafts and tree != "specinfer",
        "branching": tree == "specinfer",
        "sequences": tree == "multi_sequence",
        "leniency": not traits.lossless,
        **dict.fromkeys(("temperature", "top_k", "top_p"), traits.uses_sampling),
        "seed": traits.uses_sampling,
    }
    return [name for name in settings.to_dict() if given.get(name, True)]
