"""Which trees a rule refuses, and which one is used instead."""

from __future__ import annotations

from dataclasses import dataclass

from ersd.drafts.topologies import TOPOLOGIES, is_allowed, refusal
from visual.payload.sentences.names import topology_name


def refused_topologies(algorithm: str) -> list[str]:
    """The topologies that do not go with the rule."""
    return [name for name in TOPOLOGIES if not is_allowed(algorithm, name)]


def reason_of_refusal(algorithm: str, topology: str) -> str:
    """Why a rule refuses a topology, without what would be allowed; empty if it does not refuse it."""
    return (refusal(algorithm, topology) or "").split(": ", 1)[-1]


@dataclass(frozen=True)
class UsableTopology:
    """A topology that the rule allows."""

    name: str
    note: str = ""
    """what was replaced by it, and why; empty if nothing was"""


def usable_topology(algorithm: str, topology: str) -> UsableTopology:
    """The topology itself, or where the rule refuses it the best tree, or else a chain."""
    reason = reason_of_refusal(algorithm, topology)
    if not reason:
        return UsableTopology(topology)
    instead = "tau_star" if is_allowed(algorithm, "tau_star") else "sequence"
    return UsableTopology(instead, f"{topology_name(topology)} → {topology_name(instead)}: {reason}.")
