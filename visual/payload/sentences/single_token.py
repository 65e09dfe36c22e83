"""What a step would have given with a single drafted token, by the same clocks or coins."""

from __future__ import annotations

from ersd.trace.step import Step, Visit

from .formatting import plural
from .kinds.table import kind_of
from .nodes import drafted_token
from .numbers import number


def tokens_with_one(step: Step) -> int | None:
    """The tokens that the step would have given with its first drafted token only; None where that is not known."""
    root = step.root_visit
    kind = kind_of(root)
    if not root.tries or kind.single is None:
        return None
    is_accepted = kind.single(step, root)
    ends_text = is_accepted and root.accepted and len(step.emitted) == 1
    return 2 if is_accepted and not ends_text else 1


def single_token(step: Step) -> str:
    """The step with its first drafted token only; empty where nothing was drafted, or the rule does not tell."""
    root, count = step.root_visit, tokens_with_one(step)
    kind = kind_of(root)
    if count is None or kind.single is None:
        return ""
    is_accepted = kind.single(step, root)
    now = "the same as now" if count == len(step.emitted) else f"instead of {len(step.emitted)}"
    milder = ", as ρ is 1 for a single guess" if is_accepted and not root.tries[0].accepted else ""
    token, verdict = drafted_token(step, root.tries[0].vertex), "accepted" if is_accepted else "rejected"
    return f"If only one token had been drafted: {token} would be {verdict}, giving {plural(count, 'token')}, {now}{milder}.{_chance(root)}"


def _chance(root: Visit) -> str:
    """The probability that one drafted token is accepted at the root, where it is known: of a match for races, 1 - TV for coins.

    Nothing where the target can write one token only, as at temperature 0: no draw decides.
    """
    if any(row.p == 1 for row in root.rows):
        return ""
    one = root.match
    if kind_of(root).list and root.tv is not None:
        one = root.predicted if root.bias is not None else 1 - root.tv
    return f" Before the draw, a single token had a {number(100 * one)}% chance to be accepted." if one is not None else ""
