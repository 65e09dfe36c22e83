"""Sentences about rules that decide about a drafted sequence as a whole: up to where it is kept, and by which coin."""

from __future__ import annotations

from ersd.trace.model import Step, Visit
from ersd.trace.token_states import kept

from .formatting import ordinal, quoted, visible
from .numbers import apart
from .visits import chosen


def block_decided(step: Step, visit: Visit) -> str:
    """What was decided about the token drafted at a visited vertex."""
    words = joint(step, visit.tries[0].vertex)
    if visit.accepted:
        return words
    return f"{words} The next token {chosen(visit)} is drawn from what is left of P."


def block_lost(step: Step, visit: Visit) -> dict[int, str]:
    """Why each token of the sequence stays or is cut, visited or not."""
    return {one.vertex: joint(step, one.vertex) for one in step.block}


def block_ended(step: Step, visit: Visit) -> str:
    """Why the walk went no further."""
    stay = kept(step)
    return f"The coins keep {f'only {stay}' if stay else 'none'} of the {len(step.block)} tokens: so the walk ended."


def block_alone(step: Step, visit: Visit) -> bool:
    """Would the first token have been kept alone, by the same coin? It is then compared with min(1, p/q)."""
    return step.block[0].coin < step.block[0].joint


def joint(step: Step, vertex: int) -> str:
    """Why the token of a vertex was kept or cut."""
    return _cut(step, vertex, kept(step)) if vertex >= kept(step) else _kept(step, vertex, kept(step))


def _cut(step: Step, vertex: int, stay: int) -> str:
    coin, keep = _coin_and_keep(step, vertex)
    if len(step.block) == 1:
        return f"Cut: its coin, {coin}, is not below its keep probability, {keep}, so nothing of the sequence stays."
    name = quoted(visible(step.texts[vertex], step.tokens[vertex]))
    own = f"the coin of {name} is {coin}, its keep {keep}"
    if not stay:
        none = f"at none of the {len(step.block)} tokens is the coin below its keep probability ({own})"
        return f"Cut: {none}, so nothing of the sequence stays."
    last = f"the last token whose coin is below its keep probability is the {ordinal(stay)} ({own})"
    return f"Cut: {last}, so only {_first_tokens(stay)}."


def _kept(step: Step, vertex: int, stay: int) -> str:
    last = stay - 1
    coin, keep = _coin_and_keep(step, last)
    words = f"Kept: the coin at the {ordinal(stay)} token, {coin}, is below its keep probability, {keep}, so {_first_tokens(stay)}."
    if vertex == last:
        return words
    coin, keep = _coin_and_keep(step, vertex)
    below = "is below" if step.block[vertex].coin < step.block[vertex].keep else "is not below"
    return f"{words} Its own coin, {coin}, {below} its keep probability, {keep}."


def _coin_and_keep(step: Step, vertex: int) -> tuple[str, str]:
    return apart(step.block[vertex].coin, step.block[vertex].keep)


def _first_tokens(count: int) -> str:
    return "the first token stays" if count == 1 else f"the first {count} tokens stay"
