"""Open to the world: whatever is sent and whatever breaks, the page and the endpoints say it in words and can be used again."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest

import ersd
from ersd.settings import MOST_CHARACTERS
from visual.server import endpoints, guard as gate
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES, plain_values
from visual.ui.page import build

from .browser import launched
from .driver import choose, generate, setup, state, unfold

WHOLE, BROKEN = "whole", "broken"
HUGE = 10**400


@pytest.fixture(scope="module")
def blocks(pair):
    def broken():
        raise RuntimeError("header too large")  # as from a library that reads damaged files

    return build(Pairs({WHOLE: lambda: pair, BROKEN: broken}))


@pytest.fixture(scope="module")
def address(blocks):
    with launched(blocks) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser, address):
    page = browser.new_page()
    page.goto(address)
    page.wait_for_selector("#player[data-state][data-steps]")
    setup(page, max_new_tokens=4, draft_tokens=2)
    yield page
    page.close()


@pytest.fixture(scope="module")
def other_page(browser):
    """For what needs an address or a server of its own."""
    page = browser.new_page()
    yield page
    page.close()


def fields(**other) -> list:
    usual = {"prompt": "Once", "models": WHOLE, **plain_values(ersd.Settings(max_new_tokens=2)), **other}
    return [usual[name] for name in NAMES]


def post(address: str, path: str, data: list) -> tuple[int, dict]:
    body = json.dumps({"data": data}).encode()
    request = urllib.request.Request(f"{address}/gradio_api/{path}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)


def called(address: str, endpoint: str, data: list) -> str:
    """What the last event of a call says."""
    event = post(address, f"call/{endpoint}", data)[1]["event_id"]
    with urllib.request.urlopen(f"{address}/gradio_api/call/{endpoint}/{event}", timeout=60) as answer:
        name, said = answer.read().decode().strip().split("\n")[-2:]
    assert name == "event: error"
    return json.loads(said.removeprefix("data: "))["error"]


WRONG = [
    ({"seed": HUGE}, "seed must be a whole number"),
    ({"temperature": HUGE}, "temperature must be a number"),
    ({"branching": "9" * 400}, "branching must be 1 to 16 whole numbers"),
    ({"branching": "9" * 5000}, "branching must be 1 to 16 whole numbers"),
    ({"branching": [1] * 100_000}, "branching must be 1 to 16 whole numbers"),
    ({"branching": "²"}, "branching must be 1 to 16 whole numbers"),
    ({"prompt": "half \ud800 of one"}, "prompt must be whole characters"),
    ({"prompt": "x" * (MOST_CHARACTERS + 1)}, "prompt must have at most 1,000,000 characters"),
    ({"models": [WHOLE]}, "models must be one of"),
    ({"models": "x" * 5000}, "models must be one of"),
    ({"models": BROKEN}, "header too large"),
    ({"algorithm": "x" * 5000}, "algorithm must be one of"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG, ids=[words for _, words in WRONG])
@pytest.mark.parametrize("endpoint", ["run", "generate"])
def test_endpoints_say_what_is_wrong_briefly(address, endpoint, wrong, words):
    said = called(address, endpoint, fields(**wrong))
    assert said.startswith(words)
    assert len(said) < 500


def test_a_call_with_too_few_values_gets_words(address):
    assert "14 values are needed, got 1" in called(address, "run", ["Once"])


def test_no_run_but_through_the_queue_and_no_more_in_it_than_are_let_in(address, blocks, monkeypatch):
    for path in ("run/run", "api/generate", "run/generate/"):
        assert post(address, path, fields())[0] == 404
    monkeypatch.setattr(blocks._queue, "max_size", 0)
    status, answer = post(address, "call/run", fields())
    assert status == 503
    assert "Queue is full" in answer["detail"]


def works(page) -> None:
    generate(page)
    assert state(page) == "done"


def is_told(page, words: str) -> None:
    """Waits until the page says these words, as an error and in no more than a few lines."""
    is_said = "words => document.querySelector('#player[data-state=error] #player-status')?.innerText.includes(words)"
    page.wait_for_function(is_said, arg=words)
    assert len(page.inner_text("#player-status")) < 500


def test_the_page_says_that_it_is_busy_and_goes_on(page, blocks, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(blocks._queue, "max_size", 0)
        page.click("#generate")
        is_told(page, endpoints.BUSY)
    works(page)


def test_the_page_says_that_a_pair_is_broken_and_goes_on(page):
    unfold(page)
    choose(page, "models", BROKEN)
    page.click("#generate")
    is_told(page, "header too large")
    choose(page, "models", WHOLE)
    works(page)


def test_the_page_says_what_is_wrong_with_a_prompt_and_goes_on(page, monkeypatch):
    monkeypatch.setattr(gate, "MOST_BYTES", 1_500_000)  # the longest prompt, written in one byte a character, and half as much again
    put = "prompt => { const area = document.querySelector('#prompt textarea'); area.value = prompt();"
    put += " area.dispatchEvent(new Event('input', { bubbles: true })); }"
    for prompt, words in (
        ("() => 'half ' + String.fromCharCode(0xd800)", "Prompt must be whole characters"),
        ("() => 'x'.repeat(2e6)", "Prompt must have at most 1,000,000 characters"),
    ):
        page.evaluate(put.replace("prompt()", f"({prompt})()"))
        page.click("#generate")
        is_told(page, words)
    setup(page, prompt="Once")
    works(page)


def test_a_prompt_may_be_anything_and_is_shown_as_text(page):
    for prompt in ("\x01\x1b[2J", "😀", "\u202eשלום", '"><img src=x onerror="window.owned=1"><script>window.owned=1</script>'):
        generate(page, prompt=prompt)
        assert state(page) == "done"
        assert page.text_content("#player-text").startswith(prompt)
    assert page.locator("#player img").count() == 0
    assert page.evaluate("window.owned") is None


def test_a_run_has_a_time_limit_that_says_so(other_page, pair):
    limited, slow = other_page, build(Pairs({WHOLE: lambda: pair}, run_seconds=1e-9))
    with launched(slow) as address:
        limited.goto(address)
        limited.wait_for_selector("#player[data-state][data-steps]")
        limited.click("#generate")
        is_told(limited, "Ended after step 1: a run may take 1e-09 s here. Ask for fewer tokens.")
        assert limited.get_attribute("#player", "data-steps") == "1"
        assert called(address, "run", fields(max_new_tokens=50)).startswith("Ended after step 1")
        limited.goto("about:blank")


@pytest.mark.parametrize(
    "query", ["seed=" + "9" * 400, "seed=" + "9" * 5000, "method=SpecInfer&branching=" + "9" * 5000, "temperature=1e400"]
)
def test_links_with_huge_numbers_are_told(other_page, address, query):
    other_page.goto(f"{address}/?{query}")
    is_told(other_page, " must be ")
