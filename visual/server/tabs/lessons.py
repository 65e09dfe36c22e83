"""The route of the Learn tab: its lessons in a language, with the data of their figures and the steps to guess about."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ersd.costs import Costs
from ersd.formatting import quoted
from ersd.theory import ChainLevel, clock_sum_pvalue, leaf_first_accepted, likeliest_acceptance, race_match, root_first_accepted
from ersd.trace.step import Row, Step, Visit
from visual.payload.decision import decision
from visual.payload.lab.presets import USUAL, USUAL_TOKENS, of_size
from visual.payload.lessons import FALLBACK, PAGES, Lesson, languages, read_labels, read_lessons, read_page
from visual.payload.message_types.learn import Figures, Guess, LearnKit, Leaves, Mark
from visual.payload.messages import compact
from visual.payload.sentences.nodes import text_before
from visual.payload.watermark import rarity

from ..pairs import EMBEDDED, Pairs
from .lesson_figures import HANDLE, figures_of, recorded_run, text_until

ADDRESS = "lessons"
KIT: LearnKit = {"address": ADDRESS, "languages": list(languages())}
"""What the browser needs to know before it asks."""
GUESSES = 15
VOCABULARY = 4096
"""Of the embedded pair, with which the run was recorded."""
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
    figures = figures_of(here)
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
    figures = figures_of(_costs_here(pairs))
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


@cache
def _limits() -> dict[str, str]:
    """Entropy of the rank and the bound by it, of the recorded run."""
    step: Step = recorded_run().steps[-1]
    entropy, tokens = round(step.rank_entropy or 0.0, 2), sum(len(one.emitted) for one in recorded_run().steps)
    k_1 = recorded_run().settings.draft_tokens + 1
    return {
        "entropy": f"{entropy:.2f}",
        "bound": f"{(math.log(VOCABULARY) + math.log(k_1)) / entropy:.1f}",  # by the entropy as it is printed
        "vocabulary": f"{VOCABULARY:,}",
        "k_1": str(k_1),
        "per_call": f"{tokens / len(recorded_run().steps):.1f}",
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


def _mark_facts(marks: list[Mark]) -> dict[str, str]:
    own, other = marks[0], marks[1]
    chances = [row.p for step in recorded_run().steps for visit in step.walk for row in visit.rows if row.token == visit.token]
    clocks = own["clocks"]["clocks"]
    means: dict[str, str] = {}
    for name, low, high in (("unsure", 0.0, 1 / 3), ("sure", 0.9, 2.0)):
        some = [clock for clock, p in zip(clocks, chances, strict=True) if clock is not None and low <= p < high]
        means |= {f"mark_{name}": f"{sum(some) / len(some):.2f}", f"mark_{name}_count": str(len(some))}
    pvalue = clock_sum_pvalue(float(own["clocks"]["sum"]["total"]), own["clocks"]["sum"]["count"])
    return means | {
        "mark_seed": str(own["seed"]),
        "mark_other": str(other["seed"]),
        "mark_count": str(own["clocks"]["sum"]["count"]),
        "mark_sum": own["clocks"]["sum"]["total"],
        "mark_other_sum": other["clocks"]["sum"]["total"],
        "mark_rare": rarity(pvalue),
    }


@cache
def _guesses() -> list[Guess]:
    """Decisions of the recorded run to guess about: the draft's first guess at each, and whether it was accepted."""
    found = []
    for index, step in enumerate(recorded_run().steps):
        for visit in step.walk:
            if visit.tries and _is_open(visit):
                found.append(_guess(index, step, visit))
    return [found[place * len(found) // GUESSES] for place in range(GUESSES)]


def _is_open(visit: Visit) -> bool:
    """Is the answer not plain before the race?"""
    first: Row = visit.rows[0]
    return 0.05 < (first.q or 0) < 0.9 and visit.match is not None and visit.match < 0.93


def _guess(index: int, step: Step, visit: Visit) -> Guess:
    before = text_before(step, visit.vertex, text_until(index))
    sent = decision(step, visit, before)
    return {
        "before": before,
        "decision": sent,
        "name": sent["names"][0],
        "accepted": visit.token == visit.rows[0].token,
    }
