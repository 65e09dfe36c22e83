"""Redrawing a step: what the page says for certain of another temperature and k is what the engine does there with the same seed."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import ersd
from ersd.decoding import _steps, drafter_for
from ersd.rerun import ranks_of
from ersd.rules.builtin import RULES
from ersd.walk import Decoded
from tests.web.test_node import HERE, NODE, RECORDED
from visual.assets import WEB
from visual.payload.kit import kit
from visual.payload.messages import messages
from visual.payload.sentences.formatting import token_label

PROMPT = "Once upon a time there was a little girl named"
USUAL = ersd.Settings(max_new_tokens=24)
RUNS = [
    replace(USUAL, topology="tau_star", draft_tokens=8, temperature=0.8, seed=12),
    replace(USUAL, topology="tau_star", draft_tokens=24, temperature=1.3, seed=3),
    replace(USUAL, topology="sequence", draft_tokens=5, temperature=1.0, seed=1),
    replace(USUAL, topology="batch", draft_tokens=24, temperature=0.6, seed=2),
    replace(USUAL, topology="multi_sequence", draft_tokens=9, sequences=3, temperature=0.45, seed=4),
    replace(USUAL, topology="specinfer", branching=(3, 2, 1), temperature=1.7, seed=5),
]
CHOICES = 18
"""For each run."""
TEMPERATURES = (0.1, 0.4, 0.6, 0.7, 0.8, 1.0, 1.2, 1.5, 2.0)


def choices(settings: ersd.Settings, steps: int) -> list[dict[str, Any]]:
    """The run's own settings, then some of all steps, temperatures and k, most with one of the two as recorded."""
    draw, most = random.Random(1), settings.draft_tokens
    smaller = [most] if settings.topology == "specinfer" else [k for k in (1, 2, 3, 4, 7, 10, 16) if k < most]
    own = {"index": steps // 2, "temperature": settings.temperature, "k": most}
    found = [own]
    for number in range(CHOICES):
        temperature = settings.temperature if number % 3 == 0 else draw.choice(TEMPERATURES)
        k = most if number % 3 == 1 else draw.choice(smaller)
        found.append({"index": draw.randrange(steps), "temperature": temperature, "k": k})
    return found


def engine(pair: ersd.ModelPair, trace: ersd.Trace, index: int, temperature: float, k: int) -> Decoded:
    """The step that the engine makes after the same text and the same ranks."""
    before = trace.steps[:index]
    emitted = [one.token for step in before for one in step.emitted]
    left = trace.settings.max_new_tokens - len(emitted)
    settings = replace(trace.settings, temperature=temperature, draft_tokens=k, max_new_tokens=left)
    rule = RULES[settings.algorithm].with_settings(settings)
    drafter = drafter_for(pair, rule, settings)
    for visit in (visit for step in before for visit in step.walk if visit.tries and drafter.ranks):
        drafter.ranks.observe(visit.rank, len(visit.tries))
    with closing(_steps(pair, pair.encode(PROMPT, False) + emitted, settings, rule, drafter)) as steps:
        return next(steps)


@pytest.fixture(scope="module")
def runs(pair) -> list[tuple[ersd.Trace, list[dict[str, Any]]]]:
    traces = [ersd.run(pair, PROMPT, settings) for settings in RUNS]
    return [(trace, choices(trace.settings, len(trace.steps))) for trace in traces]


@pytest.fixture(scope="module")
def truth(pair, runs) -> list[list[Decoded]]:
    return [[engine(pair, trace, **choice) for choice in wanted] for trace, wanted in runs]


def redrawn(pair, runs, web: Path = WEB) -> list[list[dict[str, Any]]]:
    """What the page's module says of every choice."""
    if NODE is None:
        pytest.skip("node is not installed")
    sent = []
    for trace, wanted in runs:
        steps = [json.loads(line) for line in messages(trace)][1:-1]
        ranks = asdict(trace.ranks or ranks_of(pair, trace))
        sent.append({"settings": trace.settings.to_dict(), "steps": steps, "ranks": ranks, "choices": wanted})
    case = json.dumps({"kit": kit(), "runs": sent})
    done = subprocess.run([NODE, "redraw.mjs", str(web)], cwd=HERE, input=case, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def mistakes(pair, found, truth) -> Iterator[str]:
    """Where the engine does something else than what is certain by the page."""

    def label(token: int) -> str:
        return token_label(pair.token_text(token), token)

    labels = Counter(label(token) for token in range(pair.vocab_size))
    tokens = {label(token): token for token in range(pair.vocab_size) if labels[label(token)] == 1}
    for said, made in zip((one for run in found for one in run), (one for run in truth for one in run), strict=True):
        tree, walk = made.scored.tree, made.walk
        accepted = [label(tree.tokens[node]) for node in walk.path]
        if said["why"]:
            if said["path"] != accepted[: len(said["path"])]:
                yield f"path {said['path']} at least, engine {accepted}"
        else:
            own = [label(token) for token in walk.tokens[len(walk.path) :]]
            if (said["path"], [said["own"]] if said["own"] else []) != (accepted, own):
                yield f"{said['path']} {said['own']}, engine {accepted} {own}"
        for visit, visited in zip(said["visits"], walk.visited, strict=False):
            guesses = [label(tree.tokens[child]) for child in visited.children]
            known = guesses[: len(visit["guesses"])] if visit["hasUnknown"] else guesses
            if visit["guesses"] != known:
                yield f"guesses {visit['guesses']}, engine {guesses}"
            p, q = made.scored.p(visited.node)[0], made.scored.q(visited.node)
            if (visit["q"] is None) != (q is None):
                yield "a leaf there, none here"
                continue
            for column, values in (("p", p), ("q", p if q is None else q[0])):
                known = dict(zip(visit["names"], visit[column] or visit["p"], strict=True))
                if any(abs(known[name] - values[tokens[name]].item()) > 1e-4 for name in known if name in tokens):
                    yield f"{column} of {known}"


def test_what_is_certain_is_what_the_engine_does(pair, runs, truth):
    found = redrawn(pair, runs)
    assert list(mistakes(pair, found, truth)) == []
    every = [one for run in found for one in run]
    counts = Counter((not one["why"], one["isSameText"]) for one in every)
    assert counts[True, True] > 0.3 * len(every), "most choices write the recorded text"
    assert counts[True, False] > 0.05 * len(every), "some write another"
    assert any(one["changes"] for one in every)
    own = [run[0] for run in found]
    assert all(one["isSameText"] and not one["why"] and not one["changes"] for one in own), "a run's own settings change nothing"


def shapes_known(pair, web: Path = WEB) -> list[bool]:
    """Whether the module finds the recorded shape of every step of recorded runs, from the ranks before it."""
    traces = [
        ersd.Trace.from_json((RECORDED / name).read_text(encoding="utf-8")) for name in ("first-look.json", "gallery/large-tree.json")
    ]
    fewer = [[{"index": index, "temperature": trace.settings.temperature, "k": 1} for index in range(len(trace.steps))] for trace in traces]
    return [one is not None for run in redrawn(pair, list(zip(traces, fewer, strict=True)), web) for one in run]


def test_the_shape_of_every_step_follows_from_the_ranks_before_it(pair):
    assert all(shapes_known(pair))


BROKEN = {
    "the power is turned round": ("redraw.js", "recorded / temperature", "temperature / recorded"),
    "another sum": ("race.js", "others.log_p[place]", "others.log_p[place + 1]"),
    "ranks from 0": ("redraw.js", "order.indexOf(first) + 1", "order.indexOf(first)"),
    "clocks are left out": ("race.js", "draft: logClock - logQ", "draft: -logQ"),
    "ranks of earlier steps are forgotten": ("shape.js", "steps.slice(0, index)", "steps.slice(0, 0)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_variant_is_caught(name, pair, runs, truth, tmp_path):
    file, right, wrong = BROKEN[name]
    web = tmp_path / "web"
    shutil.copytree(WEB, web)
    source = (web / "redraw" / file).read_text(encoding="utf-8")
    assert right in source
    (web / "redraw" / file).write_text(source.replace(right, wrong), encoding="utf-8")
    found = redrawn(pair, runs, web)
    assert not all(shapes_known(pair, web)) or any(mistakes(pair, found, truth))
