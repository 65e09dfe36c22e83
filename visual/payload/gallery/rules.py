"""Cards about methods: what each is good at, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

from ersd.trace.model import Trace
from ersd.trace.step import Step, Visit

from ..sentences.formatting import decimal
from ..sentences.nodes import chosen, drafted_token
from ..sentences.numbers import digits_apart, equal, number
from .card import Card, View, longest_step, settings


def _first_try(step: Step) -> tuple[float, float]:
    """Quotient and coin of the first drafted token, for a rule with coins."""
    one = step.walk[0].tries[0]
    return one.ratio or 0.0, one.coin or 0.0


def _per_call(trace: Trace) -> str:
    return decimal(trace.stats["tokens_per_call"])


# --- ERSD and standard ------------------------------------------------------------------------------------------------------------------


def _find_faster(traces: Sequence[Trace]) -> list[View] | None:
    races, coins = traces
    if len(races.token_ids) != len(coins.token_ids) or len(coins.steps) - len(races.steps) < 4:
        return None
    return [View(longest_step(trace).index) for trace in traces]


def _tell_faster(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    races, coins = traces
    k = races.settings.draft_tokens
    return (
        f"Same prompt, same seed, k = {k}: ERSD on a τ* tree wrote {len(races.token_ids)} tokens in {len(races.steps)} target calls. "
        f"Coins on one sequence (standard) took {len(coins.steps)} calls.",
        "With this seed, ERSD writes the same text as without a draft. Standard writes another text from the same distribution.",
    )


# --- greedy -----------------------------------------------------------------------------------------------------------------------------


def _find_long_path(trace: Trace, least: int) -> list[View] | None:
    longest = longest_step(trace)
    return [View(longest.index)] if longest.accepted >= least and longest.emitted[-1].source == "target" else None


def _tell_greedy(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,), (view,) = traces, views
    step = trace.steps[view.step]
    return (
        f"At temperature 0 the target’s likeliest token always wins, so the text is the target’s own: {len(trace.token_ids)} tokens in "
        f"{len(trace.steps)} calls, {_per_call(trace)} tokens per call.",
        f"In step {view.step + 1} the target agreed with {step.accepted} guesses in a row, so one call gave {len(step.emitted)} tokens.",
    )


# --- lossy ------------------------------------------------------------------------------------------------------------------------------

UNLIKELY, LIKED = 0.001, 0.1
"""The target would choose a token less often than UNLIKELY, so it is wrong; the draft more often than LIKED, so it is no mishap."""


def _unlikeliest(trace: Trace) -> tuple[Step, Visit] | None:
    """The accepted token that the target likes least, of those that the draft likes."""
    liked = [(step, visit) for step in trace.steps for visit in step.walk if visit.accepted and visit.tries[-1].q > LIKED]
    return min(liked, key=lambda pair: pair[1].tries[-1].p, default=None)


def _find_wrong(traces: Sequence[Trace]) -> list[View] | None:
    found = _unlikeliest(traces[0])
    return [View(found[0].index, found[1].vertex)] if found and found[1].tries[-1].p < UNLIKELY else None


def _tell_wrong(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,), (view,) = traces, views
    step = trace.steps[view.step]
    visit = next(visit for visit in step.walk if visit.vertex == view.vertex)
    one, leniency = visit.tries[-1], trace.settings.leniency
    return (
        f"With leniency {leniency:g}, step {step.index + 1} accepted {chosen(visit)}. The draft likes it ({equal('q', one.q)}), "
        f"but the target hardly ever writes it ({equal('p', one.p)}).",
        f"The run is fast, {_per_call(trace)} tokens per call, but wrong: its distribution is off by {leniency:g} × TV(P, Q) at each "
        f"drafted token, {number(trace.stats['bias_drafted'])} on average here.",
    )


# --- a large tree -----------------------------------------------------------------------------------------------------------------------


def _tell_large(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,), (view,) = traces, views
    step = trace.steps[view.step]
    return (
        f"In step {view.step + 1}, one target call checked {len(step.tokens)} drafted tokens on {max(step.depths)} levels and gave "
        f"{len(step.emitted)} tokens.",
        f"In {len(trace.steps)} steps, {trace.stats['accepted']} of {trace.stats['drafted']:,} guesses were accepted: "
        f"{_per_call(trace)} tokens per call.",
    )


# --- a long chain -----------------------------------------------------------------------------------------------------------------------


def _rejected_chains(trace: Trace) -> list[Step]:
    return [step for step in trace.steps if len(step.tokens) == trace.settings.draft_tokens and not step.accepted]


def _find_in_vain(traces: Sequence[Trace]) -> list[View] | None:
    in_vain = _rejected_chains(traces[0])
    worst = min(in_vain, key=lambda step: _first_try(step)[0], default=None)
    return [View(worst.index)] if worst and _first_try(worst)[0] < 0.2 else None


def _tell_in_vain(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    (trace,), (view,) = traces, views
    step = trace.steps[view.step]
    ratio, coin = _first_try(step)
    digits = digits_apart(ratio, coin)
    return (
        f"In step {view.step + 1} the draft guessed {len(step.tokens)} tokens in a row. The first, {drafted_token(step, 0)}, was rejected: "
        f"its coin, {number(coin, digits)}, is not below {equal('p ÷ q', ratio, digits)}.",
        f"The other {len(step.tokens) - 1} were drafted for nothing. In this run that happened to "
        f"{len(_rejected_chains(trace))} of {sum(len(one.tokens) == len(step.tokens) for one in trace.steps)} sequences.",
    )


# --- block ------------------------------------------------------------------------------------------------------------------------------


def _find_kept(traces: Sequence[Trace]) -> list[View] | None:
    step = traces[0].steps[0]
    # standard compares the same coin with p/q of the first token; for later tokens the two rules have different coins
    return [View(0)] if step.block[0].coin >= step.block[0].ratio and step.accepted >= 3 else None


def _tell_kept(traces: Sequence[Trace], views: Sequence[View]) -> tuple[str, str]:
    step = traces[0].steps[0]
    first = step.block[0]
    digits = digits_apart(first.ratio, first.coin)
    return (
        f"The first token drafted in step 1, {drafted_token(step, 0)}, has {equal('p ÷ q', first.ratio, digits)} and the coin "
        f"{number(first.coin, digits)}. With this coin, standard decoding rejects it and all tokens after it.",
        f"Block verification decides about all {len(step.tokens)} tokens together and keeps {step.accepted}.",
    )


# --- the cards --------------------------------------------------------------------------------------------------------------------------

CARDS: tuple[Card, ...] = (
    Card(
        "Two methods, one prompt",
        {"ersd": settings("ersd", "tau_star", 16), "standard": settings("gsd", "sequence", 16)},
        _find_faster,
        _tell_faster,
        {"ersd": "Open ERSD", "standard": "Open standard"},
    ),
    Card(
        "Greedy: temperature 0",
        {"greedy": settings("greedy", "tau_star", 16)},
        lambda traces: _find_long_path(traces[0], 5),
        _tell_greedy,
    ),
    Card(
        "Lenient: fast but wrong",
        {"lossy": settings("lossy", "sequence", 8, leniency=0.8)},
        _find_wrong,
        _tell_wrong,
    ),
    Card(
        "A tree of 64 tokens",
        {"large-tree": settings("ersd", "tau_star", 64)},
        lambda traces: _find_long_path(traces[0], 7),
        _tell_large,
    ),
    Card(
        "A long sequence for nothing",
        {"long-chain": settings("gsd", "sequence", 24)},
        _find_in_vain,
        _tell_in_vain,
    ),
    Card(
        "Block keeps what standard cuts",
        {"block": settings("block", "sequence", 8)},
        _find_kept,
        _tell_kept,
    ),
)
