"""Reading a trace from JSON: its fields by pydantic, then that the parts fit together. Pictures rely on both."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from ..draft_tree import ROOT
from ..formatting import quoted, truncated
from ..settings import RANGES, Settings
from .model import OLDEST_VERSION, VERSION, Trace
from .step import Step
from .temperatures import TEMPERATURES, OtherTemperatures

ORIGINS = ("draft", "target")
STOPPED = ("end of text", "max_new_tokens", "end of context", "interrupted")
MAX_ERRORS = 100_000
"""Errors described to find the first one: pydantic describes all at 6 µs and 1 kB each. A recorded trace has fewer parts."""


def read_trace(text: str) -> Trace:
    """The trace of `Trace.to_json`; ValueError naming the field, what it must be and what it is."""
    try:
        trace = _TRACE.validate_json(text)
    except ValidationError as error:
        if error.error_count() > MAX_ERRORS:
            raise ValueError(f"this is not a trace: {error.error_count():,} of its parts are wrong") from None
        raise ValueError(_message(error.errors(include_url=False)[0])) from None
    check_trace(trace)
    return trace


def _unpacked(data: Any) -> Any:
    """The fields of a trace of this version, its settings already checked in their own words."""
    if not isinstance(data, dict) or data.pop("version", None) not in range(OLDEST_VERSION, VERSION + 1):
        raise ValueError(f"this is not a trace of version {OLDEST_VERSION} to {VERSION}")
    if isinstance(data.get("settings"), dict):
        data["settings"] = Settings.from_dict(data["settings"])
    steps = data.get("steps")
    for step in steps if isinstance(steps, list) else ():
        if isinstance(step, dict):
            step.pop("states", None)  # follows from the rest
    return data


_TRACE: TypeAdapter[Trace] = TypeAdapter(Annotated[Trace, BeforeValidator(_unpacked)])

_EXPECTED = {
    "bool_type": "true or false",
    "string_type": "text of whole characters",
    "list_type": "a list",
    "dict_type": "a list of named values",
    "dataclass_type": "a list of named values",
    "float_type": "a number",
    "finite_number": "a number",
}
"""pydantic's type of error -> what must stand there; all others are about whole numbers and their bounds."""


def _message(problem: ErrorDetails) -> str:
    """One sentence about the first thing pydantic refuses."""
    kind, path = problem["type"], problem["loc"]
    if kind == "value_error":  # raised in this module or by Settings, as a whole sentence
        return str(problem["ctx"]["error"])
    if not path:
        return f"this is not JSON: {problem['msg']}"
    if kind == "unexpected_keyword_argument":
        return f"{_where(path[:-1])} has no part called {quoted(path[-1])}"
    if kind == "missing":
        return f"{_where(path)} is missing"
    return f"{_where(path)} must be {_EXPECTED.get(kind, 'a whole number')}, got {quoted(problem['input'])}"


def _where(path: tuple[int | str, ...]) -> str:
    return "trace" + "".join(f"[{part}]" if isinstance(part, int) else f".{truncated(part)}" for part in path)


def check_trace(trace: Trace) -> None:
    """Validate a whole trace; raise ValueError naming the field."""
    if trace.stopped not in STOPPED:
        raise ValueError(f"trace.stopped must be one of {', '.join(STOPPED)}, got {quoted(trace.stopped)}")
    for role in ("target", "draft"):
        if role not in trace.models:
            raise ValueError(f"trace.models.{role} is missing")
    for index, step in enumerate(trace.steps):
        check_step(step, f"trace.steps[{index}]")
        _need(step.index == index, f"trace.steps[{index}].index", str(index), step.index)
    emitted = [one.token for step in trace.steps for one in step.emitted]
    if trace.ranks:
        _need(len(trace.ranks.ranks) == len(emitted), "trace.ranks.ranks", f"as many as tokens, {len(emitted)}", len(trace.ranks.ranks))
    _need(trace.token_ids == emitted, "trace.token_ids", "the tokens that the steps emit", trace.token_ids)


def check_step(step: Step, where: str) -> None:
    """Validate a step; raise ValueError naming the field."""
    count = len(step.tokens)
    most = int(RANGES["draft_tokens"].high)
    _need(count <= most, f"{where}.tokens", f"at most {most}", count)
    for name in ("parents", "depths", "draft_probs", "ranks", "texts"):
        _need(len(getattr(step, name)) == count, f"{where}.{name}", f"as many as tokens, {count}", len(getattr(step, name)))
    _need(len(step.draws) in (0, count), f"{where}.draws", f"as many as tokens, {count}, or none", len(step.draws))
    for node, parent in enumerate(step.parents):
        _need(-1 <= parent < node, f"{where}.parents[{node}]", "a node before it, or -1", parent)
        depth = 1 if parent < 0 else step.depths[parent] + 1
        _need(step.depths[node] == depth, f"{where}.depths[{node}]", str(depth), step.depths[node])
        _need(0 <= step.draft_probs[node] <= 1, f"{where}.draft_probs[{node}]", "a probability", step.draft_probs[node])
    _need(bool(step.walk), f"{where}.walk", "at least one visit", step.walk)
    _need(bool(step.emitted), f"{where}.emitted", "at least one token", step.emitted)
    for index, one in enumerate(step.emitted):
        _need(one.source in ORIGINS, f"{where}.emitted[{index}].source", " or ".join(ORIGINS), one.source)
    _check_path(step, where)
    if step.routing:
        names = set(step.routing.weights)
        _need(step.routing.source in names, f"{where}.routing.source", "one of its weights", step.routing.source)
        _need(set(step.routing.losses) <= names, f"{where}.routing.losses", "of sources with a weight", ", ".join(step.routing.losses))
        for name, weight in step.routing.weights.items():
            _need(0 <= weight <= 1, f"{where}.routing.weights.{truncated(name)}", "from 0 to 1", weight)
    for name, spans in (("draft_calls_ms", step.draft_calls_ms), ("target_call_ms", [step.target_call_ms] if step.target_call_ms else [])):
        for span in spans:
            _need(len(span) == 2 and 0 <= span[0] <= span[1], f"{where}.{name}", "start and end in milliseconds", span)
    for index, visit in enumerate(step.walk):
        _need(-1 <= visit.vertex < count, f"{where}.walk[{index}].vertex", "a node, or -1", visit.vertex)
        for tried in visit.tries:
            _need(0 <= tried.vertex < count, f"{where}.walk[{index}].tries", "of nodes of the tree", tried.vertex)
        if visit.other_temperatures:
            _check_temperatures(visit.other_temperatures, f"{where}.walk[{index}].other_temperatures")
        accepted = sum(tried.accepted for tried in visit.tries)
        _need(accepted == visit.accepted, f"{where}.walk[{index}].tries", f"{visit.accepted:d} accepted one, as the visit says", accepted)
    _need(any(visit.vertex == ROOT for visit in step.walk), f"{where}.walk", "at least a visit of the root", "none")
    for joint in step.block:
        _need(0 <= joint.vertex < count, f"{where}.block", "of nodes of the tree", joint.vertex)


def _check_temperatures(others: OtherTemperatures, where: str) -> None:
    """Columns are as long as they must be: without a draft, those of the draft are empty."""
    tokens, sums = len(others.tokens), len(TEMPERATURES)
    drafted = bool(others.log_q_sums)
    lengths = {"texts": tokens, "p": tokens, "clocks": tokens, "log_p_sums": sums, "q": drafted * tokens, "log_q_sums": drafted * sums}
    for name, length in lengths.items():
        _need(len(getattr(others, name)) == length, f"{where}.{name}", f"{length} numbers or texts", len(getattr(others, name)))


def _check_path(step: Step, where: str) -> None:
    """The emitted tokens are a path of the tree, then at most one of the target's own; the decisions on the way chose them."""
    chosen = {visit.vertex: visit.token for visit in step.walk}
    node: int | None = ROOT
    for index, one in enumerate(step.emitted):
        place = f"{where}.emitted[{index}]"
        _need(node is not None, place, "the last token, since it comes after one of the target's own", one.token)
        assert node is not None
        _need(chosen.get(node, one.token) == one.token, place, f"the token that the walk chose, {chosen.get(node)}", one.token)
        if one.source == "target":
            node = None
            continue
        child = next((child for child, parent in enumerate(step.parents) if parent == node and step.tokens[child] == one.token), None)
        _need(child is not None, place, "a drafted token after the one before it", one.token)
        node = child


def _need(holds: bool, where: str, expected: str, value: object) -> None:
    if not holds:
        raise ValueError(f"{where} must be {expected}, got {quoted(value)}")
