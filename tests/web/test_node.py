"""The page's pure JavaScript, tested by `node --test` against steps, numbers and cuts that Python makes."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from ersd.cli.report import report
from ersd.costs import Costs, places
from ersd.formatting import decimal
from ersd.settings import Settings
from ersd.trace.model import RankSequence, Trace
from ersd.trace.rank_sequence import static_topologies
from ersd.trace.step import Step, Try
from tests.ersd.replayed_steps import replayed_steps
from tests.visual.fakes import (
    bare_step,
    block_step,
    coin_step,
    greedy_step,
    laps_step,
    large_step,
    leaf_step,
    leaves_step,
    race_step,
    residual_step,
    row,
    step,
    trace,
    visit,
)
from visual.payload.compare.board import Comparison
from visual.payload.curves.message import begin
from visual.payload.kit import kit
from visual.payload.messages import messages
from visual.payload.sentences.numbers import NUMBERS, apart, number, quotient

HERE = Path(__file__).resolve().parent
RECORDED = HERE.parent.parent / "assets" / "recorded"
NODE = shutil.which("node")

STEPS: dict[str, Step] = {
    "race": race_step(),
    "coins": coin_step(accepted=True),
    "coins, all rejected": coin_step(tries=3),
    "residuals": residual_step(),
    "residuals, all rejected": residual_step(accepted=False),
    "residuals of 3 rejections": residual_step(rejections=3),
    "a duplicate tried often": residual_step(rejections=20),
    "block": block_step(),
    "block, all kept": block_step(coins=(0.1, 0.2, 0.3)),
    "block, none kept": block_step(coins=(0.9, 0.9, 0.9)),
    "greedy": greedy_step(accepted=True),
    "leaf": leaf_step("race"),
    "leaves": leaves_step(),
    "laps": laps_step(),
    "no draft": bare_step(),
    "64 vertices": large_step([-1] * 8 + [vertex // 7 for vertex in range(56)]),
}


def run_of(trace: Trace) -> dict[str, Any]:
    """The messages of a run: `begin` and `steps`."""
    begin, *steps = [json.loads(line) for line in messages(trace)]
    return {"begin": begin, "steps": [step for step in steps if step["type"] == "step"]}


def number_cases() -> list[dict[str, Any]]:
    """Pairs of numbers with every way to write them: alone, with five digits, as a quotient, and with the digits that tell them apart."""
    draw = random.Random(3)
    pairs = [(10 ** draw.uniform(-7, 5), 10 ** draw.uniform(-6, 3)) for _ in range(400)]
    pairs += [(one, one * (1 + 10 ** draw.uniform(-9, -2))) for one, _ in pairs[:200]]
    pairs += [
        (0.125, 0.5),
        (0.1, 0.8),
        (0.0, 0.3),
        (1e-12, 0.1),
        (0.5, 0.00003),
        (99.5, 1.0),
        (0.995, 0.0095),
        (0.9996, 0.996),
        (0.99996, 1.004),
    ]
    return [
        {"pair": [one, other], "texts": [number(one), number(other, 5), str(quotient(one, (other,))), *apart(one, other)]}
        for one, other in pairs
    ]


def decimal_cases() -> list[dict[str, Any]]:
    """Quotients of counts with 0, 1 and 2 decimals."""
    values = [tokens / calls for calls in range(1, 65) for tokens in range(calls, 17 * calls, 7)]
    return [{"value": value, "texts": [decimal(value, decimals) for decimals in range(3)]} for value in values]


def rank_sequences() -> Iterator[RankSequence]:
    """Texts of all sorts: always the draft's first token, ranks of any size, drafts that reach few tokens, no prior, ended early."""
    draw = random.Random(7)
    for hardness in (1.0, 0.9, 0.6, 0.2):
        for has_prior in (True, False):
            ranks = [1 + int(draw.expovariate(1) / (1.2 - hardness)) if draw.random() > hardness else 1 for _ in range(60)]
            if hardness < 0.5:
                ranks = [-draw.choice((2, 5)) if draw.random() < 0.2 else rank for rank in ranks]
            prior = [draw.uniform(0.05, 0.9) for _ in range(20)] if has_prior else [0.5]
            yield RankSequence(ranks=ranks, room=60 + draw.choice((0, 0, 7)), prior=prior, prior_visits=draw.choice((4, 32)))


def cut_cases() -> list[dict[str, Any]]:
    """Texts with the steps into which `replayed_steps` divides them."""
    cases = []
    for turn, sequence in enumerate(rank_sequences()):
        for topology in static_topologies():
            for k in (1, 7, 200) if turn % 4 == 0 else (2, 7, 64):
                settings = Settings(topology=topology, draft_tokens=k, sequences=3, branching=(5, 2, 2))
                steps = [[one.tokens, one.accepted, one.levels] for one in replayed_steps(sequence, settings)]
                cases.append({"ranks": asdict(sequence), "choice": settings.to_dict(), "steps": steps})
    return cases


def speed_cases() -> list[dict[str, Any]]:
    """Places of all sorts, with the speed-ups that Python expects there and their formulas."""
    draw = random.Random(11)
    found = []
    for _ in range(60):
        costs = Costs(*(draw.uniform(0.1, 50) for _ in range(4)), draft_ms=draw.uniform(0.05, 9), wider_ms=draw.choice((None, 0.0, 0.4)))
        basis = (round(draw.uniform(1, 9), 2), round(draw.choice((0, draw.uniform(0.5, 12))), 2), round(draw.uniform(1, 65), 3))
        found += [
            {"place": asdict(place), "basis": basis, "factor": place.speedup(*basis), "formula": place.formula(*basis)}
            for place in places(costs)
        ]
    return found


COSTS = Costs(4.0, 5.0, 8.0, 0.5, draft_ms=0.5, wider_ms=0.1)
CHAIN = Settings(topology="sequence", draft_tokens=4, max_new_tokens=36)


def chain_step(load: float = 1.0) -> Step:
    """A chain of four, two of them accepted, that takes exactly what COSTS predict under a load."""
    rows = [row(1, " a", p=0.6, q=0.5, clock=0.1), row(2, " b", p=0.3, q=0.2, clock=0.2)]
    tries = [Try(vertex=vertex, accepted=vertex < 2, p=0.6, q=0.5) for vertex in range(3)]
    walk = [visit("race", rows, token=1 if one.accepted else 2, tries=[one], vertex=one.vertex - 1, rank=2 - one.accepted) for one in tries]
    times = {"draft_ms": 4 * 0.5 * load, "target_ms": 5.0 * load, "verify_ms": 3 * 0.5 * load}
    return step(walk, parents=[-1, 0, 1, 2], tokens=[1] * 4, **times)


def predicted_case(load: float) -> dict[str, Any]:
    """A run that takes exactly what its costs predict, in all places that say how fast it was."""
    steps = [chain_step(load)] * 12
    ranks = RankSequence(ranks=[1, 1, 2] * 12, room=100, prior=[0.5], prior_visits=4)
    run = replace(trace(*steps), settings=CHAIN, costs=COSTS, ranks=ranks)
    plain = replace(bare_step(), draft_ms=0.0, target_ms=4.0 * load, verify_ms=0.5 * load)
    with_plain, without = (Comparison(runs, {"model": COSTS}) for runs in ([CHAIN, Settings("autoregressive")], [CHAIN, CHAIN]))
    for each in steps:
        for comparison, other in ((with_plain, plain), (without, each)):
            comparison.add(0, each)
            comparison.add(1, other)
    report_text = "\n".join(report(steps, CHAIN, COSTS))
    measured, expected = (float(re.search(pattern, report_text)[1]) for pattern in (r"([\d.]+)× the speed of", r"([\d.]+)× = "))
    return {
        "load": load,
        "run": {**run_of(run), "ranks": asdict(ranks)},
        "compare": {
            **json.loads(with_plain.begin()),
            "lanes": json.loads(with_plain.more())["lanes"],
            "without": json.loads(without.more())["lanes"][0]["row"]["factor"],
        },
        "curves": json.loads(begin("run", "a pair", [1.0], COSTS, 1)),
        "terminal": {"measured": measured, "expected": expected},
    }


def uneven_run() -> Trace:
    """The second step's call was slowed down ten times; drafting and accepting took no time in the third."""
    slow, quick = replace(chain_step(), target_ms=50.0), replace(chain_step(), draft_ms=0.0, verify_ms=0.0)
    return replace(trace(chain_step(), slow, quick, *[chain_step()] * 97), settings=CHAIN, costs=COSTS)


@pytest.fixture(scope="module")
def cases(tmp_path_factory) -> Path:
    """A file with everything that the tests in JavaScript take from Python."""
    recorded = [
        Trace.from_json(path.read_text(encoding="utf-8")) for path in sorted([*RECORDED.glob("*.json"), *RECORDED.glob("gallery/*.json")])
    ]
    data = {
        "kit": kit(),
        "format": NUMBERS,
        "steps": {name: run_of(trace(step)) for name, step in STEPS.items()},
        "recorded": [run_of(one) for one in recorded],
        "numbers": number_cases(),
        "decimals": decimal_cases(),
        "cuts": cut_cases(),
        "speeds": speed_cases(),
        "predicted": [predicted_case(load) for load in (1.0, 2.0)],
        "uneven": run_of(uneven_run()),
    }
    path = tmp_path_factory.mktemp("web") / "cases.json"
    path.write_text(json.dumps(data, allow_nan=False), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.mjs")))
def test_javascript(name: str, cases: Path) -> None:
    if NODE is None:
        if os.environ.get("CI") == "true":
            pytest.fail("CI must have node")
        pytest.skip("node is not installed")
    environment = {**os.environ, "ERSD_CASES": str(cases)}
    done = subprocess.run(
        [NODE, "--import", "./without_document.mjs", "--test", name], cwd=HERE, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
