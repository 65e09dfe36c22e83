"""The route of the Learn tab: its lessons in a language, with the data of their figures and the steps to guess about."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import ersd
from ersd import lab
from ersd.costs import H100, Costs
from ersd.drafts.rank_distribution import RankDistribution
from ersd.drafts.shapes import shape_of
from ersd.formatting import quoted
from ersd.settings import Settings
from ersd.theory import ChainLevel, leaf_first_accepted, likeliest_acceptance, race_match, root_first_accepted
from ersd.trace.model import Trace
from ersd.trace.statistics import chance_range
from ersd.trace.step import Row, Step, Visit
from visual.payload.decision import decision
from visual.payload.lab.presets import USUAL, USUAL_TOKENS, of_size
from visual.payload.lessons import FALLBACK, PAGES, Lesson, languages, read_labels, read_lessons, read_page
from visual.payload.message_types.learn import (
    Call,
    Calls,
    ChainAt,
    Clocks,
    Figures,
    FixedFigures,
    Guess,
    LearnKit,
    Leaves,
    Mark,
    Position,
    Shape,
)  # fmt: skip
from visual.payload.messages import compact
from visual.payload.sentences.formatting import token_label
from visual.payload.sentences.nodes import text_before
from visual.payload.sentences.numbers import brief
from visual.payload.tree import preview as tree_preview
from visual.payload.watermark import text_of_clocks

from ..pairs import EMBEDDED, Pairs
from ..recorded import first_look

ADDRESS = "lessons"
KIT: LearnKit = {"address": ADDRESS, "languages": list(languages())}
"""What the browser needs to know before it asks."""
STEP, VISIT = 5, 1
"""The decision of the recorded run that the figure of the clocks shows: what follows “she needed to deliver a”."""
CLOCK_TOKENS = 6
DRAWS, CLOCK_SEED = 100, 38
HANDLE = 20
"""Positions of the handle to either side of the recorded step."""
GUESSES = 15
VOCABULARY = 4096
"""Of the embedded pair, with which the run was recorded."""
CALL_TOKENS = 17
"""Most tokens that the handle lets a call score, as measured: costs in between are interpolated, none beyond."""
TREE_TOKENS = (4, 8, 16, 32)
"""Positions of the handle below the trees."""
USUAL_TREE = 16


def route(pairs: Pairs | None = None) -> Route:
    """Where the browser fetches the lessons, for `launch`; with `pairs` what calls cost on this machine."""

    def lessons(request: Request) -> Response:  # not async, so that it runs in a thread
        language = request.path_params["language"]
        if language not in languages():
            return Response("no such language", 404)
        return Response(answer(language, _costs_here(pairs)), media_type="application/json")

    return Route(f"/{ADDRESS}/{{language}}", lessons)


def answer(language: str = FALLBACK, here: Costs | None = None) -> str:
    """Everything that the tab draws.

    Args:
        language: one of `languages`.
        here: what calls cost on this machine, where that was measured.
    """
    figures = _figures(here)
    lessons = read_lessons(language, facts(figures))
    return compact(
        {
            "labels": read_labels(language),
            "lessons": [lesson.model_dump() for lesson in lessons],
            "figures": figures,
            "guesses": _guesses(),
            "pages": {name: read_page(name, language) for name in PAGES},
        }
    )


def figure(name: str, language: str = FALLBACK, pairs: Pairs | None = None) -> tuple[Lesson, dict[str, Any]]:
    """The lesson of this name, and what draws its figure: labels, lesson and the data of the figure.

    Raises:
        ValueError: naming the figures there are.
    """
    figures = _figures(_costs_here(pairs))
    lessons = {lesson.name: lesson for lesson in read_lessons(language, facts(figures))}
    if name not in lessons:
        raise ValueError(f"figure must be one of {', '.join(lessons)}, got {quoted(name)}")
    found = lessons[name]
    own = {kind: data for kind, data in figures.items() if kind == found.figure}
    return found, {"labels": read_labels(language), "lesson": found.model_dump(), "figures": own}


def facts(figures: Figures) -> dict[str, str]:
    """The numbers that lessons may name."""
    calls, clocks, trees = figures["calls"], figures["clocks"], figures["trees"]
    here = clocks["positions"][HANDLE]
    same = clocks["positions"][0]
    return {
        "machine": calls["machine"],
        "call_1": f"{calls['here'][0]['ms']:.1f}",
        **{f"call_{size}": f"{calls['here'][size - 1]['ratio']:.2f}" for size in (5, 17)},
        **{f"gpu_{size}": f"{calls['gpu'][size - 1]['ratio']:.2f}" for size in (5, 17)},
        "agree_own": str(here["own"].count(True)),
        "agree_shared": str(here["shared"].count(True)),
        "expect_own": f"{100 * here['expected'][0]:.0f}",
        "expect_shared": f"{100 * here['expected'][1]:.0f}",
        "agree_same_own": str(same["own"].count(True)),
        "expect_same_own": f"{100 * same['expected'][0]:.0f}",
        **{f"tree_{name}": f"{tree['expected']:.2f}" for name, tree in trees[str(USUAL_TREE)].items()},
        **_limits(),
        **_half_race(),
        **_leaf_facts(figures["leaves"]),
        **_mark_facts(figures["marks"]),
    }


def _costs_here(pairs: Pairs | None) -> Costs | None:
    return pairs.get(EMBEDDED).costs.get("model") if pairs and EMBEDDED in pairs.names and pairs.ready(EMBEDDED) else None


def _calls(here: Costs | None) -> Calls:
    """What a target call costs by the tokens it scores: here, or where the first run was recorded, and on a GPU."""
    costs = here or _run().costs or H100
    machine = {"cpu": "this CPU", "cuda": "this GPU"}.get(costs.device, costs.device) if here else "the machine of the recorded run"

    def rows(of: Costs) -> list[Call]:
        return [
            {"tokens": size, "ms": of.target_ms(size), "ratio": of.target_ms(size) / of.target_1_ms} for size in range(1, CALL_TOKENS + 1)
        ]

    return {"machine": machine, "here": rows(costs), "gpu": rows(H100)}


def _figures(here: Costs | None) -> Figures:
    return {"calls": _calls(here), **_fixed()}


@cache
def _fixed() -> FixedFigures:
    """The figures that depend on the recorded run only."""
    return {"clocks": _clocks(), "trees": _trees(), "leaves": _leaves(), "marks": _marks()}


@cache
def _run() -> Trace:
    trace = first_look()
    if trace is None:
        raise ValueError("assets/recorded has no run: record it with python -m assets.record_first_look")
    return trace


@cache
def _clocks() -> Clocks:
    """A real decision, its likeliest tokens rescaled, and how often two models agree about it as they drift apart."""
    rows = sorted(_run().steps[STEP].walk[VISIT].rows, key=lambda row: -(row.p + (row.q or 0)))[:CLOCK_TOKENS]
    p, q = _rescaled([row.p for row in rows]), _rescaled([row.q or 0.0 for row in rows])
    stranger = p[::-1]
    positions = []
    for place in range(2 * HANDLE + 1):
        share = (place - HANDLE) / HANDLE
        other = [a * -share + b * (1 + share) if share < 0 else b * (1 - share) + c * share for a, b, c in zip(p, q, stranger, strict=True)]
        positions.append(_position(p, _rescaled(other)))
    return {
        "names": [token_label(row.text, row.token) for row in rows],
        "before": _before(_run(), STEP, VISIT),
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
    known = _run().ranks
    ranks = RankDistribution(tuple(known.prior) if known else ())
    found: dict[str, dict[str, Shape]] = {str(tokens): {} for tokens in TREE_TOKENS}
    for tokens in TREE_TOKENS:
        for topology in ("sequence", "batch", "tau_star"):
            shape = shape_of(Settings("ersd", topology, draft_tokens=tokens), ranks)
            found[str(tokens)][topology] = {"svg": tree_preview.picture(shape.parents, shape.ranks), "expected": shape.expected}
    return found


@cache
def _limits() -> dict[str, str]:
    """Entropy of the rank and the bound by it, of the recorded run."""
    step: Step = _run().steps[-1]
    entropy, tokens = round(step.rank_entropy or 0.0, 2), sum(len(one.emitted) for one in _run().steps)
    k_1 = _run().settings.draft_tokens + 1
    return {
        "entropy": f"{entropy:.2f}",
        "bound": f"{(math.log(VOCABULARY) + math.log(k_1)) / entropy:.1f}",  # by the entropy as it is printed
        "vocabulary": f"{VOCABULARY:,}",
        "k_1": str(k_1),
        "per_call": f"{tokens / len(_run().steps):.1f}",
    }


SURE = (0.7, 0.1, 0.1, 0.05, 0.05), (0.5, 0.2, 0.1, 0.1, 0.1)
"""p and q of two models that are both sure of one token."""


def _half_race() -> dict[str, str]:
    """How often one guess is right in half a race and in a whole one, of 100: with the lab's usual p and q, equal ones, and sure models."""
    sizes = of_size(USUAL_TOKENS)
    usual, equal = (sizes[name] for name in (USUAL, "equal"))
    cases = {"one": (usual["p"], usual["q"]), "equal": (equal["p"], equal["q"]), "sure": SURE}
    half = {f"half_{name}": f"{100 * likeliest_acceptance(*pair, 1):.0f}" for name, pair in cases.items()}
    return half | {f"race_{name}": f"{100 * race_match(*pair):.0f}" for name, pair in cases.items()}


FIRST_P, FIRST_Q, SECOND_Q = 0.2, 0.4, 0.4
"""Probabilities of “lot” for both models, and of “of” after it for the draft."""
SECOND_P = tuple(place / 10 for place in range(1, 10))
"""Positions of the handle: the target's probability of “of” after “lot”."""
USUAL_SECOND = 0.8


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


def _leaf_facts(leaves: Leaves) -> dict[str, str]:
    """The chances at the handle's first position, and what chains keep with the lab's p and q and between two sure models."""
    here = leaves["positions"][leaves["at"]]
    rows = {"root_both": here["root"][2], "leaf_both": here["leaf"][1], "mean_root": here["average"][0], "mean_leaf": here["average"][1]}
    usual = of_size(USUAL_TOKENS)[USUAL]
    cases = {"two": ((usual["p"], usual["q"]), 2), "one": ((usual["p"], usual["q"]), 1), "sure": (SURE, 2)}
    found = {f"leaves_{name}": f"{value:.2f}" for name, (_, value) in rows.items()}
    for name, ((p, q), length) in cases.items():
        levels = [ChainLevel([p] * len(p), [q] * len(q))] * length
        found |= {f"leaves_{name}_root": f"{root_first_accepted(levels):.2f}", f"leaves_{name}_leaf": f"{leaf_first_accepted(levels):.2f}"}
    return found


OTHER_SEEDS = 9
"""Positions of the handle after the seed of the run."""


def _marks() -> list[Mark]:
    """The clocks of the recorded run's text under its seed, and under the seeds that follow."""
    own, start = _run().settings.seed, _run().steps[0].position
    texts = [one.text for step in _run().steps for one in step.emitted]
    seeds = range(own, own + 1 + OTHER_SEEDS)
    return [
        {"seed": seed, "clocks": text_of_clocks(texts, ersd.watermark(_run().token_ids, seed, start).clocks, seed, 1)} for seed in seeds
    ]


def _mark_facts(marks: list[Mark]) -> dict[str, str]:
    own, other = marks[0], marks[1]
    chances = [row.p for step in _run().steps for visit in step.walk for row in visit.rows if row.token == visit.token]
    clocks = own["clocks"]["clocks"]
    means: dict[str, str] = {}
    for name, low, high in (("unsure", 0.0, 1 / 3), ("sure", 0.9, 2.0)):
        some = [clock for clock, p in zip(clocks, chances, strict=True) if clock is not None and low <= p < high]
        means |= {f"mark_{name}": f"{sum(some) / len(some):.2f}", f"mark_{name}_count": str(len(some))}
    rare = re.search(r"(1 of .*? other texts)", own["clocks"]["sum"]["says"])
    return means | {
        "mark_seed": str(own["seed"]),
        "mark_other": str(other["seed"]),
        "mark_count": str(own["clocks"]["sum"]["count"]),
        "mark_sum": own["clocks"]["sum"]["total"],
        "mark_other_sum": other["clocks"]["sum"]["total"],
        "mark_rare": rare[1] if rare else "",
    }


@cache
def _guesses() -> list[Guess]:
    """Decisions of the recorded run to guess about: the draft's first guess at each, and whether it was accepted."""
    found = []
    for index, step in enumerate(_run().steps):
        for visit in step.walk:
            if visit.tries and _is_open(visit):
                found.append(_guess(index, step, visit))
    spread = [found[place * len(found) // GUESSES] for place in range(GUESSES)]
    return spread


def _is_open(visit: Visit) -> bool:
    """Is the answer not plain before the race?"""
    first: Row = visit.rows[0]
    return 0.05 < (first.q or 0) < 0.9 and visit.match is not None and visit.match < 0.93


def _guess(index: int, step: Step, visit: Visit) -> Guess:
    before = text_before(step, visit.vertex, _text_until(index))
    sent = decision(step, visit, before)
    return {
        "step": index + 1,
        "before": before,
        "decision": sent,
        "tree": {"names": [], "q": [0], "draws": [], "why": {}},
        "name": sent["names"][0],
        "accepted": visit.token == visit.rows[0].token,
    }


def _text_until(index: int) -> str:
    return _run().prompt + "".join(one.text for step in _run().steps[:index] for one in step.emitted)


def _before(trace: Trace, index: int, visit: int) -> str:
    step = trace.steps[index]
    return text_before(step, step.walk[visit].vertex, _text_until(index))
