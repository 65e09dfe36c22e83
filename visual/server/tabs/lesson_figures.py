"""The data of the figures in the lessons: what calls cost, clocks and how often two models agree, trees, a chain from both ends, seeds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import ersd
from ersd import lab
from ersd.costs import H100, Costs
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.settings import Settings
from ersd.theory import ChainLevel, leaf_first_accepted, root_first_accepted
from ersd.trace.model import Trace
from ersd.trace.statistics import chance_range
from visual.payload.message_types.learn import Call, Calls, ChainAt, Clocks, Figures, FixedFigures, Leaves, Mark, Position, Shape
from visual.payload.sentences.formatting import token_label
from visual.payload.sentences.nodes import text_before
from visual.payload.sentences.numbers import brief
from visual.payload.tree import preview as tree_preview
from visual.payload.watermark import text_of_clocks

from ..recorded import first_look

STEP, VISIT = 5, 1
"""The decision of the recorded run that the figure of the clocks shows: what follows “she needed to deliver a”."""
CLOCK_TOKENS = 6
DRAWS, CLOCK_SEED = 100, 38
HANDLE = 20
"""Positions of the handle to either side of the recorded step."""
CALL_TOKENS = 17
"""Most tokens that the handle lets a call score, as measured: costs in between are interpolated, none beyond."""
TREE_TOKENS = (4, 8, 16, 32)
"""Positions of the handle below the trees."""
FIRST_P, FIRST_Q, SECOND_Q = 0.2, 0.4, 0.4
"""Probabilities of “lot” for both models, and of “of” after it for the draft."""
SECOND_P = tuple(place / 10 for place in range(1, 10))
"""Positions of the handle: the target's probability of “of” after “lot”."""
USUAL_SECOND = 0.8
OTHER_SEEDS = 9
"""Positions of the handle after the seed of the run."""


def figures_of(here: Costs | None) -> Figures:
    """All of them. `here`: what calls cost on this machine, where that was measured."""
    return {"calls": _calls(here), **_fixed()}


@cache
def _fixed() -> FixedFigures:
    """The figures that depend on the recorded run only."""
    return {"clocks": _clocks(), "trees": _trees(), "leaves": _leaves(), "marks": _marks()}


@cache
def recorded_run() -> Trace:
    """The run that the figures are about: the one that the page opens with."""
    trace = first_look()
    if trace is None:
        raise ValueError("assets/recorded has no run: record it with python -m assets.record_first_look")
    return trace


def text_until(index: int) -> str:
    """Prompt and text of the recorded run before a step."""
    return recorded_run().prompt + "".join(one.text for step in recorded_run().steps[:index] for one in step.emitted)


def _calls(here: Costs | None) -> Calls:
    """What a target call costs by the tokens it scores: here, or where the first run was recorded, and on a GPU."""
    costs = here or recorded_run().costs or H100
    machine = {"cpu": "this CPU", "cuda": "this GPU"}.get(costs.device, costs.device) if here else "the machine of the recorded run"

    def rows(of: Costs) -> list[Call]:
        return [
            {"tokens": size, "ms": of.target_ms(size), "ratio": of.target_ms(size) / of.target_1_ms} for size in range(1, CALL_TOKENS + 1)
        ]

    return {"machine": machine, "here": rows(costs), "gpu": rows(H100)}


@cache
def _clocks() -> Clocks:
    """A real decision, its likeliest tokens rescaled, and how often two models agree about it as they drift apart."""
    step = recorded_run().steps[STEP]
    rows = sorted(step.walk[VISIT].rows, key=lambda row: -(row.p + (row.q or 0)))[:CLOCK_TOKENS]
    p, q = _rescaled([row.p for row in rows]), _rescaled([row.q or 0.0 for row in rows])
    stranger = p[::-1]
    positions = []
    for place in range(2 * HANDLE + 1):
        share = (place - HANDLE) / HANDLE
        other = [a * -share + b * (1 + share) if share < 0 else b * (1 - share) + c * share for a, b, c in zip(p, q, stranger, strict=True)]
        positions.append(_position(p, _rescaled(other)))
    return {
        "names": [token_label(row.text, row.token) for row in rows],
        "before": text_before(step, step.walk[VISIT].vertex, text_until(STEP)),
        "p": p,
        "positions": positions,
        "clocks": _draws(CLOCK_SEED, len(p)),
        "own_clocks": _draws(CLOCK_SEED + 1, len(p)),
    }


def _draws(seed: int, tokens: int) -> list[list[float]]:
    """Clocks by draw and token."""
    return [lab.clocks_of(lab.rule_of("ersd"), seed, draw, tokens) or [] for draw in range(DRAWS)]


def _position(p: Sequence[float], q: Sequence[float]) -> Position:
    found = lab.agreement(p, q, DRAWS, CLOCK_SEED)
    ranges = (chance_range(one, DRAWS) for one in (found.expected_own, found.expected_shared))
    return {
        "q": [brief(value) for value in q],
        "own": [a == b for a, b in zip(found.target, found.own, strict=True)],
        "shared": [a == b for a, b in zip(found.target, found.shared, strict=True)],
        "expected": (brief(found.expected_own), brief(found.expected_shared)),
        "chance": [(brief(low), brief(high)) for low, high in ranges],
    }


def _rescaled(values: Sequence[float]) -> list[float]:
    return [value / sum(values) for value in values]


@cache
def _trees() -> dict[str, dict[str, Shape]]:
    """By their number of tokens: three shapes, and what they are expected to give by the ranks of the recorded run."""
    known = recorded_run().ranks
    ranks = RankDistribution(tuple(known.prior) if known else ())
    found: dict[str, dict[str, Shape]] = {str(tokens): {} for tokens in TREE_TOKENS}
    for tokens in TREE_TOKENS:
        for topology in ("sequence", "batch", "tau_star"):
            shape = shape_of(Settings("ersd", topology, draft_tokens=tokens), ranks)
            found[str(tokens)][topology] = {"svg": tree_preview.picture(shape.parents, shape.ranks), "expected": shape.expected}
    return found


def _leaves() -> Leaves:
    """A chain of two guesses decided from the root and from its leaf: the chances of this chain, and the average over all guesses."""
    return {"at": SECOND_P.index(USUAL_SECOND), "positions": [_chain(second) for second in SECOND_P]}


def _chain(second: float) -> ChainAt:
    first, after = FIRST_P / FIRST_Q, min(1.0, second / SECOND_Q)
    p, q = (second, 1 - second), (SECOND_Q, 1 - SECOND_Q)
    path = min(1.0, first * second / SECOND_Q)
    # after another token than “lot” both models agree
    levels = [ChainLevel([(FIRST_P, 1 - FIRST_P)], [(FIRST_Q, 1 - FIRST_Q)]), ChainLevel([p, q], [q, q])]
    return {
        "name": f"{second:g}",
        "root": [
            (f"{FIRST_P:g} ÷ {FIRST_Q:g}", first),
            (_quotient(f"{second:g} ÷ {SECOND_Q:g}", second / SECOND_Q), after),
            (f"{first:.2f} × {after:.2f}", first * after),
        ],
        "leaf": [
            (f"{FIRST_P:g} ÷ {FIRST_Q:g}", first),
            (_quotient(f"{first:.2f} × {second:g} ÷ {SECOND_Q:g}", first * second / SECOND_Q), path),
        ],
        "average": [("", root_first_accepted(levels)), ("", leaf_first_accepted(levels))],
    }


def _quotient(says: str, value: float) -> str:
    return says if value <= 1 else f"{says} > 1"


def _marks() -> list[Mark]:
    """The clocks of the recorded run's text under its seed, and under the seeds that follow."""
    own, start = recorded_run().settings.seed, recorded_run().steps[0].position
    texts = [one.text for step in recorded_run().steps for one in step.emitted]
    seeds = range(own, own + 1 + OTHER_SEEDS)
    return [
        {"seed": seed, "clocks": text_of_clocks(texts, ersd.watermark(recorded_run().token_ids, seed, start).clocks, seed, 1)}
        for seed in seeds
    ]
