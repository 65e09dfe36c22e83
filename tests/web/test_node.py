"""The page's pure JavaScript, tested by `node --test` against steps, numbers and cuts that Python makes."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ersd.formatting import decimal
from ersd.settings import Settings
from ersd.trace.model import Step, Trace
from ersd.trace.rank_sequence import RankSequence, cut, static_topologies
from tests.visual.fakes import bare_step, block_step, coin_step, greedy_step, large_step, leaf_step, race_step, residual_step, trace
from visual.payload.messages import kit, messages
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
    """Texts with the steps into which `ersd.trace.rank_sequence.cut` divides them."""
    cases = []
    for sequence in rank_sequences():
        for topology in static_topologies():
            for k in (1, 2, 7, 64, 200):
                settings = Settings(topology=topology, draft_tokens=k, sequences=3, branching=(5, 2, 2))
                steps = [[one.tokens, one.accepted, one.levels] for one in cut(sequence, settings)]
                cases.append({"ranks": asdict(sequence), "choice": settings.to_dict(), "steps": steps})
    return cases


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
    done = subprocess.run([NODE, "--test", name], cwd=HERE, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
