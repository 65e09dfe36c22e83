"""The draft tree of one step, as the browser draws it: where every vertex stands, what became of it and why."""

from __future__ import annotations

from typing import Any

from ersd.trace.model import Step
from ersd.trace.token_states import states

from .sentences.explain import reasons
from .sentences.formatting import ending, visible
from .sentences.numbers import brief
from .sentences.visits import chosen_name
from .tree_layout import place

ROOT_COLUMNS = 40
"""Characters of the text so far that are sent for the root; the browser shows as many as there is room for."""


def data(step: Step, context: str) -> dict[str, Any]:
    """What the browser needs to draw the step's tree (`Tree` of page/player/types.js).

    Args:
        step: the step to draw.
        context: the text before the step; its end is the label of the root.
    """
    names = [visible(text, token) for text, token in zip(step.texts, step.tokens, strict=True)]
    parents, ranks, found = list(step.parents), list(step.ranks), states(step)
    if step.walk and not step.walk[-1].accepted:  # the target's own token hangs on where the walk ended, behind all children
        names.append(chosen_name(step.walk[-1]))
        parents.append(step.walk[-1].vertex)
        ranks.append(len(step.tokens) + 1)
        found.append("target")
    places = place(parents, ranks)
    return {
        "root": ending(context, ROOT_COLUMNS),
        "next": ending(context + "".join(one.text for one in step.emitted), ROOT_COLUMNS),
        "names": names,
        "parents": parents,
        "states": found,
        "columns": places.columns,
        "lanes": places.lanes,
        "q": [brief(q, 3) for q in step.draft_probs],
        "ranks": step.ranks,
        "draws": step.draws,
        "call_of": step.call_of,
        "why": reasons(step),
    }
