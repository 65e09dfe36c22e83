"""How the controls of the tree look for an algorithm and a topology: what is offered, in use and shown, and in which words."""

from __future__ import annotations

from typing import Any

import ersd
from ersd.rules import RULES
from ersd.settings import ALLOWED, HELP, TOPOLOGIES, refusal, topology_allowed

BY_PARTS = "by parts"

_TOPOLOGY_NAMES = {"tau_star": "τ* tree", "multi_sequence": "multi-sequence", "specinfer": "SpecInfer tree"}


def looks(algorithm: str, topology: str) -> dict[str, dict[str, Any]]:
    """Properties of the components that depend on the rule and its tree, by field of Settings."""
    rule = RULES[algorithm]
    tree = topology if rule.drafts else ""
    return {
        "topology": {"info": _tree_words(algorithm), "interactive": rule.drafts},
        "draft_tokens": {"interactive": rule.drafts and tree != "specinfer", "info": _count_words(rule.drafts, tree)},
        "branching": {"visible": tree == "specinfer"},
        "sequences": {"visible": tree == "multi_sequence"},
        "leniency": {"visible": not rule.lossless},
    }


def method_of(algorithm: str, topology: str) -> str:
    """The named method of these parts, or "by parts"."""
    for name, parts in ersd.METHODS.items():
        if parts == (algorithm, topology) or (parts[0] == algorithm and not RULES[algorithm].drafts):
            return name
    return BY_PARTS


def fallback(algorithm: str, topology: str) -> tuple[str, str]:
    """The topology to use where the one in use is refused, the best tree or else a chain, and what to say about it."""
    why = _why(algorithm, topology)
    if not why:
        return topology, ""
    instead = "tau_star" if topology_allowed(algorithm, "tau_star") else "sequence"
    return instead, f"{topology_name(topology)} → {topology_name(instead)}: {why}."


def refused(algorithm: str) -> list[str]:
    """The topologies that do not go with the rule."""
    return [name for name in TOPOLOGIES if not topology_allowed(algorithm, name)]


def marks(algorithm: str) -> str:
    """A style sheet that marks them in the menu of topologies, so that its choices stay what the server knows them to be."""
    options = [f'#topology [role=option][aria-label="{topology_name(name)}"]' for name in refused(algorithm)]
    mark = f'content:"✕ not for {algorithm}";margin-left:.8em;font-size:11px'
    return "".join(f"{option}{{color:var(--ersd-faint);white-space:nowrap}}{option}::after{{{mark}}}" for option in options)


def topology_name(topology: str) -> str:
    """As the menu says it."""
    return _TOPOLOGY_NAMES.get(topology, topology)


def field_words(name: str) -> str:
    """Help and bounds of a field."""
    return f"{HELP[name]}: {ALLOWED[name]}"


def _why(algorithm: str, topology: str) -> str:
    """The reason of a refusal, without what was asked for; empty if nothing is refused."""
    return (refusal(algorithm, topology) or "").split(": ", 1)[-1]


def _tree_words(algorithm: str) -> str:
    names = refused(algorithm)
    if not names:
        return HELP["topology"]
    return f"{HELP['topology']}. Not {', '.join(map(topology_name, names))} for {algorithm}: {_why(algorithm, names[0])}"


def _count_words(drafts: bool, tree: str) -> str:
    if not drafts:
        return "nothing is drafted"
    return "here the branching says how many tokens are drafted" if tree == "specinfer" else field_words("draft_tokens")
