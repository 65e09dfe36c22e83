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
from visual.server.endpoints import AT_ONCE
from visual.server.queue import in_words

from .browser import served
from .driver import press_generate, wait_until_under_way

STAND_IN = Path(__file__).parent / "zero_gpu"
QUOTA = 150
LONG = "method=one%20by%20one&max_new_tokens=250&seed=3"
"""A link to a run of many calls, each of which takes a while here: STAND_IN_PAUSE."""


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
    """Opens a page of the Space; it is closed behind the test."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})

    def open_at(query: str):
        page.goto(f"{space[1]}/?{query}")
        return page

    yield open_at
    page.close()


def declared(log: Path) -> list[int]:
    return [int(seconds) for seconds in re.findall(r"declared (\d+) s", log.read_text())]


def until(is_so: Callable[[], bool]) -> None:
    """Waits for it."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def all_have_ended(log: Path) -> None:
    until(lambda: log.read_text().count("has ended") == log.read_text().count("a call in process"))


def test_a_run_is_made_in_a_process_of_its_own_with_a_declared_bound(space, log, pair):
    client, _ = space
    trace = ersd.Trace.from_json(client.predict("Once upon", max_new_tokens=12, seed=5, api_name="/run"))
    assert trace.text == ersd.run(pair, "Once upon", ersd.Settings(max_new_tokens=12, seed=5)).text
    answer = client.submit("Once upon", max_new_tokens=12, seed=5, api_name="/generate")
    answer.result()
    kinds = [json.loads(message)["type"] for message in answer.outputs()]
    assert kinds[0] == "begin"
    assert kinds[-1] == "end"
    assert kinds.count("step") == len(trace.steps)
    said = log.read_text()
    calls = re.findall(r"a call in process (\d+) of (\d+)", said)
    assert len(calls) == 2
    assert all(worker != main for worker, main in calls)
    assert "loading threads []" in said
    assert declared(log)[-1] == int(zero_gpu.seconds_of(ersd.Settings(max_new_tokens=12))) + 1


def test_pairs_are_loaded_before_the_page_is_served_and_only_those_that_can_be(space, log):
    client, _ = space
    said = log.read_text()
    assert said.index("Loaded embedded storyteller") < said.index("Serving http://")
    assert "through transformers" in said
    assert "SmolLM2 1.7B ← 135M is not offered" in said  # there is no network
    assert "--target and --draft are not used" in said
    with pytest.raises(Exception, match="models must be one of embedded storyteller, got"):
        client.predict("Once upon", models="somebody/else", api_name="/run")


TOO_LONG = {"algorithm": "gsd", "topology": "sequence", "draft_tokens": 64, "max_new_tokens": 4000}
"""A run beyond the quota."""


def logged(log: Path) -> list[dict]:
    """The lines of the log that are about requests."""
    return [json.loads(line) for line in log.read_text().split("\n") if line.startswith("{")]


def refused(log: Path, already: int) -> list[tuple]:
    """What the lines say that came after so many."""
    return [tuple(line[name] for name in ("request", "method", "k", "tokens", "outcome")) for line in logged(log)[already:]]


REFUSED = (None, "failed: ZeroGPU quota exceeded")
"""Tokens and outcome: how many there were only the process of a call knows."""


@pytest.mark.parametrize("endpoint", ["generate", "run"])
def test_a_client_beyond_the_quota_gets_words_and_leaves_a_line_in_the_log(space, log, endpoint):
    client, _ = space
    already = len(logged(log))
    with pytest.raises(Exception, match=r"exceeded your GPU quota \(\d+s requested vs\. 150s left\)\. Try later"):
        client.predict("Once upon", **TOO_LONG, api_name=f"/{endpoint}")
    assert refused(log, already) == [(endpoint, "standard", 64, *REFUSED)]


def test_a_comparison_beyond_the_quota_is_refused_in_words_and_every_method_leaves_a_line(open_space, log):
    already = len(logged(log))
    page = open_space("tab=compare&methods=standard,one by one&draft_tokens=64,64&max_new_tokens=4000")
    page.wait_for_selector("#compare[data-state='error']", timeout=30_000)
    assert "You have exceeded your GPU quota" in page.inner_text("#compare-status")
    assert {page.get_attribute(f"#compare-{place}", "data-state") for place in (1, 2)} == {"error"}
    assert refused(log, already) == [("compare", "standard", 64, *REFUSED), ("compare", "one by one", 0, *REFUSED)]
    page.fill("#compare-max-new-tokens input", "6")
    page.click("#compare-generate")
    page.wait_for_selector("#compare[data-state='done']", timeout=30_000)


def test_a_run_whose_process_is_killed_says_so_and_leaves_a_line(space, log):
    client, _ = space
    already = len(logged(log))
    job = client.submit("Once upon", algorithm="autoregressive", max_new_tokens=250, api_name="/generate")
    until(lambda: kinds_of(job)[-1:] == ["step"])
    os.kill(int(re.findall(r"a call in process (\d+)", log.read_text())[-1]), signal.SIGKILL)
    with pytest.raises(Exception, match="GPU task aborted"):
        job.result(timeout=60)
    assert json.loads(job.outputs()[-1])["words"] == "GPU task aborted"
    assert refused(log, already) == [("generate", "one by one", 0, None, "failed: ZeroGPU worker error")]


def test_a_run_beyond_the_quota_is_refused_in_words_on_the_page(open_space, log):
    already = len(logged(log))
    page = open_space("max_new_tokens=4000&method=standard&draft_tokens=64")
    page.wait_for_selector("#player[data-state='error']", timeout=30_000)
    words = page.inner_text("#player .ersd-status")
    assert "You have exceeded your GPU quota" in words
    assert "Try later" in words
    assert "<" not in words
    assert refused(log, already) == [("page", "standard", 64, *REFUSED)]
    page.fill("#max-new-tokens input", "8")
    page.click("#generate")
    page.wait_for_selector("#player[data-state='done']", timeout=30_000)


def test_stop_ends_the_process(open_space, log):
    page = open_space(LONG)
    wait_until_under_way(page)
    page.click("#stop")
    page.wait_for_selector("#player[data-state='stopped']", timeout=30_000)
    all_have_ended(log)
    press_generate(page)
    wait_until_under_way(page)
    page.close()
    all_have_ended(log)


def test_runs_wait_for_their_turn_and_then_have_a_process_each(space, log, pair):
    client, address = space
    before = log.read_text().count("a call in process")
    ended = log.read_text().count("has ended")
    long = {"algorithm": "autoregressive", "max_new_tokens": 250, "seed": 3, "api_name": "/generate"}
    others = [gradio_client.Client(address, verbose=False) for _ in range(AT_ONCE)]
    first = [other.submit("Once upon", **long) for other in others]
    until(lambda: all(kinds_of(job)[-1:] == ["step"] for job in first))
    last = client.submit("Once upon", max_new_tokens=12, seed=5, api_name="/generate")
    until(lambda: kinds_of(last) == ["status"])
    assert json.loads(last.outputs()[0])["words"] == in_words(0)
    assert how_it_is(address) == {"running": AT_ONCE, "waiting": 1}
    assert log.read_text().count("a call in process") == before + AT_ONCE, "who waits has no process"
    first[0].cancel()  # its process ends, and its turn goes on
    last.result(timeout=60)
    steps = [message for message in map(json.loads, last.outputs()) if message["type"] == "step"]
    text = "".join(one["text"] for message in steps for one in message["text"])
    assert text == ersd.run(pair, "Once upon", ersd.Settings(max_new_tokens=12, seed=5)).text
    assert kinds_of(first[1])[-1] == "step", "the other one goes on"
    first[1].cancel()
    until(lambda: log.read_text().count("has ended") == ended + AT_ONCE + 1)
    until(lambda: how_it_is(address) == {"running": 0, "waiting": 0})


def kinds_of(job) -> list[str]:
    """What kinds of messages have come, in order."""
    return [kind for kind, _ in groupby(json.loads(message)["type"] for message in job.outputs())]


def how_it_is(address: str) -> dict[str, int]:
    """What `/health` says of the queue."""
    with urllib.request.urlopen(f"{address}/health", timeout=30) as answer:
        said = json.load(answer)
    return {name: said[name] for name in ("running", "waiting")}


def test_the_bound_is_every_token_a_step_and_every_level_a_call():
    settings = ersd.Settings(algorithm="gsd", topology="sequence", draft_tokens=4, max_new_tokens=100)
    calls = 100 * (1 + 4)
    assert zero_gpu.seconds_of(settings) == pytest.approx(zero_gpu.START_SECONDS + calls * zero_gpu.USUAL_LAYERS * zero_gpu.LAYER_SECONDS)


def test_the_bound_grows_with_what_is_asked_and_is_the_start_alone_where_nothing_can_be_run():
    seconds = zero_gpu.seconds_of
    chain, batch = (ersd.Settings(topology=tree, draft_tokens=16) for tree in ("sequence", "batch"))
    assert seconds(ersd.Settings(algorithm="autoregressive")) < seconds(batch) < seconds(chain)
    assert seconds(ersd.Settings(max_new_tokens=128)) > seconds(ersd.Settings(max_new_tokens=64))
    assert seconds(chain, batch) == pytest.approx(seconds(chain) + seconds(batch) - zero_gpu.START_SECONDS), "one process for a comparison"
    assert seconds() == zero_gpu.START_SECONDS, "where something is wrong with what is asked for"
    assert zero_gpu.in_words("Out of quota.<br> <a href='x'>Sign in</a>") == "Out of quota. Sign in"
