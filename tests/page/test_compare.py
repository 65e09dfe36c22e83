"""The Compare tab: methods side by side on one scrubber, their texts compared token by token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, zip_longest
from urllib.parse import parse_qs, urlsplit

import pytest

import ersd
from ersd.theory.speed import speedup
from visual.payload.sentences.formatting import decimal
from visual.server import compare_recorded
from visual.ui.page import recorded

from .browser import visits
from .driver import choose, do_touch, press_generate, setup, wait_until_under_way

PREFIX = "compare-"
PROMPT = "Once upon a time"
LENGTH = 24
USUAL = recorded().settings
METHODS = {1: ("ersd", "tau_star"), 2: ("gsd", "sequence"), 3: ("autoregressive", "tau_star")}
"""The first choice of methods."""
SIGNS = """() => [...document.querySelectorAll("#compare-plot .textpoint text")].filter((one) => one.textContent)
  .map((one) => ({ sign: one.textContent, ...one.getBoundingClientRect().toJSON() }))"""


def run_of(pair, place: int, **fields) -> ersd.Trace:
    algorithm, topology = METHODS[place]
    chosen = {"draft_tokens": 16, "max_new_tokens": LENGTH, "temperature": USUAL.temperature, "seed": 4, **fields}
    return ersd.run(pair, PROMPT, ersd.Settings(algorithm, topology, **chosen))


@pytest.fixture(scope="module")
def runs(pair) -> list[ersd.Trace]:
    return [run_of(pair, place) for place in METHODS]


@pytest.fixture(scope="module")
def opened(browser, address) -> Iterator:
    """A page opened at another tab, by an address that asks nothing of this one; with what the tab shows before anything is pressed."""
    with visits(browser) as visit:
        page = visit(address, "?tab=gallery&seed=3")
        page.click("#tab-compare")
        page.wait_for_function("document.getElementById('compare-status')?.textContent.startsWith('A recorded comparison')")
        wait_for_steps(page, [96, *(len(run.steps) for run in compare_recorded.traces())])
        page.wait_for_selector("#compare-2-text .differs")
        page.wait_for_selector("#compare-plot .textpoint text")
        first = {"state": page.get_attribute("#compare", "data-state"), "status": page.inner_text("#compare-status"), "said": said(page, 1)}
        first |= {
            "texts": texts(page),
            "calls": [cell(page, place, 3) for place in METHODS],
            "ms": cell(page, 1, 6),
            "signs": page.evaluate(SIGNS),
        }
        yield page, first


@pytest.fixture(scope="module")
def page(opened):
    """One page for all tests; what one finds is what the others left."""
    page, _ = opened
    compare(page, prompt=PROMPT, max_new_tokens=LENGTH, seed=4)
    return page


def wait_for(page, *states: str) -> None:
    is_one = "([states]) => states.includes(document.getElementById('compare').dataset.state)"
    page.wait_for_function(is_one, arg=[list(states)], timeout=60_000)


def compare(page, **fields) -> None:
    """Presses Generate and waits for the end."""
    setup(page, PREFIX, **fields)
    press_generate(page, PREFIX, "compare")
    wait_for(page, "done", "error")


def steps(page) -> list[int]:
    return [int(page.get_attribute(f"#compare{part}", "data-step")) for part in ("", "-1", "-2", "-3")]


def wait_for_steps(page, expected: list[int]) -> None:
    is_there = "(steps) => ['', '-1', '-2', '-3'].every((part, i) => document.getElementById('compare' + part).dataset.step == steps[i])"
    page.wait_for_function(is_there, arg=expected)


def texts(page) -> list[str]:
    return [page.inner_text(f"#compare-{place}-text").replace("≠", "") for place in METHODS]


def said(page, place: int) -> str:
    return page.inner_text(f"#compare-strips li:nth-child({place}) .ersd-likeness")


def cell(page, place: int, column: int) -> str:
    return page.inner_text(f"#compare-table tbody tr:nth-child({place}) > :nth-child({column})")


def marked(page, place: int) -> list[int]:
    """The tokens that are marked as different, by their place in the text."""
    tokens = "([id]) => [...document.querySelectorAll(`#${id} .ersd-token`)].flatMap((one, at) => one.matches('.differs') ? [at] : [])"
    return page.evaluate(tokens, [f"compare-{place}-text"])


def test_a_recorded_comparison_is_seen_before_anything_is_pressed(opened):
    _, first = opened
    runs = compare_recorded.traces()
    calls = [len(run.steps) for run in runs]
    assert first["status"] == "A recorded comparison: {}, {} and {} calls. Press Generate for one of your own.".format(*calls)
    assert first["state"] == "idle"
    assert first["said"].startswith("the same text, token by token: 96 of 96. It would be with any tree, any k and any draft")
    assert first["texts"] == [run.prompt + run.text for run in runs]
    assert first["calls"] == list(map(str, calls))
    assert first["ms"] == "–", "times are of another machine"
    assert [sign["sign"] for sign in first["signs"]] == ["①", "②", "③"]
    assert [(one["sign"], other["sign"]) for one, other in combinations(first["signs"], 2) if do_touch(one, other)] == []


def test_every_method_runs_as_it_does_alone_and_the_texts_are_compared_by_tokens(page, runs):
    for place, run in enumerate(runs, 1):
        assert page.inner_text(f"#compare-{place}-text").replace("≠", "") == PROMPT + run.text
        assert page.get_attribute(f"#compare-{place}", "data-state") == "done"
        assert page.get_attribute(f"#compare-{place}", "data-steps") == str(len(run.steps))
        assert cell(page, place, 2) == decimal(run.stats["tokens_per_call"])
        assert cell(page, place, 3) == str(len(run.steps))
    assert runs[0].token_ids == runs[2].token_ids
    first = next(at for at, (one, other) in enumerate(zip_longest(runs[1].token_ids, runs[2].token_ids)) if one != other)
    assert said(page, 1).startswith(f"the same text, token by token: {LENGTH} of {LENGTH}. It would be with any tree, any k and any draft")
    assert said(page, 2).startswith(f"another text of the same distribution: differs from token {first + 1} on")
    page.wait_for_selector("#compare-2-text .differs")
    assert [marked(page, place) for place in (1, 2, 3)] == [[], [first], [first]]
    assert [cell(page, place, 9) for place in (1, 2)] == ["✓ same text", "✓ exact"]
    calls = [len(run.steps) for run in runs]
    assert page.inner_text("#compare-status") == "Finished: {}, {} and {} calls.".format(*calls)
    widths = page.evaluate("() => [...document.querySelectorAll('#compare-strips li:nth-child(1) i')].map((one) => one.offsetWidth)")
    assert len(widths) == calls[0]


def test_one_scrubber_drives_all_and_who_has_finished_stays_at_the_end(page, runs):
    calls = [len(run.steps) for run in runs]

    def at(call: int) -> list[int]:
        return [call, *(min(call, most) for most in calls)]

    wait_for_steps(page, at(LENGTH))
    page.click("#compare [data-go=first]")
    wait_for_steps(page, at(1))
    for call in (2, 3):
        page.keyboard.press("ArrowRight")
        wait_for_steps(page, at(call))
    page.click("#compare-3-tree")  # a player was touched: the keys still drive all
    page.keyboard.press("ArrowLeft")
    wait_for_steps(page, at(2))
    page.fill("#compare-scrubber", str(LENGTH - 1))
    wait_for_steps(page, at(LENGTH - 1))
    page.click("#compare-2-text [data-at='3']")
    wait_for_steps(page, at(4))
    page.click("#compare-strips li:nth-child(3) [data-call='7']")
    wait_for_steps(page, at(7))
    page.select_option("#compare .ersd-speed select", "16")
    page.click("#compare [data-go=play]")
    wait_for_steps(page, at(LENGTH))
    page.wait_for_selector("#compare .ersd-board:not(.playing)")


def test_a_decision_is_shown_where_a_vertex_is_chosen(page):
    page.click("#compare [data-go=first]")
    wait_for_steps(page, [1, 1, 1, 1])
    card = "#compare-1 .ersd-race-card"
    assert not page.is_visible(card)
    page.focus("#compare-1-tree")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(f"{card} .bars")
    assert page.inner_text(f"{card} .ersd-say")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(card, state="hidden")


def test_the_speed_up_follows_the_cost_ratio(page, runs):
    menu = "#compare-table select"
    labels = page.locator(f"{menu} option").all_inner_texts()
    assert len(labels) == 3
    steps = runs[0].steps
    tokens, levels = (sum(counts) / len(steps) for counts in ([len(step.emitted) for step in steps], [step.draft_calls for step in steps]))
    for place, label in enumerate(labels):
        page.select_option(menu, index=place)
        ratio = label.rpartition(": ")[2]
        formula = page.get_attribute("#compare-table tbody tr:nth-child(1) td:nth-child(8)", "title")
        tree = re.fullmatch(rf"= [\d.]+ · {ratio} / \(([\d.]+) \+ [\d.]+ draft levels a call\)", formula)[1]
        assert (tree == ratio) == (place > 0), "only here a call for a tree is known to cost more"
        expected = speedup(tokens, float(ratio), levels, float(tree))
        assert float(cell(page, 1, 8)) == pytest.approx(expected, rel=0.01, abs=0.005), "a number: its heading says what it counts"
    assert page.inner_text("#compare-table thead th[data-here]").lower() == "times as fast here"
    assert cell(page, 3, 8) == "–"
    assert page.locator("#compare-plot .scatterlayer .trace").count() == 3


def test_what_is_wrong_is_told_and_what_is_on_the_screen_stays(page):
    before = page.inner_text("#compare-1-text")
    compare(page, draft_tokens_2=0)
    assert page.inner_text("#compare-status") == "Drafted tokens must be a whole number from 1 to 256, got 0 (method 2)"
    assert {page.get_attribute(f"#compare-{place}", "data-state") for place in (1, 2, 3)} == {"error"}
    compare(page, draft_tokens_2=16, seed=-1)
    assert page.inner_text("#compare-status").startswith("Seed must be a whole number from 0")
    assert page.inner_text("#compare-1-text") == before


def test_trees_and_k_change_the_calls_and_not_the_text_and_a_link_opens_it_again(page, pair):
    choose(page, "method-2", "ERSD sequence", PREFIX)
    choose(page, "method-3", "none", PREFIX)
    compare(page, draft_tokens_1=40, draft_tokens_2=3, seed=9)
    assert said(page, 2).startswith(f"the same text, token by token: {LENGTH} of {LENGTH}. It would be")
    assert not page.is_visible("#compare-3")
    assert cell(page, 1, 3) == str(len(run_of(pair, 1, draft_tokens=40, seed=9).steps))
    page.click("#compare-copy-link")
    page.wait_for_function("location.search.includes('seed=9')")
    query = parse_qs(urlsplit(page.url).query)
    assert {name: query[name] for name in ("tab", "methods", "draft_tokens", "prompt")} == {
        "tab": ["compare"], "methods": ["ERSD τ*,ERSD sequence"], "draft_tokens": ["40,3"], "prompt": [PROMPT],
    }  # fmt: skip
    text = page.inner_text("#compare-2-text")
    page.goto(page.url)
    page.wait_for_selector("#compare[data-state=done]")
    assert page.inner_text("#compare-2-text") == text
    assert page.input_value("#compare-draft-tokens-2 input") == "3"


def test_a_biased_rule_says_so_and_stop_stops_all(page):
    choose(page, "method-2", "lossy + sequence", PREFIX)
    setup(page, PREFIX, max_new_tokens=500, **{"draft-tokens-1": 256, "draft-tokens-2": 256})  # its steps take their time
    press_generate(page, PREFIX, "compare")
    wait_until_under_way(page, PREFIX, shown="status")
    page.click("#compare-stop")
    wait_for(page, "stopped")
    assert [page.get_attribute(f"#compare-{place}", "data-state") for place in (1, 2)] == ["stopped", "stopped"]
    assert cell(page, 2, 9) == "⚠ biased"
    compare(page, max_new_tokens=5)  # at once: the press waits until the runs that were stopped are closed
    assert page.get_attribute("#compare", "data-state") == "done", page.inner_text("#compare-status")


def test_on_a_phone_the_players_stack(page):
    page.set_viewport_size({"width": 390, "height": 844})
    one, other = (page.locator(f"#compare-{place}").bounding_box() for place in (1, 2))
    assert other["y"] >= one["y"] + one["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_lecture_view_folds_the_form_away_and_its_words_are_large(page):
    page.set_viewport_size({"width": 1280, "height": 720})
    page.click(".lecture-button")
    try:
        page.wait_for_selector("#compare-prompt", state="hidden")
        button, board = (page.locator(one).bounding_box() for one in ("#compare-generate", "#compare .ersd-board"))
        assert button["width"] < 200
        assert button["y"] + button["height"] <= board["y"]
        sizes = page.eval_on_selector_all(
            ".ersd-lane, .ersd-calls-made, .ersd-likeness, #compare-status, #compare-table td",
            "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))",
        )
        assert min(sizes) >= 18
    finally:
        page.click(".lecture-button")
