"""Public pairs on the page: loaded when chosen, with progress; the chat template and its switch; a pair that cannot be loaded."""

from __future__ import annotations

import threading
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest

import app
import ersd
from ersd.models.catalogue import Offer
from ersd.models.pair import make_pair
from tests.ersd.text.test_prompt import TEMPLATE
from tests.ersd.tiny import letters, llama
from visual.server.pairs import EMBEDDED, Pairs, load_public
from visual.ui.page import build

from .browser import PATIENCE, launched, visits
from .driver import choose, follow, generate, press_generate, setup, unfold, wait_for, wait_for_text, wait_until_at_rest

CHATTY, LARGE = "chatty", "large"
FED = "gabchf"
"""The prompt abc in TEMPLATE."""
SETTINGS = ersd.Settings("ersd", "tau_star", draft_tokens=2, max_new_tokens=6, seed=3, chat=True)
IS_ON = "id => document.querySelector(`#${id} input`)?.checked === true"


@pytest.fixture(scope="module")
def instruct() -> ersd.ModelPair:
    tokenizer = letters(8)
    tokenizer.chat_template = TEMPLATE
    return make_pair(llama(8, seed=1), llama(8, seed=2), tokenizer)


@pytest.fixture(scope="module")
def fetched() -> threading.Event:
    """Set when the public pair has been fetched."""
    return threading.Event()


@pytest.fixture(scope="module")
def page(browser, pair, instruct, fetched):
    def load(offer, report):
        if offer.name == LARGE:
            return load_public(app.arguments(["--device", "cpu"]), offer, report)
        report("1.0 of 2.0 GB fetched")
        assert fetched.wait(PATIENCE / 1e3)
        return instruct

    offer = Offer(CHATTY, "a/target", "a/draft", "MIT", gated=False, gigabytes=1, chat=True)
    offers = [offer, replace(offer, name=LARGE, gigabytes=1e6)]
    with launched(build(Pairs({EMBEDDED: lambda: pair}, public=offers, load_public=load))) as address, visits(browser) as visit:
        page = visit(address)
        setup(page, prompt="abc", draft_tokens=2, max_new_tokens=6, seed=3, temperature=1)
        follow(page, "As it comes")
        yield page


def fed(page, prefix: str = "") -> tuple[str, str]:
    """The prompt as the models read it, under the settings: its heading, and the prompt."""
    unfold(page, prefix)
    whole = page.locator(f"[role=tabpanel]:has(#{prefix}fold) .ersd-fed")
    if whole.get_attribute("open") is None:
        whole.locator("summary").click()
    return whole.locator("summary").inner_text(), whole.locator("code").inner_text()


def until_status(page, text: str) -> None:
    page.wait_for_function("text => document.querySelector('#player-status').innerText.includes(text)", arg=text)


def test_a_chosen_pair_is_loaded_and_reads_the_prompt_in_its_chat_template(page, instruct, fetched):
    assert not page.locator("#chat").count() or not page.is_visible("#chat"), "the embedded pair has no template"
    choose(page, "models", CHATTY)
    page.wait_for_function(IS_ON, arg="chat")
    press_generate(page)
    until_status(page, "1.0 of 2.0 GB fetched")
    fetched.set()
    wait_for(page, "done", "error")
    assert page.inner_text("#player-text") == "abc" + ersd.run(instruct, "abc", SETTINGS).text
    assert fed(page) == (f"The prompt as fed: {len(FED)} tokens", FED)
    page.click("#chat input")
    page.wait_for_selector("#chat input:not(:checked)")
    generate(page)
    assert page.inner_text("#player-text") == "abc" + ersd.run(instruct, "abc", replace(SETTINGS, chat=False)).text
    assert fed(page) == ("The prompt as fed: 3 tokens", "abc")


def test_a_link_opens_the_run_of_its_pair_with_its_switch(page, instruct, visit, fetched):
    fetched.set()
    choose(page, "models", CHATTY)
    page.wait_for_selector("#chat input:checked")  # as the pair is known to want it; a click before that would be undone
    wait_until_at_rest(page, "#chat, #chat *")  # the switch has just appeared
    page.click("#chat input")
    page.wait_for_selector("#chat input:not(:checked)")
    generate(page)  # the link contains its last step
    page.click("#copy-link")
    page.wait_for_function("() => location.search.includes('chat=false')")
    query = parse_qs(urlsplit(page.url).query)
    assert (query["models"], query["chat"]) == ([CHATTY], ["false"])
    other = visit(page.url.split("/?")[0], "?" + urlsplit(page.url).query)  # without the template, which the pair has by itself
    text = "abc" + ersd.run(instruct, "abc", replace(SETTINGS, chat=False)).text
    other.wait_for_function("text => document.querySelector('#player-text')?.innerText === text", arg=text)
    assert other.input_value("#models input").startswith(CHATTY)


def test_a_pair_that_cannot_be_loaded_is_explained_and_the_embedded_pair_stays_usable(page):
    choose(page, "models", LARGE)
    press_generate(page)
    wait_for(page, "error")
    until_status(page, "large cannot be loaded: it needs about 2000001.5 GB of memory in float32, and ")
    until_status(page, f"The {EMBEDDED} is always there")
    choose(page, "models", EMBEDDED)
    page.wait_for_selector("#chat", state="hidden")
    generate(page)
    assert page.get_attribute("#player", "data-state") == "done"


def test_a_comparison_has_the_switch_too_and_its_link(page, instruct):
    page.click("#tab-compare")
    page.wait_for_selector("#compare-3[data-state]")
    unfold(page, "compare-")
    choose(page, "models", CHATTY, "compare-")
    page.wait_for_function(IS_ON, arg="compare-chat")
    setup(page, "compare-", prompt="abc", **{"draft-tokens-1": 2}, max_new_tokens=6, seed=3, temperature=1)
    press_generate(page, "compare-", "compare")
    page.wait_for_selector("#compare[data-state=done]")
    assert page.inner_text("#compare-1-text").replace("≠", "") == "abc" + ersd.run(instruct, "abc", SETTINGS).text
    assert fed(page, "compare-") == (f"The prompt as fed: {len(FED)} tokens", FED)
    page.click("#compare-copy-link")
    page.wait_for_function("location.search.includes('chat=true')")  # not that of the link before
    query = parse_qs(urlsplit(page.url).query)
    assert (query["models"], query["chat"]) == ([CHATTY], ["true"])
    page.goto(page.url)
    page.wait_for_selector("#compare[data-state=done]")
    page.wait_for_function(IS_ON, arg="compare-chat")
    wait_for_text(page, "#compare-1-text", "abc" + ersd.run(instruct, "abc", SETTINGS).text)
    assert page.input_value("#compare-models input") == CHATTY
