"""Sentences about block verification: how much of the drafted sequence is kept, and which coin decides."""

from __future__ import annotations

from ersd.trace.model import Step, Visit
from ersd.trace.token_states import kept

from .formatting import ordinal
from .nodes import chosen, drafted_token
from .numbers import apart


def block_decided(step: Step, visit: Visit) -> str:
    """What became of the token drafted at a node, and why."""
    sentence = block_reason(step, visit.tries[0].vertex)
    if visit.accepted:
        return sentence
    return f"{sentence} The next token {chosen(visit)} is drawn from the remaining target probability."


def block_rejected(step: Step, visit: Visit) -> dict[int, str]:
    """Why each token of the sequence is kept or cut, visited or not, by node."""
    return {one.vertex: block_reason(step, one.vertex) for one in step.block}


def block_ended(step: Step, visit: Visit) -> str:
    """Why the walk went no further."""
    count = kept(step)
    return f"The coins keep {f'only {count}' if count else 'none'} of the {len(step.block)} tokens: so the walk ended."


def block_single(step: Step, visit: Visit) -> bool:
    """Whether the same coin would keep the first token if it were the only one: it is then compared with min(1, p/q)."""
    return step.block[0].coin < step.block[0].joint


def block_margin(step: Step, visit: Visit) -> float | None:
    """Distance of the closest coin of the sequence from its keep probability."""
    return min((abs(one.coin - one.keep) for one in step.block), default=None)


def block_reason(step: Step, vertex: int) -> str:
    """Why the token of a node is kept or cut."""
    count = kept(step)
    return _cut(step, vertex, count) if vertex >= count else _kept(step, vertex, count)


def _cut(step: Step, vertex: int, count: int) -> str:
    coin, keep = _coin_and_keep(step, vertex)
    if len(step.block) == 1:
        return f"Cut: its coin, {coin}, is not below its keep probability, {keep}, so nothing stays."
    own = f"the coin of {drafted_token(step, vertex)} is {coin}, its keep {keep}"
    if not count:
        none = f"at none of the {len(step.block)} tokens is the coin below its keep probability ({own})"
        return f"Cut: {none}, so nothing stays."
    last = f"the last token whose coin is below its keep probability is the {ordinal(count)} ({own})"
    return f"Cut: {last}, so only {_first_tokens(count)}."


def _kept(step: Step, vertex: int, count: int) -> str:
    last = count - 1
    coin, keep = _coin_and_keep(step, last)
    why = f"Kept: the coin at the {ordinal(count)} token, {coin}, is below its keep probability, {keep}, so {_first_tokens(count)}."
    if vertex == last:
        return why
    coin, keep = _coin_and_keep(step, vertex)
    below = "is below" if step.block[vertex].coin < step.block[vertex].keep else "is not below"
    return f"{why} Its own coin, {coin}, {below} its keep probability, {keep}."


def _coin_and_keep(step: Step, vertex: int) -> tuple[str, str]:
    return apart(step.block[vertex].coin, step.block[vertex].keep)


def _first_tokens(count: int) -> str:
    return "the first token stays" if count == 1 else f"the first {count} tokens stay"
