"""Theory beside measurement: which cells a run has, and their values after each step. Bounds are shown only where they apply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ersd.rules.registry import TRAITS, Traits
from ersd.settings import METHODS, Settings
from ersd.trace.bounds import has_length_bound, has_optimum, most_per_call
from ersd.trace.statistics import Statistics
from ersd.trace.step import Step

from .message_types.run import Cell, Line
from .sentences.exactness import is_biased
from .sentences.numbers import brief


def cells(settings: Settings) -> list[Cell]:
    """The cells of a run in their order, with the lines that apply to its rule and its tree."""
    traits = TRAITS[settings.algorithm]
    found = []
    if traits.drafts:
        found += [_here(traits, settings), _acceptance(traits, settings)]
    found.append(_calls(traits, settings))
    if traits.drafts:
        found.append(_RANKS)
    found.append(_SPEED)
    if is_biased(settings):
        found.append(_BIAS)
    elif (settings.algorithm, settings.topology) == METHODS["standard"]:
        found.append(_REJECTIONS)
    return found


def _line(id: str, label: str, theory: bool, help: str, whole: bool = False, least: bool = False) -> Line:
    return {"id": id, "label": label, "theory": theory, "help": help, "whole": whole, "least": least}


def _cell(
    id: str,
    label: str,
    lines: Sequence[Line],
    of: Literal["vertex", "run"] = "run",
    scale: Literal["probability", "largest"] = "probability",
) -> Cell:
    return {"id": id, "label": label, "lines": list(lines), "of": of, "scale": scale}


def is_least(settings: Settings) -> bool:
    """Whether the expected tokens per call are a lower bound.

    The rank distribution counts each token alone and without leniency; deciding about a whole block or tree, or leniently, gives no less.
    """
    traits = TRAITS[settings.algorithm]
    return traits.joint or traits.from_leaves or is_biased(settings)


_CHANCE = _line(
    "chance",
    "by chance ±",
    True,
    "how far chance alone takes the measured value from theory, at most, in 95 of 100 runs: 1.96 standard errors of as many coins",
)

# --- the acceptance -------------------------------------------------------------------------------------------------------------


def _optimum(traits: Traits, settings: Settings, over: str) -> tuple[Line, ...]:
    """The bound on the predicted acceptance; empty where none applies (`Visit.optimum`)."""
    if not has_optimum(settings):
        return ()
    drawn = "for i.i.d. children" if traits.with_replacement else "without replacement"
    bounds = "upper bound on the predicted acceptance, for any lossless rule that decides node by node"
    children = "drawn i.i.d." if traits.with_replacement else "drawn without replacement"
    luck = "It bounds an expectation: a single run can still do better"
    return (_line("optimum", "predicted ≤", True, f"optimum {drawn}{over}: {bounds}, with as many children {children}. {luck}"),)


def _labelled(label: str, traits: Traits, settings: Settings) -> str:
    """The label of a cell, with the kind of children that its optimum is for; short, since a cell is narrow."""
    if not has_optimum(settings):
        return label
    return f"{label} · {'i.i.d.' if traits.with_replacement else 'distinct'}"


def _here(traits: Traits, settings: Settings) -> Cell:
    text = "probability that this rule accepts one of the children at the node shown"
    if traits.joint:
        text = "probability, over the coins, that the token drafted at the node shown is kept, for the sequence that was drafted"
    predicted = () if traits.from_leaves else (_line("predicted", "predicted", True, text),)
    tv = _line("tv", "TV(P, Q)", True, "total variation distance of target and draft at the node shown: 0 alike, 1 apart")
    return _cell("here", _labelled("acceptance here", traits, settings), (*predicted, *_optimum(traits, settings, ""), tv), of="vertex")


def _acceptance(traits: Traits, settings: Settings) -> Cell:
    measured = _line("measured", "measured", False, "share of the visited nodes with children at which one was accepted")
    if traits.from_leaves:  # what is kept at a node depends on what was drafted below it: no formula predicts it
        return _cell("acceptance", "acceptance so far", (measured,))
    lines = (
        measured,
        _line("predicted", "predicted", True, "mean of this rule’s predicted acceptance over the same nodes"),
        *_optimum(traits, settings, ", mean over the same nodes"),
        # the tokens of a sequence that is decided as a whole share its coins
        *(() if traits.joint else (_CHANCE,)),
    )
    return _cell("acceptance", _labelled("acceptance so far", traits, settings), lines)


# --- the other cells ------------------------------------------------------------------------------------------------------------


def _calls(traits: Traits, settings: Settings) -> Cell:
    lines = [_line("measured", "measured", False, "new tokens divided by target calls, so far")]
    if traits.drafts:
        least = is_least(settings)
        text = "tokens that the step in view was expected to give when its tree was chosen, by the rank distribution known then"
        why = ", at least: that counts each token alone and without leniency" if least else ""
        lines.append(_line("expected", "expected", True, text + why, least=least))
        text = "the smaller of two bounds: depth of the deepest tree so far + 1"
        if has_length_bound(settings):
            text += (
                "; and (log|Ω| + log(k + 1)) / H[R], for a tree of k tokens fixed beforehand, if ranks are independent with the "
                "distribution measured so far. It bounds an expectation: a single run can still do better"
            )
        lines.append(_line("bound", "≤ ", True, text))
    return _cell("calls", "tokens per call", tuple(lines), scale="largest")


_RANKS = _cell(
    "ranks",
    "accepted by rank",
    tuple(
        _line(rank, name, False, f"how often the draft’s {name} choice at a node was accepted", whole=True)
        for rank, name in (("1", "1st"), ("2", "2nd"), ("3", "3rd"), ("4", "4th"), ("5", "5th"), ("6+", "6th or later"))
    ),
    scale="largest",
)
_SPEED = _cell(
    "speed",
    "speed so far",
    (_line("measured", "tokens / s", False, "new tokens per second, without step 1, which reads the prompt too", whole=True),),
    scale="largest",
)
_REJECTIONS = _cell(
    "rejections",
    "rejections so far",
    (
        _line("measured", "measured", False, "drafted tokens rejected", whole=True),
        _line(
            "tv_sum",
            "Σ TV",
            True,
            "running sum of TV(P, Q): the expected number of rejections, the fewest in expectation without bias (arXiv 2411.00841)",
        ),
        _CHANCE,
    ),
    scale="largest",
)
_BIAS = _cell(
    "bias",
    "⚠ biased output",
    (
        _line(
            "paid",
            "TV paid",
            True,
            "mean, over the drafted tokens that were decided about, of TV between the output’s distribution and P; an exact rule pays 0",
        ),
        _line(
            "rejected",
            "rejected",
            False,
            "share of the same tokens that were rejected; in expectation it and the TV paid add up to TV(P, Q)",
        ),
        _line("tv", "TV(P, Q)", True, "mean of TV(P, Q) at the same nodes"),
        _CHANCE,
    ),
)


# --- values after a step --------------------------------------------------------------------------------------------------------


def values(step: Step, statistics: Statistics, shown: list[Cell]) -> dict[str, dict[str, float | None]]:
    """The values of the run's cells once `step` has been added to `statistics`, by cell and line; None where not known yet."""
    figures, visits = statistics.to_dict(), statistics.visits
    off = statistics.chance_count if visits and statistics.visits_predicted == visits else None
    by_chance = None if off is None else off / visits
    known: dict[str, dict[str, float | None]] = {
        "acceptance": {
            "measured": figures["acceptance"],
            "predicted": figures["predicted_acceptance"],
            "optimum": figures["optimal_acceptance"],
            "chance": by_chance,
        },
        "calls": {"measured": figures["tokens_per_call"], "expected": step.expected, "bound": _bound(step, statistics)[0]},
        "ranks": {rank: float(count) for rank, count in statistics.accepted_by_rank().items()},
        "speed": {"measured": round(figures["tokens_per_second"]) if figures["tokens_per_second"] else None},
        "rejections": {
            "measured": figures["rejections"],
            "tv_sum": figures["tv_sum"],
            "chance": off,
        },
        "bias": {
            "paid": figures["bias_drafted"],
            "rejected": figures["rejections"] / visits if visits else None,
            "tv": statistics.tv / visits if visits else None,
            "chance": by_chance,
        },
    }
    # six digits, so that the browser rounds as here: 3.125 is 3.13 in both, and 0.996 is not 1
    return {
        cell["id"]: {line["id"]: brief(known[cell["id"]][line["id"]], 6) for line in cell["lines"]} for cell in shown if cell["of"] == "run"
    }


def labels(step: Step, statistics: Statistics, shown: list[Cell]) -> dict[str, str]:
    """The labels in the cell `calls` that change with the step: whose expectation it is, and which bound applies."""
    (calls,) = (cell for cell in shown if cell["id"] == "calls")
    known = {"expected": f", step {statistics.steps}", "bound": _bound(step, statistics)[1]}
    return {line["id"]: f"{line['label']}{known[line['id']]}" for line in calls["lines"] if known.get(line["id"])}


def notes(step: Step) -> dict[str, str]:
    """The text after the label of a cell, by cell."""
    return {"calls": f"H[R] {step.rank_entropy:.2f}"} if step.rank_entropy else {}


def _bound(step: Step, statistics: Statistics) -> tuple[float | None, str]:
    """The smaller upper bound on the tokens per call so far, and its name."""
    return most_per_call(statistics.deepest, step.bound, step.expected or 0.0)
