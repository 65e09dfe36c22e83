"""The tools for agents, asked by the protocol's official client."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client

import ersd
from visual.server.pairs import EMBEDDED, Pairs
from visual.server.programs.answers import answer
from visual.server.programs.tools import KEPT_PICTURES, Pictures
from visual.ui import links
from visual.ui.page import build

from .browser import launched

ADDRESS = "https://example.org/demo"
NAMES = ["run_speculative_decoding", "compare_speculative_methods", "explain_speculative_step"]


@pytest.fixture(scope="module")
def server(pair) -> Iterator[str]:
    with launched(build(Pairs({EMBEDDED: lambda: pair}), ADDRESS), mcp_server=True) as url:
        yield url


@pytest.fixture(scope="module")
def ask(server) -> Callable[..., Any]:
    """Asks in a session of its own: `ask("list_tools")`, `ask("call_tool", name, arguments)`."""

    async def asked(method: str, *arguments: Any) -> Any:
        async with streamablehttp_client(f"{server}/gradio_api/mcp/") as (read, write, _), ClientSession(read, write) as session:
            await session.initialize()
            return await getattr(session, method)(*arguments)

    def in_a_thread(*arguments: Any) -> Any:  # in this one Playwright runs an event loop
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, asked(*arguments)).result()

    return in_a_thread


@pytest.fixture(scope="module")
def answer_of(ask) -> Callable[..., tuple[str, str]]:
    """The text of a tool's answer, and its link."""

    def answered(name: str, **arguments: Any) -> tuple[str, str]:
        found = ask("call_tool", name, arguments)
        assert not found.isError, found.content
        assert {content.type for content in found.content} == {"text"}
        whole = "\n\n".join(content.text for content in found.content)
        assert len(whole) <= 2000
        text, _, link = whole.partition("\n\nSee it: ")
        return text, link

    return answered


def query(link: str) -> dict[str, str]:
    assert link.startswith(f"{ADDRESS}/?")
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query, keep_blank_values=True).items()}


def test_there_are_three_tools_and_each_says_what_it_takes(ask):
    tools = ask("list_tools").tools
    assert [tool.name for tool in tools] == NAMES
    for tool in tools:
        assert tool.description
        assert tool.inputSchema["required"] == ["prompt"]
        assert all(given["description"] for given in tool.inputSchema["properties"].values())


def test_a_run_comes_with_its_figures_and_a_link_to_the_same_run(answer_of, pair):
    text, link = answer_of(NAMES[0], prompt="Once upon a time", method="SpecTr", draft_tokens=8, max_new_tokens=20, seed=3)
    settings = ersd.Settings(*ersd.METHODS["SpecTr"], draft_tokens=8, max_new_tokens=20, seed=3)
    trace = ersd.run(pair, "Once upon a time", settings)
    assert f"Text: {trace.text}" in text
    assert f"{len(trace.token_ids)} tokens in {len(trace.steps)} target calls" in text
    assert f"{trace.stats['accepted']} of {trace.stats['drafted']} drafted tokens accepted" in text
    asked = query(link)
    assert asked["prompt"] == "Once upon a time"
    assert links.settings_in(asked, ersd.Settings()) == settings


def test_a_run_and_its_steps_take_guesses_from_another_source(answer_of, pair):
    settings = ersd.Settings(draft_tokens=6, max_new_tokens=16, seed=3, source="ngram")
    trace = ersd.run(pair, "Once upon a time", settings)
    asked = {"prompt": "Once upon a time", "draft_tokens": 6, "max_new_tokens": 16, "seed": 3, "source": "ngram"}
    for name, shown in ((NAMES[0], f"{len(trace.token_ids)} tokens in {len(trace.steps)} target calls"), (NAMES[2], "Step 1 of ")):
        text, link = answer_of(name, **asked)
        assert shown in text
        assert " · n-grams · seed 3" in text
        assert links.settings_in(query(link), ersd.Settings()) == settings


def test_a_comparison_says_which_texts_are_the_same(answer_of):
    text, link = answer_of(NAMES[1], prompt="Once upon a time", methods="ERSD τ*,one by one", draft_tokens="8", max_new_tokens=20)
    assert "The same text: 20 of 20 tokens." in text
    assert "20 tokens in 20 target calls" in text
    assert query(link)["methods"] == "ERSD τ*,one by one"


def test_every_source_is_compared_and_the_link_compares_them_again(answer_of):
    text, link = answer_of(NAMES[1], prompt="Once upon a time", source="all", draft_tokens="6", max_new_tokens=12)
    assert "one and the same text" in text
    assert "guesses from n-grams: 12 tokens in" in text
    asked = query(link)
    assert (asked["source"], asked["methods"], asked["draft_tokens"]) == ("all", "ERSD τ*,one by one", "6,6")


def test_a_step_is_explained_with_its_tree(answer_of, pair):
    trace = ersd.run(pair, "Once upon a time", ersd.Settings(draft_tokens=6, max_new_tokens=20, seed=3))
    number = next(step.index for step in trace.steps if step.accepted and "rejected" in step.states) + 1
    step = trace.steps[number - 1]
    text, link = answer_of(NAMES[2], prompt="Once upon a time", step=number, draft_tokens=6, max_new_tokens=20, seed=3)
    assert f"{step.states.count('accepted')} accepted, {step.states.count('rejected')} rejected" in text
    assert len(re.findall("─ ✓ ", text)) == step.accepted
    assert query(link)["step"] == str(number)


def test_a_step_comes_with_its_picture_if_it_is_asked_for(ask):
    arguments = {"prompt": "Once upon a time", "max_new_tokens": 8, "draft_tokens": 4}
    text, picture, *_ = ask("call_tool", NAMES[2], {**arguments, "picture": "race"}).content
    assert "See it: " in text.text
    assert (picture.type, picture.mimeType) == ("image", "image/png")
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    refused = ask("call_tool", NAMES[2], {**arguments, "picture": "text"})
    assert refused.isError
    assert refused.content[0].text == "picture must be one of tree, race, got 'text'"


def test_only_the_latest_pictures_are_kept_while_other_tools_remove_some(monkeypatch):
    pictures, stat = Pictures(), Path.stat

    def gone(path: Path, **more: bool) -> os.stat_result:
        path.unlink(missing_ok=True) if path.suffix == ".png" else None  # by another tool, just now
        return stat(path, **more)

    monkeypatch.setattr(Path, "stat", gone)
    files = [pictures.add(b"") for _ in range(KEPT_PICTURES + 2)]
    assert [os.path.exists(file) for file in files] == [False] * 2 + [True] * KEPT_PICTURES


def test_a_long_answer_is_cut_and_keeps_its_link():
    text = answer(["words " * 500], f"{ADDRESS}/?seed=3")
    assert (len(text), text.endswith(f" …\n\nSee it: {ADDRESS}/?seed=3")) == (2000, True)
    text = answer(["words " * 500], f"{ADDRESS}/?prompt={'x' * 1000}")
    assert (len(text), text.endswith("\n\nThe prompt is too long for a link.")) == (2000, True)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (NAMES[0], {"draft_tokens": 900}, "draft_tokens must be a whole number from 1 to 256, got 900"),
        (NAMES[0], {"method": "magic"}, "method must be one of ERSD τ*"),
        (NAMES[0], {"models": "none"}, "models must be one of"),
        (NAMES[0], {"source": "magic"}, "source must be one of model, ngram, exit, frequent, foreign, routed, got 'magic'"),
        (NAMES[1], {"methods": "block"}, "method must be 2 to 3 names with commas between them, got 1"),
        (NAMES[1], {"methods": "block,magic"}, "method must be one of"),
        (NAMES[2], {"step": 99, "max_new_tokens": 4}, "step must be the number of a step of this run, 1 to"),
    ],
)
def test_what_cannot_be_is_said(ask, name, arguments, words):
    found = ask("call_tool", name, {"prompt": "Once upon a time", **arguments})
    assert found.isError
    assert found.content[0].text.startswith(words)


def test_an_answer_is_text_and_no_plot(answer_of):
    for name in NAMES:
        text, _ = answer_of(name, prompt="Once upon a time", max_new_tokens=4)
        assert "<svg" not in text
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
