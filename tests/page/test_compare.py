"""The Compare tab: methods side by side on one scrubber, their texts compared token by token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from urllib.parse import parse_qs, urlsplit

import pytest

import ersd
from ersd.drafts.sources import sources_of
from visual import assets
from visual.payload.sentences.formatting import decimal
from visual.payload.sentences.names import METHOD_LABELS, method_label, short_source
from visual.server.average import average
from visual.server.recorded import first_look
from visual.server.tabs import compare_recorded
from visual.ui.tabs.compare_link import ASKS, MODULE

from .browser import PHONE, WIDE_PROJECTOR, visits
from .driver import PATIENCE, choose, press_generate, setup, wait_for_text, wait_until_under_way
from .geometry import faults, overlapping

PREFIX = "compare-"
PROMPT = "Once upon a time"
LENGTH = 24
USUAL = first_look().settings
METHODS = {1: ("ersd", "tau_star"), 2: ("gsd", "sequence"), 3: ("autoregressive", "tau_star")}
"""The first choice of methods."""
SIGNS = """() => [...document.querySelectorAll("#compare-plot .textpoint text")].filter((one) => one.textContent)
  .map((one) => ({ sign: one.textContent, ...one.getBoundingClientRect().toJSON() }))"""


def run_of(pair, place: int, **fields) -> ersd.Trace:
    algorithm, topology = METHODS[place]
    chosen = {"max_new_tokens": LENGTH, "temperature": USUAL.temperature, "seed": 4, **fields}
    return ersd.run(pair, PROMPT, ersd.Settings(algorithm, topology, **{"draft_tokens": compare_recorded.DRAFT_TOKENS, **chosen}))


@pytest.fixture(scope="module")
def runs(pair) -> list[ersd.Trace]:
    return [run_of(pair, place) for place in METHODS]


@pytest.fixture(scope="module")
def opened(browser, address) -> Iterator:
    """A page opened at another tab, by an address that is not meant for this one."""
    with visits(browser) as visit:
        page = visit(address, "?tab=gallery&seed=3")
        page.click("#tab-compare")
        wait_for_text(page, "#compare-status", "A recorded comparison")
        yield page


@pytest.fixture(scope="module")
def compared(opened):
    """The page with the comparison of `runs`; what a test finds there is what the others left."""
    with_methods(opened)
    compare(opened, prompt=PROMPT, max_new_tokens=LENGTH, seed=4)
    return opened


def with_methods(page) -> None:
    """Let the form compare methods, with the draft model."""
    choose(page, "source", "methods, with the draft model", PREFIX)
    page.wait_for_selector("#compare-method-3")


def wait_for(page, *states: str) -> None:
    page.wait_for_selector(",".join(f"#compare[data-state={one}]" for one in states), timeout=PATIENCE)


def compare(page, **fields) -> None:
    """Press Generate and wait for the end."""
    setup(page, PREFIX, **fields)
    press_generate(page, PREFIX, "compare")
    wait_for(page, "done", "error")


def wait_for_steps(page, *steps: int) -> None:
    """Wait until the scrubber and the players show these."""
    is_there = "(steps) => ['', '-1', '-2', '-3'].every((part, i) => document.getElementById('compare' + part).dataset.step == steps[i])"
    page.wait_for_function(is_there, arg=list(steps), timeout=PATIENCE)


def text(page, place: int) -> str:
    return page.inner_text(f"#compare-{place}-text").replace("≠", "")


def likeness_of(place: int) -> str:
    """Where a strip says how far its text is that of the first; it is written with the next frame."""
    return f"#compare-strips li:nth-child({place}) .ersd-likeness"


def cell(page, place: int, column: int) -> str:
    return page.inner_text(f"#compare-table tbody tr:nth-child({place}) > :nth-child({column})")


def marked(page, place: int) -> list[int]:
    """The tokens that are marked as different, by their index in the text."""
    tokens = "([id]) => [...document.querySelectorAll(`#${id} .ersd-token`)].flatMap((one, at) => one.matches('.differs') ? [at] : [])"
    return page.evaluate(tokens, [f"compare-{place}-text"])


def test_one_recorded_text_from_every_source_is_there_before_anything_is_pressed(opened):
    page, recorded_runs = opened, compare_recorded.traces()
    calls = [len(run.steps) for run in recorded_runs]
    *drafting, plain = recorded_runs
    wait_for_steps(page, max(calls), *calls[:3])
    assert page.get_attribute("#compare", "data-state") == "idle"
    assert all(str(count) in page.inner_text("#compare-status") for count in calls)
    assert page.inner_text("#compare-text .ersd-shared") == (plain.prompt + plain.text)
    assert page.inner_text("#compare-text .ersd-promise") == "✓ Exact: with this seed, the same text as without a draft"
    rows = page.locator("#compare-strips li")
    assert rows.locator(".ersd-lane b").all_inner_texts() == [*(short_source(run.settings.source) for run in drafting), "no draft"]
    assert rows.locator(".ersd-calls-made b").all_inner_texts() == list(map(str, calls))
    assert [cell(page, place, 3) for place in range(1, len(calls) + 1)] == list(map(str, calls))
    seconds = [float(words.removesuffix(" s")) for words in rows.locator(".ersd-took b").all_inner_texts()]
    for run, shown in zip(recorded_runs, seconds, strict=True):
        later = run.steps[1:]
        took = sum(step.ms for step in later) / sum(len(step.emitted) for step in later) * len(run.token_ids)
        assert shown == pytest.approx(took / 1000, abs=0.00051)
    headline = page.inner_text(".ersd-compare-headline")
    fewest, most = min(calls[:-1]), max(calls[:-1])
    assert headline.startswith(
        f"{len(drafting)} sources of guesses, one and the same text: {fewest} to {most} calls instead of {calls[-1]}."
    )
    assert "where it was recorded" in headline
    # the strips are one text, cut in other places: all are equally wide
    widths = rows.locator(".ersd-strip").evaluate_all("all => all.map((one) => one.lastElementChild.getBoundingClientRect().right)")
    assert max(widths) - min(widths) < 1
    # however late the page looks for a link to run: what the link to another tab left in the address is none
    assert "tab=compare&" in f"{page.url}&"
    assert "seed=3" in page.url
    page.evaluate(assets.calling(MODULE, "runLink", ASKS))
    assert page.get_attribute("#compare", "data-state") == "idle"


def authors(page, token: int) -> dict[str, list[str]]:
    """The sources by what the line says of them at a token, from 0."""
    line = page.inner_text("#compare-pointed")
    assert line.startswith(f"Token {token + 1}, ")
    found = re.search(r"(?:guessed by (?P<guessed>[^.]*))\.(?: Added by the target itself: (?P<added>[^.]*)\.)?", line)
    return {name: (found[name] or "").replace("none", "").split(", ") if found[name] else [] for name in ("guessed", "added")}


def test_a_token_is_framed_in_the_text_and_in_every_strip_by_pointer_and_keys(opened):
    page, traces = opened, compare_recorded.traces()[:-1]

    def expected(token: int, source: str) -> list[str]:
        at = [[one.source for step in run.steps for one in step.emitted][token] for run in traces]
        return [short_source(run.settings.source) for run, one in zip(traces, at, strict=True) if one == source]

    page.hover("#compare-text [data-token='20']")
    wait_for_text(page, "#compare-pointed", "Token 21,")
    for key, token in (("", 20), ("ArrowRight", 21), ("ArrowRight", 22), ("ArrowLeft", 21)):
        if key:
            page.focus("#compare-text .ersd-shared")
            page.keyboard.press(key)
            wait_for_text(page, "#compare-pointed", f"Token {token + 1},")
        said = authors(page, token)
        assert [one for one in said["guessed"] if one] == expected(token, "draft")
        assert said["added"] == expected(token, "target")
        assert page.locator("#compare-text .framed").get_attribute("data-token") == str(token)
    before = page.get_attribute("#compare", "data-step")
    box = page.locator("#compare-strips li:nth-child(2) .ersd-strip").bounding_box()
    most = len(compare_recorded.traces()[-1].token_ids)
    page.mouse.move(box["x"] + box["width"] * 40.5 / most, box["y"] + 5)
    wait_for_text(page, "#compare-pointed", "Token 41,")
    frame = "(strip) => { const style = getComputedStyle(strip, '::after'); return parseFloat(style.left) + parseFloat(style.width) / 2; }"
    middles = page.locator("#compare-strips .ersd-strip").evaluate_all(f"all => all.map({frame})")
    assert all(abs(middle - box["width"] * 40.5 / most) < 2 for middle in middles)
    assert page.get_attribute("#compare", "data-step") == before, "the keys of the text do not go from call to call"


def test_every_source_runs_live_and_a_text_that_differs_says_where(opened, pair):
    page = opened
    compare(page, prompt=PROMPT, max_new_tokens=16, seed=4)
    settings = ersd.Settings(
        "ersd", "tau_star", draft_tokens=compare_recorded.DRAFT_TOKENS, max_new_tokens=16, seed=4, temperature=USUAL.temperature
    )
    plain = ersd.run(pair, PROMPT, replace(settings, algorithm="autoregressive"))
    assert page.inner_text("#compare-text .ersd-shared") == plain.prompt + plain.text
    calls = [len(ersd.run(pair, PROMPT, replace(settings, source=source)).steps) for source in sources_of(pair)]
    assert page.locator("#compare-strips .ersd-calls-made b").all_inner_texts() == [*map(str, calls), "16"]
    assert {page.get_attribute(f"#compare-{place}", "data-state") for place in METHODS} == {"done"}
    assert page.locator("#compare-strips .first").count() == 0
    choose(page, "method-1", METHOD_LABELS["standard"], PREFIX)
    compare(page)
    assert "each with another text from one distribution" in page.inner_text(".ersd-compare-headline")
    first = page.locator("#compare-strips li", has=page.locator(".first")).first
    assert re.search(r"token \d+ is ", first.locator(".ersd-likeness").inner_text())
    compare(page, draft_tokens_1=0)
    assert page.inner_text("#compare-status").startswith("Drafted tokens must be a whole number from 1 to 256, got 0")
    choose(page, "method-1", METHOD_LABELS["ERSD τ*"], PREFIX)
    setup(page, PREFIX, draft_tokens_1=compare_recorded.DRAFT_TOKENS)


def test_every_method_runs_as_it_does_by_itself_and_the_texts_are_compared_by_tokens(compared, runs, pair):
    page = compared
    for place, run in enumerate(runs, 1):
        assert text(page, place) == PROMPT + run.text
        assert page.get_attribute(f"#compare-{place}", "data-state") == "done"
        assert page.get_attribute(f"#compare-{place}", "data-steps") == str(len(run.steps))
        assert cell(page, place, 2) == decimal(run.stats["tokens_per_call"])
        beside = page.get_attribute(f"#compare-table tbody tr:nth-child({place}) td", "data-average")
        known = average(run.settings, pair.prior)
        assert beside == (f"average {known.short()}" if known else None)
        assert cell(page, place, 3) == str(len(run.steps))
    assert runs[0].token_ids == runs[2].token_ids
    first = next(at for at, (one, other) in enumerate(zip_longest(runs[1].token_ids, runs[2].token_ids)) if one != other)
    wait_for_text(page, likeness_of(1), f"{LENGTH} of {LENGTH}")
    wait_for_text(page, likeness_of(2), f"token {first + 1}")
    page.wait_for_selector("#compare-2-text .differs")
    assert [marked(page, place) for place in METHODS] == [[], [first], [first]]
    assert [cell(page, place, 9)[0] for place in (1, 2)] == ["✓", "✓"]
    assert page.locator("#compare-strips li:nth-child(1) i").count() == len(runs[0].steps)
    assert page.locator("#compare-plot .scatterlayer .trace").count() == 3
    page.wait_for_selector("#compare-plot .textpoint text")
    signs = page.evaluate(SIGNS)
    assert [one["sign"] for one in signs] == ["①", "②", "③"]
    assert overlapping(signs) == []


def test_one_scrubber_drives_all_players_and_one_that_has_finished_stays_at_its_end(compared, runs):
    page, calls = compared, [len(run.steps) for run in runs]

    def is_at(call: int) -> None:
        wait_for_steps(page, call, *(min(call, most) for most in calls))

    is_at(LENGTH)
    page.click("#compare [data-go=first]")
    is_at(1)
    page.keyboard.press("ArrowRight")
    is_at(2)
    page.click("#compare-1-tree")  # a player was touched: the keys still drive all
    page.keyboard.press("ArrowRight")
    is_at(3)
    page.fill("#compare-scrubber", str(LENGTH - 1))
    is_at(LENGTH - 1)
    page.click(f"#compare-2-text [data-at='{calls[1] - 1}']")
    is_at(calls[1])
    page.click("#compare-strips li:nth-child(3) [data-call='7']")
    is_at(7)
    page.select_option("#compare .ersd-speed select", "16")
    page.click("#compare [data-go=play]")
    is_at(LENGTH)
    page.wait_for_selector("#compare .ersd-board:not(.playing)")


def test_a_decision_is_shown_where_a_vertex_is_chosen(compared):
    page, card = compared, "#compare-1 .ersd-decision-card"
    page.click("#compare [data-go=first]")
    wait_for_steps(page, 1, 1, 1, 1)
    assert not page.is_visible(card)
    page.focus("#compare-1-tree")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(f"{card} .bars")
    assert page.inner_text(f"{card} .ersd-say")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(card, state="hidden")


def test_the_speed_up_follows_the_cost_ratio(compared, runs):
    page, menu = compared, "#compare-table select"
    labels = page.locator(f"{menu} option").all_inner_texts()
    steps = runs[0].steps
    for index in range(len(labels)):
        page.select_option(menu, index=index)
        formula = page.get_attribute("#compare-table tbody tr:nth-child(1) td:nth-child(8)", "title")
        assert formula.startswith(f"= {decimal(sum(len(step.emitted) for step in steps) / len(steps))} · ")
        expected = eval(re.sub("[=a-z]", "", formula).replace("·", "*").strip())
        assert float(re.search(r"[\d.]+", cell(page, 1, 8))[0]) == pytest.approx(expected, abs=0.0051), "with a calculator"
    assert cell(page, 3, 8) == "–"


def test_an_error_is_reported_and_what_is_on_the_screen_stays(compared):
    page = compared
    before = text(page, 1)
    compare(page, draft_tokens_2=0)
    assert page.inner_text("#compare-status") == "Drafted tokens must be a whole number from 1 to 256, got 0 (method 2)"
    assert {page.get_attribute(f"#compare-{place}", "data-state") for place in METHODS} == {"error"}
    compare(page, draft_tokens_2=16, seed=-1)
    assert page.inner_text("#compare-status").startswith("Seed must be a whole number from 0")
    assert text(page, 1) == before


def test_trees_and_k_change_the_calls_and_not_the_text_and_a_link_opens_it_again(compared, pair):
    page = compared
    choose(page, "method-2", METHOD_LABELS["ERSD sequence"], PREFIX)
    choose(page, "method-3", "No third method", PREFIX)
    compare(page, draft_tokens_1=40, draft_tokens_2=3, seed=9)
    wait_for_text(page, likeness_of(2), f"{LENGTH} of {LENGTH}")
    assert not page.is_visible("#compare-3")
    assert cell(page, 1, 3) == str(len(run_of(pair, 1, draft_tokens=40, seed=9).steps))
    page.click("#compare-copy-link")
    page.wait_for_function("location.search.includes('seed=9')")
    query = parse_qs(urlsplit(page.url).query)
    assert {name: query[name] for name in ("tab", "methods", "draft_tokens", "prompt")} == {
        "tab": ["compare"], "methods": ["ERSD τ*,ERSD sequence"], "draft_tokens": ["40,3"], "prompt": [PROMPT],
    }  # fmt: skip
    before = text(page, 2)
    page.goto(page.url)
    page.wait_for_selector("#compare[data-state=done]")
    assert text(page, 2) == before
    assert page.input_value("#compare-draft-tokens-2 input") == "3"


def test_a_biased_rule_says_so_and_stop_stops_all(compared, unhurried):
    page = compared
    choose(page, "method-2", method_label("lossy", "sequence"), PREFIX)
    setup(page, PREFIX, max_new_tokens=500, draft_tokens_1=16, draft_tokens_2=16)
    press_generate(page, PREFIX, "compare")
    wait_until_under_way(page, PREFIX, shown="status")
    page.click("#compare-stop")
    wait_for(page, "stopped")
    assert [page.get_attribute(f"#compare-{place}", "data-state") for place in (1, 2)] == ["stopped", "stopped"]
    assert cell(page, 2, 9) == "⚠ biased"
    compare(page, max_new_tokens=5)  # immediately: the press waits until the stopped runs are closed
    assert page.get_attribute("#compare", "data-state") == "done", page.inner_text("#compare-status")


def test_players_stack_on_a_phone_and_present_folds_the_form_away(compared):
    page = compared
    page.set_viewport_size(PHONE)
    one, other = (page.locator(f"#compare-{place}").bounding_box() for place in (1, 2))
    assert other["y"] >= one["y"] + one["height"]
    assert faults(page) == []
    page.set_viewport_size(WIDE_PROJECTOR)
    page.click(".present-button")
    page.wait_for_selector("#compare-prompt", state="hidden")
    texts = page.locator(".ersd-lane b, .ersd-calls-made b, .ersd-took b, .ersd-likeness, #compare-status, #compare-table td")
    assert min(texts.evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")) >= 18
    page.click(".present-button")
