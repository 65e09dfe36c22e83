"""A Space on ZeroGPU, with a stand-in for its package `spaces` that forks, pickles and yields like the real one."""

from __future__ import annotations

import json
import os
import re
import signal
import time
import urllib.request
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import gradio_client
import pytest

import ersd
from visual.server import zero_gpu
from visual.server.queue import RUNNING_LIMIT, position

from .browser import PATIENCE, served, visits
from .driver import press_generate, wait_until_under_way

STAND_IN = Path(__file__).parent / "zero_gpu"
QUOTA = 150
TOO_LONG = {"algorithm": "gsd", "topology": "sequence", "draft_tokens": 64, "max_new_tokens": 4000}
"""A run beyond the quota."""
REFUSED = (None, "failed: ZeroGPU quota exceeded")
"""Tokens and outcome in its line of the log: only the process of the call knows how many tokens there were."""


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("zero_gpu") / "log"


@pytest.fixture(scope="module")
def space(log):
    variables = {
        "SPACE_ID": "someone/exponential-races", "SPACES_ZERO_GPU": "true", "PYTHONPATH": str(STAND_IN), "STAND_IN_QUOTA": str(QUOTA),
        "STAND_IN_PAUSE": "0.05", "GRADIO_SSR_MODE": "True",
        "ERSD_PAIRS": "SmolLM2 1.7B ← 135M", "ERSD_HOST": "127.0.0.1", "ERSD_TARGET": "somebody/else", "ERSD_DRAFT": "somebody/else",
    }  # fmt: skip
    with served(log, **variables) as (address, _):
        yield gradio_client.Client(address, verbose=False), address


@pytest.fixture
def open_space(space, browser) -> Iterator[Callable]:
    """Opens a page of the Space; refusals leave errors in its console."""
    with visits(browser, may_complain=True) as visit:
        yield lambda query: visit(space[1], f"?{query}")


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE / 1e3
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def until_all_have_ended(log: Path) -> None:
    until(lambda: log.read_text().count("has ended") == log.read_text().count("a call in process"))


def logged(log: Path, already: int = 0) -> list[tuple]:
    """The lines of the log about requests, after this many."""
    lines = [json.loads(line) for line in log.read_text().split("\n") if line.startswith("{")]
    return [tuple(line[name] for name in ("request", "method", "k", "tokens", "outcome")) for line in lines[already:]]


def kinds_of(job) -> list[str]:
    """The types of the messages so far, each series once."""
    return [kind for kind, _ in groupby(json.loads(message)["type"] for message in job.outputs())]


def queued(address: str) -> tuple[int, int]:
    """How many runs go on and wait, by `/health`."""
    with urllib.request.urlopen(f"{address}/health", timeout=PATIENCE / 1e3) as answer:
        health = json.load(answer)
    return health["running"], health["waiting"]


def text_of(job) -> str:
    steps = [message for message in map(json.loads, job.outputs()) if message["type"] == "step"]
    return "".join(one["text"] for message in steps for one in message["text"])


def test_a_run_is_made_in_a_process_of_its_own_with_a_declared_bound(space, log, pair):
    client, _ = space
    expected = ersd.run(pair, "Once upon", ersd.Settings(max_new_tokens=12, seed=5)).text
    trace = ersd.Trace.from_json(client.predict("Once upon", max_new_tokens=12, seed=5, api_name="/run"))
    job = client.submit("Once upon", max_new_tokens=12, seed=5, api_name="/generate")
    job.result()
    assert kinds_of(job) == ["begin", "step", "end"]
    assert trace.text == text_of(job) == expected
    said = log.read_text()
    calls = re.findall(r"a call in process (\d+) of (\d+)", said)
    assert len(calls) == 2
    assert all(worker != main for worker, main in calls)
    assert "loading threads []" in said
    declared = [int(seconds) for seconds in re.findall(r"declared (\d+) s", said)]
    assert declared[-1] == int(zero_gpu.seconds_of(ersd.Settings(max_new_tokens=12))) + 1


def test_pairs_are_loaded_before_the_page_is_served_and_only_those_that_can_be(space, log):
    client, _ = space
    said = log.read_text()
    assert said.index("Loaded embedded storyteller") < said.index("Serving http://")
    assert "through transformers" in said
    assert "SmolLM2 1.7B ← 135M is not offered" in said  # there is no network
    assert "--target and --draft are not used" in said
    with pytest.raises(Exception, match="models must be one of embedded storyteller, got"):
        client.predict("Once upon", models="somebody/else", api_name="/run")


@pytest.mark.parametrize("endpoint", ["generate", "run"])
def test_a_client_beyond_the_quota_gets_a_message_and_a_line_in_the_log(space, log, endpoint):
    already = len(logged(log))
    with pytest.raises(Exception, match=r"exceeded your GPU quota \(\d+s requested vs\. 150s left\)\. Try later"):
        space[0].predict("Once upon", **TOO_LONG, api_name=f"/{endpoint}")
    assert logged(log, already) == [(endpoint, "standard", 64, *REFUSED)]


@pytest.mark.parametrize(
    ("query", "board", "fields", "lines"),
    [
        ("max_new_tokens=4000&method=standard&draft_tokens=64", "player", "", [("page", "standard", 64)]),
        ("tab=compare&methods=standard,one by one&draft_tokens=64,64&max_new_tokens=4000", "compare", "compare-",
         [("compare", "standard", 64), ("compare", "one by one", 0)]),
    ],
)  # fmt: skip
def test_the_page_beyond_the_quota_shows_a_message_and_goes_on(open_space, log, query, board, fields, lines):
    already = len(logged(log))
    page = open_space(query)
    page.wait_for_selector(f"#{board}[data-state='error']")
    text = page.inner_text(f"#{board}-status")
    assert "You have exceeded your GPU quota" in text
    assert "Try later" in text
    assert "<" not in text
    # the line of the run before may still be on its way
    refused = [line for line in logged(log, already) if line[-1] != "done"]
    assert refused == [(*line, *REFUSED) for line in lines], "a line for every method"
    page.fill(f"#{fields}max-new-tokens input", "6")
    page.click(f"#{fields}generate")
    page.wait_for_selector(f"#{board}[data-state='done']")


def test_a_run_whose_process_is_killed_is_reported(space, log):
    already = len(logged(log))
    job = space[0].submit("Once upon", algorithm="autoregressive", max_new_tokens=250, api_name="/generate")
    until(lambda: kinds_of(job)[-1:] == ["step"])
    os.kill(int(re.findall(r"a call in process (\d+)", log.read_text())[-1]), signal.SIGKILL)
    with pytest.raises(Exception, match="GPU task aborted"):
        job.result(timeout=PATIENCE / 1e3)
    assert json.loads(job.outputs()[-1])["words"] == "GPU task aborted"
    assert logged(log, already) == [("generate", "one by one", 0, None, "failed: ZeroGPU worker error")]


def test_stop_and_closing_the_tab_end_the_process(open_space, log):
    page = open_space("method=one%20by%20one&max_new_tokens=250&seed=3")  # each call takes STAND_IN_PAUSE
    wait_until_under_way(page)
    page.click("#stop")
    page.wait_for_selector("#player[data-state='stopped']")
    until_all_have_ended(log)
    press_generate(page)
    wait_until_under_way(page)
    page.close()
    until_all_have_ended(log)


def test_runs_wait_in_the_queue_and_only_then_get_a_process(space, log, pair):
    client, address = space
    before = log.read_text().count("a call in process")
    long = {"algorithm": "autoregressive", "max_new_tokens": 250, "seed": 3, "api_name": "/generate"}
    others = [gradio_client.Client(address, verbose=False) for _ in range(RUNNING_LIMIT)]
    first = [other.submit("Once upon", **long) for other in others]
    until(lambda: all(kinds_of(job)[-1:] == ["step"] for job in first))
    last = client.submit("Once upon", max_new_tokens=12, seed=5, api_name="/generate")
    until(lambda: kinds_of(last) == ["status"])
    assert json.loads(last.outputs()[0])["words"] == position(0)
    assert queued(address) == (RUNNING_LIMIT, 1)
    assert log.read_text().count("a call in process") == before + RUNNING_LIMIT
    first[0].cancel()  # its process ends, and the next run starts
    last.result(timeout=PATIENCE / 1e3)
    assert text_of(last) == ersd.run(pair, "Once upon", ersd.Settings(max_new_tokens=12, seed=5)).text
    assert kinds_of(first[1])[-1] == "step", "the other one goes on"
    first[1].cancel()
    until_all_have_ended(log)
    until(lambda: queued(address) == (0, 0))


def test_the_bound_is_a_step_for_every_token_and_a_call_for_every_level():
    seconds = zero_gpu.seconds_of
    calls = 100 * (1 + 4)
    standard = ersd.Settings(algorithm="gsd", topology="sequence", draft_tokens=4, max_new_tokens=100)
    assert seconds(standard) == pytest.approx(zero_gpu.START_SECONDS + calls * zero_gpu.USUAL_LAYERS * zero_gpu.LAYER_SECONDS)
    chain, batch = (ersd.Settings(topology=tree, draft_tokens=16) for tree in ("sequence", "batch"))
    assert seconds(ersd.Settings(algorithm="autoregressive")) < seconds(batch) < seconds(chain)
    assert seconds(chain, batch) == pytest.approx(seconds(chain) + seconds(batch) - zero_gpu.START_SECONDS), "one process for a comparison"
    assert seconds() == zero_gpu.START_SECONDS, "if the request is invalid"
    assert zero_gpu.without_html("Out of quota.<br> <a href='x'>Sign in</a>") == "Out of quota. Sign in"
