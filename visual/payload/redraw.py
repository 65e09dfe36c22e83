"""Redraw a step without running it: what the browser needs to draw a recorded step at another temperature or with fewer drafted tokens."""

from __future__ import annotations

from ersd.drafts.topologies import TREES
from ersd.rules.registry import TRAITS
from ersd.settings import Settings
from ersd.trace.step import Visit
from ersd.trace.temperatures import TEMPERATURES, is_recorded_for

from .message_types.kit import RedrawKit
from .message_types.step import OtherTemperatures
from .sentences.formatting import token_label
from .sentences.names import topology_name
from .sentences.numbers import brief

DIGITS = 9
"""Of the numbers of a race that can be redrawn: its winner is computed from them, not only printed."""

WORDS: dict[str, str] = {
    "what_if": "What if",
    "step": "What if, step {step}",
    "at_least": "at least ",
    "and": "and",
    "then": "then it needs a run",
    "needs_run": "From here on it needs a run.",
    "other_text": "Another text from here on.",
    "same_text": "The recorded text goes on.",
    "tokens": "from this call; recorded: {recorded}",
    "kept": "{count} accepted",
    "other": "another text",
    "run": "needs a run",
    "recorded": "recorded {value}",
    "hover": "what if: not part of the run",
    "unscored": "Never scored: only a run can say what the draft guesses here.",
    "unscored_target": "The target never scored what follows this guess.",
    "close": "Two arrivals here are too close to tell apart.",
    "leaf": "The draft was never asked for guesses here.",
    "ranks": "Only the draft’s first arrivals were recorded here, and the target’s is not among them.",
    "was": "was",
    "instead": "was",
    "fresh": "new guess",
    "not_reached": "was not reached",
    "accepted": "{name} would arrive first in the target’s race. It would be the draft’s {rank}, so it would be accepted.",
    "rejected": "{name} would arrive first in the target’s race. It would not be among the guesses, so the step would end with it.",
    "at_leaf": "{name} would arrive first in the target’s race. Nothing would be guessed here.",
    "redrawn": "redrawn from recorded probabilities",
    "old": "This run was recorded without the probabilities at other temperatures: generate it again for this slider.",
    "wait": "This slider needs the whole run: wait until it has finished.",
    "unknown_shape": "The trees of this step with fewer drafted tokens do not follow from what was recorded.",
    "too_long": "The prompt is too long for a link: set temperature and k beside the prompt and press Generate.",
    "branching": "The branching sets the size of a SpecInfer tree: k changes nothing.",
}
"""Texts of the view; {…} is filled in by the browser."""

KIT: RedrawKit = {"temperatures": list(TEMPERATURES), "words": WORDS}
"""What the browser needs once."""


def refusal(settings: Settings) -> str:
    """Why the steps of a run cannot be redrawn; empty where they can."""
    if is_recorded_for(settings):
        return ""
    traits = TRAITS[settings.algorithm]
    if not traits.drafts:
        why = "this run drafted nothing."
    elif not traits.shares_clocks:
        why = "only shared races can be redrawn, since their clocks stay the same. This rule decides in another way."
    elif TREES[settings.topology].while_drafting:
        why = f"the shape of a {topology_name(settings.topology)} depends on the temperature and on k."
    elif settings.top_k or settings.top_p < 1:
        why = "top-k or top-p cut probabilities off, and what was cut off is not recorded."
    else:
        why = f"at temperature {settings.temperature:g} nearly all probability is on one token, and the others’ is not recorded."
    return f"Needs a run: {why}"


def others(visit: Visit) -> OtherTemperatures | None:
    """What the race of a visit needs at other temperatures; None where it was not recorded."""
    found = visit.other_temperatures
    if found is None:
        return None
    return {
        "names": [token_label(text, token) for text, token in zip(found.texts, found.tokens, strict=True)],
        "p": [brief(value, DIGITS) for value in found.p],
        "q": [brief(value, DIGITS) for value in found.q],
        "clock": [brief(value, DIGITS) for value in found.clocks],
        "ranks": found.ranks,
        "log_p": found.log_p_sums,
        "log_q": found.log_q_sums,
    }
