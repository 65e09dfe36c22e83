"""The draft-tree fields for a rule and its tree: whether they are shown and enabled, their explanation, and the trees a rule refuses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ersd.drafts.topologies import TOPOLOGIES, TREES, is_allowed, refusal
from ersd.rules.registry import TRAITS
from ersd.settings import ALLOWED, FREQUENT_TOKENS, HELP, Settings
from visual.payload.sentences.names import DRAWN_FROM, topology_name

Properties = dict[str, Any]
"""Properties of a Gradio component by name."""


def field_properties(algorithm: str, topology: str, source: str) -> dict[str, Properties]:
    """By field of Settings, the properties that depend on the rule, its tree and the source of guesses."""
    traits = TRAITS[algorithm]
    tree = TREES[topology].fields if traits.drafts else ()
    sampling_info = {} if traits.uses_sampling else {"info": "not used: the likeliest token is taken"}
    return {
        "topology": {"info": _topology_info(algorithm), "interactive": traits.drafts},
        "draft_tokens": {"interactive": "draft_tokens" in tree, "info": _draft_tokens_info(tree)},
        "branching": {"visible": "branching" in tree},
        "sequences": {"visible": "sequences" in tree},
        "leniency": {"visible": not traits.lossless},
        "source": {"info": _source_info(algorithm, source)},
        "price": _if_used("price" in tree, Settings.price),
        "frequent_tokens": _if_used(traits.drafts and source == "frequent", FREQUENT_TOKENS),
        **{
            name: {"interactive": traits.uses_sampling, "info": field_info(name), **sampling_info}
            for name in ("temperature", "top_k", "top_p")
        },
    }


def _if_used(is_used: bool, default: float) -> Properties:
    """Of a field that is refused where it is not used: there it is hidden, and has its default again."""
    return {"visible": True} if is_used else {"visible": False, "value": default}


def field_info(name: str) -> str:
    """Help and bounds of a field."""
    return f"{HELP[name]}: {ALLOWED[name]}"


def _topology_info(algorithm: str) -> str:
    names = _refused(algorithm)
    if not names:
        return HELP["topology"]
    return f"{HELP['topology']}. Not {', '.join(map(topology_name, names))} for {algorithm}: {_reason(algorithm, names[0])}"


def _source_info(algorithm: str, source: str) -> str:
    """With coins also why its guesses are drawn from a distribution: a coin compares it with the target's."""
    traits = TRAITS[algorithm]
    if not traits.drafts or not traits.uses_sampling or traits.has_clocks:
        return HELP["source"]
    return f"{HELP['source']}. A coin compares the target’s distribution with the one a guess was drawn from: {DRAWN_FROM[source]}"


def _draft_tokens_info(tree: Collection[str]) -> str:
    """`tree`: the fields that the tree depends on."""
    if not tree:
        return "nothing is drafted"
    return field_info("draft_tokens") if "draft_tokens" in tree else "here the branching sets how many tokens are drafted"


def refusal_marks(algorithm: str) -> str:
    """A style sheet that marks the topologies a rule refuses in their menu.

    A style, so that they remain choices that the server knows: the page explains a refused one.
    """
    options = [f'#topology [role=option][aria-label="{topology_name(name)}"]' for name in _refused(algorithm)]
    mark = f'content:"✕ not for {algorithm}";margin-left:.8em;font-size:11px'
    return "".join(f"{option}{{color:var(--ersd-faint);white-space:nowrap}}{option}::after{{{mark}}}" for option in options)


@dataclass(frozen=True)
class UsableTopology:
    """A topology that the rule allows."""

    name: str
    note: str = ""
    """which topology it replaces, and why; empty if none"""


def usable_topology(algorithm: str, topology: str) -> UsableTopology:
    """The topology itself, or if the rule refuses it the best tree, or else a chain."""
    reason = _reason(algorithm, topology)
    if not reason:
        return UsableTopology(topology)
    instead = "tau_star" if is_allowed(algorithm, "tau_star") else "sequence"
    return UsableTopology(instead, f"{topology_name(topology)} → {topology_name(instead)}: {reason}.")


def _refused(algorithm: str) -> list[str]:
    """The topologies that the rule refuses."""
    return [name for name in TOPOLOGIES if not is_allowed(algorithm, name)]


def _reason(algorithm: str, topology: str) -> str:
    """Why a rule refuses a topology, without what would be allowed; empty if it does not refuse it."""
    return (refusal(algorithm, topology) or "").split(": ", 1)[-1]
