"""Block verification: how much of the drafted sequence is kept, and which coin decides."""

from __future__ import annotations

from ersd.trace.step import Step, Visit, kept

from ..formatting import ordinal
from ..nodes import chosen, chosen_row
from ..numbers import apart
from .choice import arrow
from .coins import APART, REDRAWN
from .kind import Kind
from .neutral import any_leaf, before_leaf


def block_decided(step: Step, visit: Visit) -> str:
    """What became of the token drafted at a node, and why."""
    node = visit.tries[0].vertex
    if visit.accepted:
        return block_reason(step, node)
    return f"{_rule(kept(step))} Then {chosen(visit)} is drawn from the remaining target probability."


def block_leaf(step: Step, visit: Visit) -> str:
    """The token drawn where the sequence ends, and the coin that kept the whole sequence."""
    return f"{any_leaf(step, visit)}{before_leaf(step, visit, 'Choice', _kept_whole)}"


def _kept_whole(step: Step, visit: Visit) -> str:
    """The coin of the last token of a sequence that was kept, and what its token is for both models."""
    row, last = chosen_row(visit), step.block[-1]
    coin, keep = apart(last.coin, last.keep)
    likely = f" (from draft to target {arrow(row)})" if row else ""
    stay = f"all {len(step.block)} stay" if len(step.block) > 1 else "it stays"
    return f"{chosen(visit)}{likely} has a coin of {coin}, below {keep}, so {stay}."


def block_rejected(step: Step, visit: Visit) -> dict[int, str]:
    """Why each token of the sequence is kept or cut, visited or not, by node."""
    return {one.vertex: block_reason(step, one.vertex) for one in step.block}


def block_single(step: Step, visit: Visit) -> bool:
    """Whether the same coin would keep the first token if it were the only one: it is then compared with min(1, p/q)."""
    return step.block[0].coin < step.block[0].joint


def block_margin(step: Step, visit: Visit) -> float | None:
    """Distance of the closest coin of the sequence from its keep probability."""
    return min((abs(one.coin - one.keep) for one in step.block), default=None)


def block_reason(step: Step, node: int) -> str:
    """Why the token of a node is kept or cut."""
    count = kept(step)
    coin, keep = apart(step.block[node].coin, step.block[node].keep)
    fate = "Cut" if node >= count else "Kept"
    return f"{fate}: its coin is {coin}, its keep probability {keep}. {_rule(count)}"


def _rule(count: int) -> str:
    """How far the tokens are kept."""
    if not count:
        return "No coin is below its keep probability, so no token is kept."
    return f"Tokens are kept up to the last one whose coin is below its keep probability: here the {ordinal(count)}."


BLOCK = Kind(
    exact_because=REDRAWN,
    decided=block_decided,
    at_leaf=block_leaf,
    rejected=block_rejected,
    idea=f"Fresh coins decide how many guesses stay: kept up to the last coin below its keep probability. {APART}",
    idea_at_leaf=f"The target’s token is drawn from p. {APART}",
    fates={"accepted": "kept", "rejected": "cut"},
    legend=("filled: keep probability", "diamond: the coin"),
    tried="rejected",
    list="sequence",
    none_right="no guess survived its coin",
    single=block_single,
    margin=block_margin,
    nearness="the distance of a coin from its keep probability",
    story={
        "guess": "The draft draws a sequence of guesses from its own probabilities q.",
        "scored": "The target’s probabilities p have arrived: now coins can decide about the guesses.",
        "deciding": "The coins of the whole sequence say how much of it stays: does it go on here?",
        "at_leaf": "Nothing was drafted here: the target’s token is drawn from p, from the same call.",
    },
)
