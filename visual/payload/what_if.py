"""What if the tree were another: what the browser needs to compute the steps of other trees on an ERSD text, without the models."""

from __future__ import annotations

from ersd.drafts.topologies import TOPOLOGIES
from ersd.rules.registry import TRAITS
from ersd.settings import RANGES, Settings
from ersd.trace.rank_sequence import STEPWISE, is_known_for, static_topologies

from .message_types.kit import WhatIfKit
from .sentences.names import algorithm_name, source_name, topology_name

USUAL_MAX_K, MAX_K = 64, int(RANGES["draft_tokens"].high)
"""Where the slider for k ends; at MAX_K for a run that drafts more than USUAL_MAX_K."""

KIT: WhatIfKit = {
    "trees": [{"id": name, "label": topology_name(name)} for name in static_topologies()],
    "others": [
        {"label": topology_name(name), "why": "its shape depends on the clocks of every step, so ranks alone do not determine its steps"}
        for name in TOPOLOGIES
        if name not in static_topologies()
    ],
    "few": USUAL_MAX_K,
    "most": MAX_K,
    "words": {
        "waiting": "Available when the run has finished.",
        "cut_short": "Not available: this run did not finish.",
        "recorded": "Not available for this recorded run: press Generate for one of your own.",
    },
}
"""What the browser needs once."""


def refusal(settings: Settings) -> str:
    """Why the steps of other trees are not known for a run; empty where they are."""
    if is_known_for(settings):
        return ""
    traits = TRAITS[settings.algorithm]
    if traits.shares_clocks:
        return (
            f"Not available with guesses from {source_name(settings.source)}: {STEPWISE[settings.source]}, and the steps of another "
            "tree begin elsewhere, so the ranks of this run do not determine them."
        )
    if not traits.drafts:
        why = " This run drafted nothing, so it has no ranks."
    else:
        why = "" if traits.exact_on_any_shape else f" {algorithm_name(settings.algorithm)} would draft other tokens with another tree."
    return f"Available for ERSD only: it writes the same text with every tree, so ranks along one text determine the steps of all.{why}"
