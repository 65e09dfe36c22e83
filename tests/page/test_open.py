"""Open to the world: whatever is sent and whatever breaks, the page and the endpoints report it and can be used again."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

import ersd
from ersd.settings import MAX_CHARACTERS
from visual.server import endpoints, guard
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES, plain_values
from visual.ui.page import build

from .browser import PATIENCE, launched, visits
from .driver import choose, generate, setup, state, unfold

WHOLE, BROKEN = "whole", "broken"


@pytest.fixture(scope="module")
def pairs(pair) -> Pairs:
    def broken():
        raise RuntimeError("header too large")  # as from a library that reads damaged files

    return Pairs({WHOLE: lambda: pair, BROKEN: broken})


@pytest.fixture(scope="module")
def blocks(pairs):
    return build(pairs)


@pytest.fixture(scope="module")
def address(blocks) -> Iterator[str]:
    with launched(blocks) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser, address) -> Iterator:
    """One page for all tests; refusals leave errors in its console."""
    with visits(browser, may_complain=True) as visit:
        page = visit(address)
        setup(page, max_new_tokens=4, draft_tokens=2)
        yield page


def fields(**other) -> list:
    usual = {"prompt": "Once", "models": WHOLE, **plain_values(ersd.Settings(max_new_tokens=2)), **other}
    return [usual[name] for name in NAMES]


def post(address: str, path: str, data: list) -> tuple[int, dict]:
    body = json.dumps({"data": data}).encode()
    request = urllib.request.Request(f"{address}/gradio_api/{path}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE / 1e3) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def error_of(address: str, endpoint: str, data: list) -> str:
    """The error that a call ends with."""
    event = post(address, f"call/{endpoint}", data)[1]["event_id"]
    with urllib.request.urlopen(f"{address}/gradio_api/call/{endpoint}/{event}", timeout=PATIENCE / 1e3) as answer:
        name, said = answer.read().decode().strip().split("\n")[-2:]
    assert name == "event: error"
    return json.loads(said.removeprefix("data: "))["error"]


WRONG = [
    (fields(branching=[1] * 100_000), "branching must be 1 to 16 whole numbers"),
    (fields(branching="²"), "branching must be 1 to 16 whole numbers"),
    (fields(prompt="x" * (MAX_CHARACTERS + 1)), "prompt must have at most 1,000,000 characters"),
    (fields(models=BROKEN), "header too large"),
    (["Once"], "18 values are needed, got 1"),
]


def test_an_endpoint_reports_briefly_what_is_wrong(address):
    for values, message in WRONG:
        error = error_of(address, "run", values)
        assert message in error
        assert len(error) < 500


def works(page) -> None:
    generate(page)
    assert state(page) == "done"


def reports(page, message: str) -> None:
    """Wait until the page shows an error with this message, in no more than a few lines."""
    is_shown = "message => document.querySelector('#player[data-state=error] #player-status')?.innerText.includes(message)"
    page.wait_for_function(is_shown, arg=message)
    assert len(page.inner_text("#player-status")) < 500


def test_the_page_reports_that_the_server_is_busy_and_goes_on(page, address, blocks, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(blocks._queue, "max_size", 0)
        page.click("#generate")
        reports(page, endpoints.BUSY.format(button="Generate"))
        assert post(address, "call/run", fields())[0] == 503
    works(page)


def test_the_page_reports_a_broken_pair_and_goes_on(page):
    unfold(page)
    choose(page, "models", BROKEN)
    page.click("#generate")
    reports(page, "header too large")
    choose(page, "models", WHOLE)
    works(page)


def test_the_page_reports_what_is_wrong_with_a_prompt_and_goes_on(page, monkeypatch):
    monkeypatch.setattr(guard, "MAX_BYTES", 1_500_000)  # the longest prompt, written in one byte a character, and half as much again
    put = """(prompt) => {
      const area = document.querySelector("#prompt textarea");
      area.style.display = prompt === "half" ? "" : "none"; // Chromium needs minutes to lay out a word this long
      area.value = prompt === "half" ? "half " + String.fromCharCode(0xd800) : "x".repeat(2e6);
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }"""
    for prompt, message in (("half", "Prompt must be whole characters"), ("long", "Prompt must have at most 1,000,000 characters")):
        page.evaluate(put, prompt)
        page.click("#generate")
        reports(page, message)
    page.evaluate(put, "half")
    setup(page, prompt="Once")
    works(page)


def test_a_prompt_may_be_anything_and_is_shown_as_text(page):
    prompt = '\x01\x1b[2J \u202eשלום😀 "><img src=x onerror="window.owned=1"><script>window.owned=1</script>'
    generate(page, prompt=prompt)
    assert state(page) == "done"
    assert page.text_content("#player-text").startswith(prompt)
    assert page.locator("#player img").count() == 0
    assert page.evaluate("window.owned") is None


def test_a_link_with_a_huge_number_is_reported(page, address):
    page.goto(f"{address}/?method=SpecInfer&branching={'9' * 5000}")
    reports(page, " must be ")


def test_a_run_has_a_time_limit_and_its_error_names_it(page, address, pairs, monkeypatch):
    monkeypatch.setattr(pairs, "run_seconds", 1e-9)
    page.click("#generate")
    reports(page, "Ended after step 1: a run may take 1e-09 s here.")
    assert page.get_attribute("#player", "data-steps") == "1"
    assert error_of(address, "run", fields(max_new_tokens=50)).startswith("Ended after step 1")
