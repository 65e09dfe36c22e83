"""The draft tree of a step, drawn with lines and signs."""

from __future__ import annotations

from collections.abc import Iterator

from ..formatting import visible
from ..trace.model import Step
from ..trace.token_states import states
from .paint import BLUE, DIM, GREEN, RED, Paint

SIGNS = {"accepted": ("✓", GREEN), "rejected": ("✕", RED), "open": ("·", DIM)}
"""What became of a vertex -> its sign and colour."""
ROOT = -1
LEAST = 0.001
"""The least probability that is written out."""
CONTEXT = 40
"""Characters of the text in front of the tree that are shown."""


def drawn(step: Step, before: str, paint: Paint) -> Iterator[str]:
    """The tree of a step line by line, a line per vertex: sign, token, draft probability. `before` is the text in front of it.

    Children stand in the draft's order; the target's own token, where the walk ended with one, stands behind them.
    """
    yield f"step {step.index + 1}: {step.accepted} of {len(step.tokens)} drafted tokens accepted"
    yield paint(DIM, "…" * (len(before) > CONTEXT) + "".join(map(visible, before[-CONTEXT:])))
    yield from _below(ROOT, "", step, states(step), _children(step), paint)


def _children(step: Step) -> dict[int, list[int]]:
    table: dict[int, list[int]] = {}
    for child in sorted(range(len(step.tokens)), key=lambda child: step.ranks[child]):
        table.setdefault(step.parents[child], []).append(child)
    return table


def _below(vertex: int, indent: str, step: Step, found: list[str], children: dict[int, list[int]], paint: Paint) -> Iterator[str]:
    """The lines below a vertex, each behind `indent`."""
    end = step.walk[-1] if step.walk else None
    lines: list[tuple[int | None, str, str]] = [(child, *_line(child, step, found, paint)) for child in children.get(vertex, [])]
    if end is not None and not end.accepted and end.vertex == vertex:
        lines.append((None, paint(BLUE, f"★ {visible(end.text, end.token)}"), "the target's own"))
    for place, (child, name, note) in enumerate(lines, 1):
        last = place == len(lines)
        yield f"{indent}{'└─' if last else '├─'} {name}  {paint(DIM, note)}".rstrip()
        if child is not None:
            yield from _below(child, indent + ("   " if last else "│  "), step, found, children, paint)


def _line(vertex: int, step: Step, found: list[str], paint: Paint) -> tuple[str, str]:
    """Sign and token of a vertex, and its draft probability."""
    sign, colour = SIGNS[found[vertex]]
    times = f", drawn {step.draws[vertex]} times" if step.draws and step.draws[vertex] > 1 else ""
    name = visible(step.texts[vertex], step.tokens[vertex])
    q = step.draft_probs[vertex]
    return paint(colour, f"{sign} {name}"), f"{f'q = {q:.3f}' if q >= LEAST else f'q < {LEAST}'}{times}"


def legend(paint: Paint) -> str:
    """What the signs mean."""
    meaning = {"accepted": "accepted", "rejected": "tried, not accepted", "open": "not tried"}
    signs = [paint(SIGNS[state][1], f"{SIGNS[state][0]} {words}") for state, words in meaning.items()]
    return "  ".join([*signs, paint(BLUE, "★ the target's own")])
