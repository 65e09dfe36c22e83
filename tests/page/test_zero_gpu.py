"""A Space on ZeroGPU, with a stand-in for its package `spaces` that forks, pickles and yields like the real one."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import gradio_client
import pytest

import ersd
from visual.page import zero_gpu

from .browser import served

STAND_IN = Path(__file__).parent / "zero_gpu"
QUOTA = 150


@pytest.fixture(scope="module")
def log(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("zero_gpu") / "log"


@pytest.fixture(scope="module")
def space(log):
    variables = {
        "SPACE_ID": "someone/exponential-races", "SPACES_ZERO_GPU": "true", "PYTHONPATH": str(STAND_IN), "STAND_IN_QUOTA": str(QUOTA),
        "ERSD_PAIRS": "SmolLM2 1.7B ← 135M", "ERSD_HOST": "127.0.0.1", "ERSD_TARGET": "somebody/else", "ERSD_DRAFT": "somebody/else",
    }  # fmt: skip
    with served(log, **variables) as (address, _):
        yield gradio_client.Client(address, verbose=False), address


def declared(log: Path) -> list[int]:
    return [int(seconds) for seconds in re.findall(r"declared (\d+) s", log.read_text())]


def all_have_ended(log: Path) -> None:
    until = time.monotonic() + 20
    while (said := log.read_text()).count("has ended") < said.count("a call in process") and time.monotonic() < until:
        time.sleep(0.1)
    assert said.count("has ended") == said.count("a call in process")


def test_a_run_is_made_in_a_process_of_its_own_with_a_declared_bound(space, log):
    client, _ = space
    trace = ersd.Trace.from_json(client.predict("Once upon", max_new_tokens=12, seed=5, api_name="/run"))
    assert trace.text == ersd.run(ersd.load_pair(), "Once upon", ersd.Settings(max_new_tokens=12, seed=5)).text
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


def test_a_run_beyond_the_quota_is_refused_in_words_on_the_page(space, browser):
    _, address = space
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/?max_new_tokens=4000&method=standard&draft_tokens=64")
    page.wait_for_selector("#player[data-state='error']", timeout=30_000)
    words = page.inner_text("#player .ersd-status")
    assert "You have exceeded your GPU quota" in words
    assert "Try later" in words
    assert "<" not in words
    page.fill("#max-new-tokens input", "8")
    page.click("#generate")
    page.wait_for_selector("#player[data-state='done']", timeout=30_000)
    page.close()


def test_stop_ends_the_process(space, browser, log):
    _, address = space
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/?draft_tokens=256&max_new_tokens=250&seed=3")
    page.wait_for_selector("#player[data-state='running']:not([data-steps='0'])", timeout=30_000)
    page.click("#stop")
    page.wait_for_selector("#player[data-state='stopped']", timeout=30_000)
    all_have_ended(log)
    page.click("#generate")
    page.wait_for_selector("#player[data-state='running']:not([data-steps='0'])", timeout=30_000)
    page.close()
    all_have_ended(log)


def test_the_bound_is_every_token_a_step_and_every_level_a_call():
    settings = ersd.Settings(algorithm="gsd", topology="sequence", draft_tokens=4, max_new_tokens=100)
    calls = 100 * (1 + 4)
    assert zero_gpu.seconds_of(settings) == pytest.approx(zero_gpu.START_SECONDS + calls * zero_gpu.USUAL_LAYERS * zero_gpu.LAYER_SECONDS)


def test_the_bound_grows_with_what_is_asked_and_is_given_for_bad_fields_too():
    seconds = zero_gpu.seconds_of
    chain, batch = (ersd.Settings(topology=tree, draft_tokens=16) for tree in ("sequence", "batch"))
    assert seconds(ersd.Settings(algorithm="autoregressive")) < seconds(batch) < seconds(chain)
    assert seconds(ersd.Settings(max_new_tokens=128)) > seconds(ersd.Settings(max_new_tokens=64))
    assert zero_gpu.seconds_for({"draft_tokens": -1}) == zero_gpu.START_SECONDS
    assert zero_gpu.in_words("Out of quota.<br> <a href='x'>Sign in</a>") == "Out of quota. Sign in"
