"""The Generate tab, driven as a user would."""

from __future__ import annotations

import dataclasses
import json
from typing import Any, NamedTuple

import ersd
from ersd.rules.registry import TRAITS
from ersd.settings import METHODS
from visual.payload.sentences.formatting import decimal
from visual.ui.page import recorded

from .driver import (
    choose,
    choose_method,
    click_vertex,
    data,
    drafted,
    generate,
    go_to_first,
    setup,
    state,
    vertices,
    wait_for_preview,
    wait_for_step,
)

USUAL = recorded().settings


def test_a_recorded_run_is_there_before_anything_is_pressed(open_page):
    page = open_page()
    assert state(page) == "idle"
    assert int(data(page, "steps")) > 3
    assert page.inner_text("#player-text").strip()
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    page.wait_for_selector("#player-race .js-plotly-plot .bars .point")


def test_no_limit_of_the_recorded_run_is_passed():
    for step in recorded().steps:
        for visit in step.walk:
            if visit.tries:
                assert visit.predicted <= visit.optimum + 1e-9


def test_the_first_run_is_the_recorded_one(open_page):
    """Nobody wonders why the first Generate gives another story."""
    page = open_page()
    before, name = page.inner_text("#player-text"), page.inner_text("#player .ersd-run")
    assert name == f"ERSD τ* · k = {USUAL.draft_tokens} · seed {USUAL.seed}"
    generate(page)
    assert page.inner_text("#player-text") == before
    assert page.inner_text("#player .ersd-run") == name


def test_while_a_run_goes_on_stop_is_the_button_to_press(open_page):
    page = open_page()
    looks = "() => ['generate', 'stop'].map((id) => getComputedStyle(document.getElementById(id)).backgroundColor)"
    say = "([name, detail]) => document.querySelector('#player').dispatchEvent(new CustomEvent(name, { detail }))"
    at_rest = page.evaluate(looks)
    page.evaluate(say, ["ersd-ask", None])
    running = page.evaluate(looks)
    assert all(before != now for before, now in zip(at_rest, running, strict=True))
    page.evaluate(say, ["ersd-told", json.dumps({"type": "stopped"})])
    assert page.evaluate(looks) == at_rest


def test_the_legend_of_the_text_has_what_the_text_has(open_page):
    page = open_page()
    seen = "() => ['draft', 'target'].map((key) => getComputedStyle(document.querySelector(`.ersd-text-card .ersd-key.${key}`)).visibility)"
    assert page.evaluate(seen) == ["visible", "visible"]
    choose_method(page, "one by one")
    generate(page, max_new_tokens=4)
    assert page.evaluate(seen) == ["hidden", "visible"], "nothing was drafted"


def test_a_run_that_no_longer_matches_the_controls_says_so(open_page):
    page = open_page()
    assert not page.inner_text("#player .ersd-stale")
    setup(page, seed=USUAL.seed + 1)
    page.wait_for_function("() => document.querySelector('#player .ersd-stale').textContent.startsWith('The settings have changed')")
    assert page.text_content("#player .ersd-announcer").startswith("The settings have changed"), "it is read out too"
    setup(page, seed=USUAL.seed)
    page.wait_for_selector("#player[data-stale=false]")
    choose_method(page, "one by one")
    page.wait_for_selector("#player[data-stale=true]")
    generate(page, max_new_tokens=6)
    page.wait_for_selector("#player[data-stale=false]")
    assert not page.inner_text("#player .ersd-stale")
    assert page.get_attribute("#player-exact", "data-exact") == "same-text"
    choose(page, "algorithm", "temperature 0")  # nothing is drawn, so nothing is to be set
    page.wait_for_function("() => document.querySelector('#temperature input').disabled")
    choose(page, "algorithm", "biased on purpose")
    page.wait_for_function("() => Number(document.querySelector('#leniency input')?.value) > 0")


FIELDS: dict[str, dict[str, Any]] = {
    "specinfer": {"branching": "2,1"},
    "multi_sequence": {"draft_tokens": 6, "sequences": 3},
}
"""What a topology needs to be told, where it is not 5 drafted tokens."""


def test_every_method_runs_and_is_drawn(open_page, pair):
    page = open_page()
    for method, (algorithm, topology) in METHODS.items():
        fields = FIELDS.get(topology, {"draft_tokens": 5} if TRAITS[algorithm].drafts else {})
        choose_method(page, method)
        assert_run(page, pair, algorithm=algorithm, topology=topology, **fields)


def test_a_biased_rule_says_so_and_takes_its_leniency(open_page, pair):
    page = open_page()
    choose(page, "algorithm", "biased on purpose")
    page.wait_for_selector("#leniency")
    assert "biased" in page.inner_text("#leniency").lower()
    setup(page, leniency=0.3)
    wait_for_preview(page, "Biased: the text is off by 0.30 · TV(P, Q)")
    wait_for_preview(page, "at least")
    assert_run(page, pair, algorithm="lossy", topology="sequence", draft_tokens=5, leniency=0.5)


def assert_run(page, pair, algorithm: str, topology: str, **fields: Any) -> None:
    """Of the rule chosen, what is on the screen is what the engine writes by itself, every step of it."""
    fields |= {"max_new_tokens": 12, "seed": 3}
    generate(page, prompt="The dog ran", **fields)
    assert state(page) == "done"
    expected = ersd.run(pair, "The dog ran", dataclasses.replace(USUAL, algorithm=algorithm, topology=topology, **fields))
    calls, tokens = len(expected.steps), len(expected.token_ids)
    wait_for_step(page, calls)
    assert page.inner_text("#player-text") == "The dog ran" + expected.text
    assert int(data(page, "steps")) == calls
    assert page.locator("#player-text .ersd-token").count() == tokens
    assert page.inner_text("#player-status").startswith("Done: ")
    assert page.inner_text("#player-stats .ersd-tile-per-call .ersd-value") == decimal(tokens / calls)
    assert page.inner_text("#player .ersd-say")
    go_to_first(page)
    assert drafted(page) == len(expected.steps[0].tokens)


def test_stepping_needs_no_server(open_page):
    page = open_page()
    generate(page, max_new_tokens=30, draft_tokens=4)
    last = int(data(page, "steps"))
    wait_for_step(page, last)
    requests = []
    # whether the server is there is looked at now and then, whatever the reader does
    page.on("request", lambda request: "app_id" in request.url or requests.append(request.url))
    page.keyboard.press("ArrowLeft")
    wait_for_step(page, last - 1)
    page.keyboard.press("ArrowRight")
    wait_for_step(page, last)
    for go, step in (("first", 1), ("next", 2), ("last", last), ("previous", last - 1)):
        page.click(f"#player [data-go={go}]")
        wait_for_step(page, step)
    _click_timeline(page, 2)
    wait_for_step(page, 2)
    page.locator("#player-text .ersd-token[data-at='3']").first.click()
    wait_for_step(page, 4)
    page.locator("#player .ersd-speed select").select_option("8")
    page.check("#player .ersd-whole input")
    page.keyboard.press("Home")  # from the switch too
    wait_for_step(page, 1)
    page.locator("#player .ersd-player").press(" ")
    wait_for_step(page, last)
    page.wait_for_selector("#player [data-go=play][aria-label=Play]")
    assert requests == []
    everything = page.locator(".workbench *").count()
    assert 0 < max(_restyled(page, last - 1, "ArrowLeft")) < 0.75 * everything, "a step asks for the style of what it changes"


def _restyled(page, step: int, key: str) -> list[int]:
    """Goes to a step by a key: of how many elements the browser asked the style anew, each time that it did."""
    browser = page.context.browser
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.keyboard.press(key)
    wait_for_step(page, step)
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return [event["args"]["elementCount"] for event in events if "elementCount" in event.get("args", {})]


def _click_timeline(page, step: int) -> None:
    x, y = page.evaluate(
        """(step) => {
          const plot = document.querySelector("#player-timeline"), box = plot.getBoundingClientRect(), { xaxis } = plot._fullLayout;
          return [box.left + xaxis._offset + xaxis.d2p(step), box.top + 12];
        }""",
        step,
    )
    page.mouse.click(x, y)


class Mistake(NamedTuple):
    field: str
    wrong: Any
    right: Any
    words: str


MISTAKES = [
    Mistake("seed", -1, 1, "Seed must be a whole number from 0 to 9007199254740991, got -1"),
    Mistake("draft_tokens", 9999, 4, "Drafted tokens must be a whole number from 1 to 256, got 9999"),
    Mistake("top_p", 0, 1, "Top-p must be a number above 0 and at most 1, got 0"),
    Mistake("temperature", "", 1, "Temperature must be a number from 0 to 5, got None"),
    Mistake("prompt", "  ", "One day", "Prompt must be some text"),
]


def test_errors_are_told_in_words_and_the_session_goes_on(open_page):
    page = open_page()
    setup(page, max_new_tokens=6)
    for mistake in MISTAKES:
        before = page.inner_text("#player-text")
        generate(page, **{mistake.field: mistake.wrong})
        assert state(page) == "error"
        assert mistake.words in page.inner_text("#player-status")
        assert page.inner_text("#player-text") == before
        setup(page, **{mistake.field: mistake.right})
        page.wait_for_function("() => document.querySelector('#player-status').textContent === ''")  # the cause is gone
        generate(page, **{mistake.field: mistake.right})
        assert state(page) == "done"


def test_a_click_on_a_vertex_changes_the_race(open_page):
    page = open_page()
    generate(page, prompt="Once upon a time there was a little girl named", max_new_tokens=24, draft_tokens=8, seed=1)
    go_to_first(page)
    click_vertex(page, next(v for v in vertices(page) if v["state"] == "root"))
    page.wait_for_function("/^Race after/.test(document.querySelector('#player .ersd-race-title').textContent)")
    assert page.inner_text("#player .ersd-say")


def test_64_vertices_arrive_and_draw(open_page):
    page = open_page()
    generate(page, draft_tokens=64, max_new_tokens=60)
    steps = int(data(page, "steps"))
    assert page.locator("#player-text .ersd-token").last.get_attribute("data-at") == str(steps - 1)
    for step in range(1, steps + 1):
        _click_timeline(page, step)
        wait_for_step(page, step)
        assert vertices(page)
