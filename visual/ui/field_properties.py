"""What the fields of the draft tree are for a rule and its tree: shown or not, in use or not, and explained in which words."""

from __future__ import annotations

from typing import Any

from ersd.rules.registry import TRAITS
from ersd.settings import ALLOWED, HELP
from visual.payload.sentences.names import topology_name

from .methods import reason_of_refusal, refused_topologies

Properties = dict[str, Any]
"""Properties of a Gradio component by name."""


def field_properties(algorithm: str, topology: str) -> dict[str, Properties]:
    """By field of Settings, the properties that depend on the rule and its tree."""
    traits = TRAITS[algorithm]
    tree = topology if traits.drafts else ""
    return {
        "topology": {"info": _about_topologies(algorithm), "interactive": traits.drafts},
        "draft_tokens": {"interactive": traits.drafts and tree != "specinfer", "info": _about_draft_tokens(traits.drafts, tree)},
        "branching": {"visible": tree == "specinfer"},
        "sequences": {"visible": tree == "multi_sequence"},
        "leniency": {"visible": not traits.lossless},
        **{name: _about_sampling(name, traits.uses_sampling) for name in ("temperature", "top_k", "top_p")},
    }


def field_info(name: str) -> str:
    """Help and bounds of a field."""
    return f"{HELP[name]}: {ALLOWED[name]}"


def refusal_marks(algorithm: str, menu_id: str) -> str:
    """A style sheet that marks the topologies a rule refuses in the menu with this id.

    A style, so that the menu's choices stay those that the server knows, and may be chosen: the page then says why not.
    """
    options = [f'#{menu_id} [role=option][aria-label="{topology_name(name)}"]' for name in refused_topologies(algorithm)]
    mark = f'content:"✕ not for {algorithm}";margin-left:.8em;font-size:11px'
    return "".join(f"{option}{{color:var(--ersd-faint);white-space:nowrap}}{option}::after{{{mark}}}" for option in options)


def _about_topologies(algorithm: str) -> str:
    names = refused_topologies(algorithm)
    if not names:
        return HELP["topology"]
    return f"{HELP['topology']}. Not {', '.join(map(topology_name, names))} for {algorithm}: {reason_of_refusal(algorithm, names[0])}"


def _about_sampling(name: str, uses_sampling: bool) -> Properties:
    info = field_info(name) if uses_sampling else "not used: the likeliest token is taken"
    return {"interactive": uses_sampling, "info": info}


def _about_draft_tokens(drafts: bool, tree: str) -> str:
    if not drafts:
        return "nothing is drafted"
    if tree == "specinfer":
        return "here the branching says how many tokens are drafted"
    return field_info("draft_tokens")
