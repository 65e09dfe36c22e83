"""Does a trace from elsewhere hang together? Whoever draws one relies on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..formatting import quoted
from ..settings import RANGES

if TYPE_CHECKING:
    from .model import Step, Trace

SOURCES = ("draft", "target")
STOPPED = ("end of text", "max_new_tokens", "end of context", "interrupted")


def check_trace(trace: Trace) -> None:
    """ValueError that names the place of the first thing that cannot be."""
    if trace.stopped not in STOPPED:
        raise ValueError(f"trace.stopped must be one of {', '.join(STOPPED)}, got {quoted(trace.stopped)}")
    for role in ("target", "draft"):
        if role not in trace.models:
            raise ValueError(f"trace.models.{role} is missing")
    for place, step in enumerate(trace.steps):
        check_step(step, f"trace.steps[{place}]")
        _need(step.index == place, f"trace.steps[{place}].index", str(place), step.index)
    emitted = [one.token for step in trace.steps for one in step.emitted]
    if trace.ranks:
        _need(len(trace.ranks.ranks) == len(emitted), "trace.ranks.ranks", f"as many as tokens, {len(emitted)}", len(trace.ranks.ranks))
    _need(trace.token_ids == emitted, "trace.token_ids", "the tokens that the steps emit", trace.token_ids)


def check_step(step: Step, where: str) -> None:
    """The same of one step."""
    count = len(step.tokens)
    most = int(RANGES["draft_tokens"].high)
    _need(count <= most, f"{where}.tokens", f"at most {most}", count)
    for name in ("parents", "depths", "draft_probs", "ranks", "texts"):
        _need(len(getattr(step, name)) == count, f"{where}.{name}", f"as many as tokens, {count}", len(getattr(step, name)))
    _need(len(step.draws) in (0, count), f"{where}.draws", f"as many as tokens, {count}, or none", len(step.draws))
    for vertex, parent in enumerate(step.parents):
        _need(-1 <= parent < vertex, f"{where}.parents[{vertex}]", "a vertex before it, or -1", parent)
        depth = 1 if parent < 0 else step.depths[parent] + 1
        _need(step.depths[vertex] == depth, f"{where}.depths[{vertex}]", str(depth), step.depths[vertex])
        _need(0 <= step.draft_probs[vertex] <= 1, f"{where}.draft_probs[{vertex}]", "a probability", step.draft_probs[vertex])
    _need(bool(step.walk), f"{where}.walk", "at least one visit", step.walk)
    _need(bool(step.emitted), f"{where}.emitted", "at least one token", step.emitted)
    emitted, chosen = ([one.token for one in each] for each in (step.emitted, step.walk))
    _need(emitted == chosen, f"{where}.emitted", f"the tokens that the walk chose, {chosen}", emitted)
    for place, one in enumerate(step.emitted):
        _need(one.source in SOURCES, f"{where}.emitted[{place}].source", " or ".join(SOURCES), one.source)
    for place, visit in enumerate(step.walk):
        _need(-1 <= visit.vertex < count, f"{where}.walk[{place}].vertex", "a vertex, or -1", visit.vertex)
        for tried in visit.tries:
            _need(0 <= tried.vertex < count, f"{where}.walk[{place}].tries", "of vertices of the tree", tried.vertex)
        accepted = sum(tried.accepted for tried in visit.tries)
        _need(accepted == visit.accepted, f"{where}.walk[{place}].tries", f"{visit.accepted:d} accepted one, as the visit says", accepted)
    for joint in step.block:
        _need(0 <= joint.vertex < count, f"{where}.block", "of vertices of the tree", joint.vertex)


def _need(holds: bool, where: str, words: str, value: object) -> None:
    if not holds:
        raise ValueError(f"{where} must be {words}, got {quoted(value)}")
