"""The speed-up of a run: over plain decoding on this machine, and for model pairs whose target calls cost more."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from ersd.costs import ON_H100, Costs, places
from ersd.trace.statistics import Statistics
from ersd.trace.step import Step

from ..message_types.run import Elsewhere
from ..message_types.step import CallTime, Gain, Speedup
from ..sentences.formatting import decimal, plural, rounded
from ..sentences.numbers import number, quotient

HELP = (
    "Expected: tokens per call · (a target call for one token + choosing it) / (drafting + a call for the tree + choosing every token), "
    "with the run’s figures up to this step. Costs that were measured are those of ERSD on an idle machine, and target calls lie on a "
    "straight line between 1, 5 and 17 tokens. The measured speed-up has the load and the rule of its run, and leaves out step 1. Weights "
    "read a call: decoding one sequence waits for memory and every call reads every weight once, so all target calls cost the same, and "
    "nothing but calls takes time"
)
RECORDED = "recording machine"


def elsewhere(costs: Costs | None, is_recorded: bool = False) -> list[Elsewhere]:
    """The pairs and machines to compare speed-ups on; that of `costs` comes first if they are known."""
    found = places(costs, RECORDED if is_recorded else "this machine")
    sent = [{**asdict(place), "label": f"{place.label}: {place.ratio:g}", "ratio": place.ratio, "help": HELP} for place in found]
    return cast("list[Elsewhere]", sent)


def values(
    step: Step, total: Statistics, costs: Costs | None, drafts: bool, baseline_ms: float | None, is_recorded: bool = False
) -> Speedup:
    """What is shown once `step` has been added to `total`.

    Args:
        step: the newest step.
        total: the figures of the run so far.
        costs: of the pair on the machine that ran it.
        drafts: whether the run drafts at all.
        baseline_ms: milliseconds per token without a draft; None: not known.
        is_recorded: the run was recorded, perhaps on another machine.
    """
    found, reason, why = gain(total, drafts, baseline_ms), "", ""
    baseline = None if baseline_ms is None else _as_printed(baseline_ms)
    if found["factor"] is not None and costs and baseline:
        gave, took = rounded(total.steady_tokens / (total.steps - 1)), rounded(total.steady_ms / (total.steps - 1) / baseline)
        if took:
            found["factor"] = rounded(gave / took)  # of the figures in the reason, so that readers get the same
            parts = _parts(took, total)
            machine = _machine(costs, is_recorded)
            reason = _reason(gave, took, parts, found["factor"], machine)
            why = _why(gave, took, parts, found["factor"], machine, total.per_call()[2])
    return {
        **found,
        "over": over(total.steps),
        "missing": _missing(found["factor"], costs, drafts),
        "reason": reason,
        "why": why,
        "hint": _hint(found["basis"], costs) if reason else "",
        "step": _this_step(step, total),
        "price": _price(step, costs),
        "alone": baseline,
        "call": _call(step, costs),
    }


def gain(total: Statistics, drafts: bool, baseline_ms: float | None) -> Gain:
    """The speed-up so far; nothing for a run without a draft.

    Returns:
        `factor`: measured here, at `baseline_ms` a token without a draft; `basis`: tokens, draft calls and scored tokens per call, from
        which the expected ones are computed (`Place.speedup`), rounded as they are printed, so that readers who compute get the same.
    """
    if not drafts or not total.steps:
        return {"factor": None, "basis": None}
    ms = total.ms_per_token
    factor = rounded(_as_printed(baseline_ms) / _as_printed(ms)) if baseline_ms and ms else None
    return {"factor": factor, "basis": total.per_call()}


def over(steps: int) -> str:
    """The steps that the times were measured in: all except the first, which also reads the prompt."""
    return {1: "from step 2 on", 2: "measured, step 2"}.get(steps, f"measured, steps 2–{steps}")


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
        return "time not recorded"
    return "step 1 reads the prompt" if factor is None else ""


def _parts(took: float, total: Statistics) -> tuple[float, float, float]:
    """`took` divided in the proportion of drafting, verifying and accepting; the printed parts add up to it."""
    accept_ms = total.steady_ms - total.steady_draft_ms - total.steady_target_ms
    draft, accept = (rounded(took * ms / total.steady_ms) for ms in (total.steady_draft_ms, max(0.0, accept_ms)))
    return draft, took - draft - accept, accept


def _machine(costs: Costs, is_recorded: bool) -> str:
    """Where the times were measured."""
    kind = "CPU" if costs.device == "cpu" else "GPU"
    return f"the {kind} it was recorded on" if is_recorded else f"this {kind}"


def _reason(gave: float, took: float, parts: tuple[float, float, float], factor: float, machine: str) -> str:
    """Why the run so far is faster or slower: the tokens that a call gave, and its time in tokens without a draft."""
    draft, verify, accept = map(decimal, parts)
    return (
        f"On {machine}, a call after the first gave {decimal(gave)} tokens in the time of {decimal(took)} without a draft "
        f"(draft {draft} + verify {verify} + accept {accept}): {decimal(gave)} ÷ {decimal(took)} = {decimal(factor)}"
    )


def _why(gave: float, took: float, parts: tuple[float, float, float], factor: float, machine: str, scored: float) -> str:
    """The same in one sentence for a headline; where the draft does not pay it names the part that takes more than it should."""
    draft, verify, _ = parts
    if factor > 1:
        gives = f"a step gives {decimal(gave)} tokens in the time that {decimal(took)} take without"
        return f"{decimal(factor)}× as fast as without a draft on {machine}: {gives}"
    speed = (
        f"No faster than without a draft on {machine}" if factor == 1 else f"Slower than without a draft on {machine}, {decimal(factor)}×"
    )
    if draft > verify - 1:
        blame = f"{decimal(draft)} of that for drafting"
    else:
        blame = f"{decimal(verify)} of that to check {decimal(scored, 1)} tokens in one call"
    return f"{speed}: a step gives {decimal(gave)} tokens, but takes as long as {decimal(took)} without, {blame}"


def _hint(basis: tuple[float, float, float] | None, costs: Costs | None) -> str:
    """What the same tokens per call are expected to give on a GPU, for a run on a CPU."""
    if costs is None or costs.device != "cpu" or costs.source != "model" or basis is None:
        return ""
    factor = next(place for place in places(costs) if place.label == ON_H100).speedup(*basis)
    return f"{ON_H100} is expected to reach {decimal(factor, 2 if factor < 9.995 else 1)}×"


def _this_step(step: Step, total: Statistics) -> str:
    """Milliseconds of the step; the printed sum comes out."""
    draft, verify, accept = parts = [round(step.draft_ms, 1), round(step.target_ms, 1), round(step.verify_ms, 1)]
    prompt = " with the prompt" if total.steps == 1 else ""
    return f"draft {draft:.1f} + verify {verify:.1f} + accept {accept:.1f} = {sum(parts):.1f} ms{prompt}"


def _price(step: Step, costs: Costs | None) -> str:
    """What the step's target call cost at load, against one for a single token; empty where that is not known."""
    size = 1 + len(step.tokens)
    if costs is None or size == 1 or costs.target_1_ms <= 0:
        return ""
    over_, under, value = quotient(costs.target_ms(size), [costs.target_1_ms])
    return f"measured at load, a call for {plural(size, 'token')} {over_} ms / for one {under[0]} ms = {value.removeprefix('> ')}"


def _call(step: Step, costs: Costs | None) -> CallTime | None:
    """What says whether the step's time says anything; None where costs are not known."""
    if costs is None or costs.target_1_ms <= 0:
        return None
    target = costs.target_ms(1 + len(step.tokens))
    return {"usual": target / costs.one_by_one_ms, "most": len(step.emitted) * costs.target_1_ms / target}
