"""A rule from outside the package: the tests of laws find it in the registry, and what the page says of a run of it is true."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import ersd
from ersd.cli.report import report
from ersd.drafts.topologies import is_allowed
from ersd.sampling import probabilities
from visual.payload.messages import RunMessages
from visual.payload.sentences.formatting import decimal, ordinal, quoted, visible
from visual.payload.sentences.kinds import NEUTRAL
from visual.payload.sentences.numbers import number

from . import naive

ROOT = Path(__file__).resolve().parent.parent.parent
LAWS = ("test_vertex_law", "test_joint_law", "test_output_law", "test_replay", "test_lab")
CHOSEN = "naive and (tau_star or not test_output_law) or registry"
"""Through the whole engine one tree is enough here: the others are decided by the same code, and `test_replay.py` takes them all."""
FEWEST = 70
"""Tests of these files that go through the registry and so must run for one more lossless rule that samples."""


def test_the_tests_of_laws_find_it_without_a_list_to_edit():
    files = [str(next((ROOT / "tests" / "ersd").rglob(f"{name}.py"))) for name in LAWS]
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-p", "tests.ersd.naive", "-k", CHOSEN, *files]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "HF_HUB_OFFLINE": "1"})
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-2000:]
    closing = re.search(r"(\d+) passed(?:, (\d+) deselected)? in", ran.stdout)
    assert closing, ran.stdout[-500:]
    assert int(closing[1]) >= FEWEST


@pytest.fixture(params=[(topology, k) for topology in ersd.TOPOLOGIES if topology != "dynamic" for k in (1, 6)], ids=str)
def told(request, pair, monkeypatch):
    """A run of the rule, with what the page is told of it: (trace, first message, messages of the steps)."""
    naive.known(monkeypatch)
    topology, k = request.param
    settings = ersd.Settings("naive", topology, draft_tokens=k, branching=(3, 1) if k > 1 else (1,), max_new_tokens=40, seed=k, top_k=40)
    trace = ersd.run(pair, "Once upon a time", settings)
    narrator = RunMessages(trace.prompt, trace.settings, "a pair")
    return trace, json.loads(narrator.begin()), [json.loads(narrator.step(step)) for step in trace.steps]


def test_it_is_refused_only_for_having_no_order(monkeypatch):
    naive.known(monkeypatch)
    assert [topology for topology in ersd.TOPOLOGIES if not is_allowed("naive", topology)] == ["dynamic"]
    with pytest.raises(ValueError, match="the draft of naive has no order of all tokens to grow the tree by"):
        ersd.Settings("naive", "dynamic")


def laws_along(pair, trace):
    """The target's distributions behind every token of the text, from one plain forward: position -> [vocab]."""
    ids = pair.encode(trace.prompt) + trace.token_ids
    with torch.inference_mode():
        logits = pair.target(torch.tensor([ids])).logits[0, :, : pair.vocab_size]
    return probabilities(logits, trace.settings.temperature, trace.settings.top_k, trace.settings.top_p)


def truth(step, visit, p):
    """What can be said of a decision, read from the tree and from the target's law p alone."""
    token = f"{quoted(visible(visit.text, visit.token))} (p = {number(p[visit.token].item())})"
    children = [child for child, parent in enumerate(step.parents) if parent == visit.vertex]
    if not children:
        free = "The tree ended here, so it comes free with the same target call."
        none = "Nothing was drafted: one target call gives one token."
        return f"The next token {token} is the target's own. {free if step.tokens else none}"
    drafted = [step.tokens[child] for child in children]
    if visit.token not in drafted:
        none_of = f"none of the {len(children)} drafted children" if len(children) > 1 else "not the one drafted child"
        return f"Not drafted: the token chosen here, {token}, is {none_of}."
    place = f"{ordinal(1 + drafted.index(visit.token))} of {len(children)} children" if len(children) > 1 else "the only child"
    return f"Accepted: {token} was chosen here, and it was drafted ({place})."


def test_every_sentence_about_a_run_of_it_is_true(pair, told):
    trace, begin, messages = told
    laws, kinds = laws_along(pair, trace), set()
    assert begin["kind"] == NEUTRAL
    assert begin["exact"]["kind"] == "same-text"
    for step, message in zip(trace.steps, messages, strict=True):
        chosen = {visit.vertex: visit for visit in step.walk}
        assert set(message["decisions"]) == {str(vertex) for vertex in chosen}
        for place, visit in enumerate(step.walk):
            decision = message["decisions"][str(visit.vertex)]
            assert decision["say"] == truth(step, visit, laws[step.position + place - 1])
            kinds.add(decision["say"].split()[0])
        lost = [child for child, parent in enumerate(step.parents) if parent in chosen and step.tokens[child] != chosen[parent].token]
        other = "Rejected: the token chosen here is {}, not this one."
        assert message["tree"]["why"] == {
            str(child): other.format(quoted(visible(chosen[step.parents[child]].text, chosen[step.parents[child]].token))) for child in lost
        }
    assert kinds >= {"Accepted:", "Not"}


FALSE = re.compile(r"\brac|arriv|coin|likel|\bleft\b|ratio\b|keep|clock|gumbel|◆|reject", re.IGNORECASE)
"""Words of rules that decide in another way."""


def test_nothing_it_is_told_speaks_of_a_race_of_coins_or_of_what_is_left(told):
    _, begin, messages = told
    cells = json.dumps(begin["theory"], ensure_ascii=False)
    assert not FALSE.search(cells)
    for message in messages:
        for decision in message["decisions"].values():
            assert decision["kind"] == NEUTRAL
            assert not FALSE.search(decision["title"].split("“")[0])
            assert not FALSE.search(decision["say"].replace("Rejected:", ""))
            assert set(decision["marks"]) <= {"accepted", "target", "drafted", ""}
            assert not {"clock", "tries", "left"} & set(decision)
            assert not {"match", "rho", "bias", "predicted"} & set(decision["facts"])


def test_the_record_holds_no_figure_that_is_not_known(told):
    trace, _, _ = told
    for step in trace.steps:
        assert step.block == []
        for visit in step.walk:
            assert visit.kind == "own draw"
            assert (visit.match, visit.rho, visit.bias, visit.margin, visit.predicted) == (None,) * 5
            assert (visit.optimum is None) == (not visit.tries)
            assert all((one.ratio, one.coin, one.left, one.drawn, one.draft_time) == (None,) * 5 for one in visit.tries)
            assert all((row.clock, row.draft_time, row.target_time, row.left) == (None, None, None, []) for row in visit.rows)
    assert trace.stats["predicted_acceptance"] is None
    assert trace.stats["optimal_acceptance"] is not None
    assert ersd.Trace.from_json(trace.to_json()) == trace
    assert f"acceptance  {decimal(trace.stats['acceptance'])} measured" in list(report(trace.steps, trace.settings))
