"""The speed-up of a run: over plain decoding on this machine, and for model pairs whose target calls cost more."""

from __future__ import annotations

from typing import Any

from ersd.models.costs import ON_H100, Costs, places
from ersd.theory.speed import speedup
from ersd.trace.model import Step
from ersd.trace.statistics import Statistics

from .sentences.formatting import decimal, plural, rounded
from .sentences.numbers import Quotient, number, quotient

HELP = (
    "tokens per call · c / (C + draft levels per call), up to this step: a target call on one token costs c draft levels, on a tree C. "
    "Weights read a call: decoding one sequence waits for memory, and every call reads every weight once, so C is c. At load: measured "
    "when the models were loaded, with 0, 4 and 16 drafted tokens, in turns with the draft as in a run, and C on a straight line between "
    "them. All else that a run does takes no time here"
)


RECORDED = "the machine it was recorded on"


def elsewhere(costs: Costs | None, is_recorded: bool = False) -> list[dict[str, Any]]:
    """Other model pairs (`Elsewhere` in types.js), in the order of `values`; the machine of `costs` comes first if they are known."""
    return [
        {"label": f"{place.label}: {place.ratio:g}", "ratio": place.ratio, "calls": place.calls, "source": place.source, "help": HELP}
        for place in places(costs, RECORDED if is_recorded else "this machine")
    ]


def values(
    step: Step, total: Statistics, costs: Costs | None, drafts: bool, baseline_ms: float | None, is_recorded: bool = False
) -> dict[str, Any]:
    """What is shown once `step` has been added to `total` (`Speedup` in types.js).

    Args:
        step: the newest step.
        total: the figures of the run so far.
        costs: of the pair on the machine that ran it.
        drafts: whether the run drafts at all.
        baseline_ms: milliseconds per token without a draft; None: not known.
        is_recorded: the run was recorded, perhaps on another machine.
    """
    found, reason = gain(total, costs, drafts, baseline_ms), ""
    baseline = None if baseline_ms is None else _as_printed(baseline_ms)
    if found["factor"] is not None and costs and baseline:
        gave, took = rounded(total.steady_tokens / (total.steps - 1)), rounded(total.steady_ms / (total.steps - 1) / baseline)
        if took:
            found["factor"] = rounded(gave / took)  # of the figures in the reason, so that readers get the same
            reason = _reason(gave, took, total, found["factor"], costs, is_recorded)
    sentences = {
        "over": over(total.steps),
        "missing": _missing(found["factor"], costs, drafts),
        "reason": reason,
        "hint": _hint(found["elsewhere"], costs) if reason else "",
        "step": _this_step(step, total, costs, baseline),
    }
    return {**found, **sentences, "alone": baseline}


def gain(total: Statistics, costs: Costs | None, drafts: bool, baseline_ms: float | None) -> dict[str, Any]:
    """The speed-up so far; nothing for a run without a draft.

    Returns:
        `factor`: here, at `baseline_ms` a token without a draft; `elsewhere`: by the pairs there, computed from `basis`: tokens, draft
        levels and scored tokens per call.
    """
    if not drafts or not total.steps:
        return {"factor": None, "elsewhere": [], "basis": None}
    # rounded as they are printed, here and in the card What if, so that readers who compute it again get the same
    per_call, levels = (rounded(count / total.steps) for count in (total.tokens, total.draft_calls))
    scored = round(total.drafted / total.steps + 1, 3)
    there = [speedup(per_call, place.ratio, levels, place.call(scored)) for place in places(costs)]
    ms = total.ms_per_token
    factor = rounded(_as_printed(baseline_ms) / _as_printed(ms)) if baseline_ms and ms else None
    return {"factor": factor, "elsewhere": there, "basis": [per_call, levels, scored]}


def over(steps: int) -> str:
    """The steps that times are taken over: all except the first, which also reads the prompt."""
    return {1: "from step 2 on", 2: "step 2"}.get(steps, f"steps 2–{steps}")


def milliseconds(ms: float) -> str:
    """Milliseconds of a token, three digits."""
    return number(ms, 3)


def _as_printed(ms: float) -> float:
    """The printed number; `ms` itself where only a bound is printed."""
    printed = milliseconds(ms)
    return ms if printed[0] in "<>" else float(printed.replace(",", ""))


def _missing(factor: float | None, costs: Costs | None, drafts: bool) -> str:
    """Why there is no factor; empty where there is one."""
    if not drafts:
        return "this run has no draft"
    if costs is None:
        return "not recorded with this run"
    return "step 1 reads the prompt" if factor is None else ""


def _reason(gave: float, took: float, total: Statistics, factor: float, costs: Costs, is_recorded: bool) -> str:
    """Why the run so far is faster or slower: the tokens that a call gave, and its time in tokens without a draft.

    `took` is divided in the proportion of the three phases; the printed parts add up to it.
    """
    machine = "CPU" if costs.device == "cpu" else "GPU"
    where = f"On the {machine} it was recorded on" if is_recorded else f"On this {machine}"
    accept_ms = total.steady_ms - total.steady_draft_ms - total.steady_target_ms
    draft, accept = (rounded(took * ms / total.steady_ms) for ms in (total.steady_draft_ms, max(0.0, accept_ms)))
    return (
        f"{where}, a call after the first gave {decimal(gave)} tokens in the time of {decimal(took)} without a draft "
        f"(draft {decimal(draft)} + verify {decimal(took - draft - accept)} + accept {decimal(accept)}): "
        f"{decimal(gave)} ÷ {decimal(took)} = {decimal(factor)}"
    )


def _hint(there: list[float], costs: Costs | None) -> str:
    """What the same tokens per call would give on a GPU, for a run on a CPU: `gain`'s value for the pair measured on an H100."""
    if costs is None or costs.device != "cpu":
        return ""
    labels = [place.label for place in places(costs)]
    factor = there[labels.index(ON_H100)]
    return f"1B → 8B on an H100 would reach {decimal(factor, 2 if factor < 9.995 else 1)}×"


def _price(size: int, costs: Costs) -> Quotient:
    return quotient(costs.target_ms(size), [costs.target_1_ms])


def _this_step(step: Step, total: Statistics, costs: Costs | None, baseline: float | None) -> str:
    """Milliseconds of the step and of as many tokens without a draft; the printed sum and product come out."""
    parts = [round(step.draft_ms, 1), round(step.target_ms, 1), round(step.verify_ms, 1)]
    draft, verify, accept = parts
    prompt = " with the prompt" if total.steps == 1 else ""
    text = f"draft {draft:.1f} + verify {verify:.1f} + accept {accept:.1f} = {sum(parts):.1f} ms{prompt}"
    if baseline is None:
        return text
    count, size = len(step.emitted), 1 + len(step.tokens)
    text += f"; without a draft {plural(count, 'token')} · {milliseconds(baseline)} = {decimal(count * baseline, 1)} ms"
    if costs is None or size == 1 or costs.target_1_ms <= 0:
        return text
    over_, under, value = _price(size, costs)
    return f"{text}; measured at load, a call for {plural(size, 'token')} {over_} ms / for one {under[0]} ms = {value.removeprefix('> ')}"
