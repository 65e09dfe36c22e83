"""The Generate tab, driven as a user would."""

from __future__ import annotations

import dataclasses
import json

import gradio_client
import pytest

import ersd
from visual.page.page import recorded

from .driver import choose, chosen, click_vertex, data, generate, setup, state, vertices, wait_for, wait_for_step


def test_a_recorded_run_is_there_before_anything_is_pressed(open_page):
    page = open_page()
    assert state(page) == "idle"
    assert int(data(page, "steps")) > 3
    assert page.inner_text("#player-text").strip()
    page.wait_for_selector("#player-tree .js-plotly-plot .point")
    page.wait_for_selector("#player-race .js-plotly-plot .bars .point")


def test_generate(open_page, pair):
    page = open_page()
    generate(page, prompt="The dog ran", max_new_tokens=24, seed=3)
    assert state(page) == "done"
    wait_for_step(page, int(data(page, "steps")))
    text = page.inner_text("#player-text")
    # what is on the screen is what the engine writes by itself, every step of it
    expected = ersd.run(pair, "The dog ran", dataclasses.replace(recorded().settings, max_new_tokens=24, seed=3))
    assert text == "The dog ran" + expected.text
    assert int(data(page, "steps")) == len(expected.steps)
    assert page.locator("#player-text .ersd-token").count() == 24
    assert page.inner_text("#player-status").startswith("Done: ")
    calls = int(data(page, "steps"))
    tokens = page.locator("#player-text .ersd-token").count()
    assert page.inner_text("#player-stats .ersd-tile-per-call .ersd-value") == f"{tokens / calls:.2f}"


def test_stepping_needs_no_server(open_page):
    page = open_page()
    generate(page, max_new_tokens=30, draft_tokens=4)
    last = int(data(page, "steps"))
    wait_for_step(page, last)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
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
    page.keyboard.press("Home")
    wait_for_step(page, 1)
    page.keyboard.press(" ")
    wait_for_step(page, last)
    page.wait_for_selector("#player [data-go=play][aria-label=Play]")
    assert requests == []


def _click_timeline(page, step: int) -> None:
    x, y = page.evaluate(
        """(step) => {
          const plot = document.querySelector("#player-timeline"), box = plot.getBoundingClientRect(), { xaxis } = plot._fullLayout;
          return [box.left + xaxis._offset + xaxis.d2p(step), box.top + 12];
        }""",
        step,
    )
    page.mouse.click(x, y)


def test_stop_and_go_on(open_page):
    page = open_page()
    setup(page, max_new_tokens=400, draft_tokens=2, seed=7)  # a text that fills the whole context
    page.click("#generate")
    page.wait_for_function("/Generating: step ([3-9]|..)/.test(document.querySelector('#player-status').textContent)")
    page.click("#stop")
    wait_for(page, "stopped")
    assert "Stopped after step" in page.inner_text("#player-status")
    steps = data(page, "steps")
    page.wait_for_timeout(700)
    assert data(page, "steps") == steps
    generate(page, max_new_tokens=8)
    assert state(page) == "done"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"seed": -1}, "seed must be a whole number from 0 to 9007199254740991, got -1"),
        ({"draft_tokens": 9999}, "draft_tokens must be a whole number from 1 to 256, got 9999"),
        ({"top_p": 0}, "top_p must be a number above 0 and at most 1, got 0"),
        ({"temperature": ""}, "temperature must be a number from 0 to 5, got None"),
        ({"prompt": "  "}, "prompt must be some text"),
    ],
)
def test_errors_are_told_in_words_and_the_session_goes_on(open_page, fields, words):
    page = open_page()
    before = page.inner_text("#player-text")
    generate(page, **fields)
    assert state(page) == "error"
    assert words in page.inner_text("#player-status")
    assert page.inner_text("#player-text") == before
    generate(page, prompt="One day", seed=1, draft_tokens=4, top_p=1, temperature=1, max_new_tokens=6)
    assert state(page) == "done"


def test_a_click_on_a_vertex_changes_the_race(open_page):
    page = open_page()
    generate(page, prompt="Once upon a time there was a little girl named", max_new_tokens=24, draft_tokens=8, seed=1)
    _go_to_a_step_with(page, "accepted", "open")
    title = page.inner_text("#player .ersd-race-title")
    click_vertex(page, next(v for v in vertices(page) if v["state"] == "root"))
    page.wait_for_function("before => document.querySelector('#player .ersd-race-title').textContent != before", arg=title)
    assert page.inner_text("#player .ersd-say")
    click_vertex(page, next(v for v in vertices(page) if v["state"] == "open"))
    page.wait_for_function("/did not go on/.test(document.querySelector('#player-race').textContent)")


def _go_to_a_step_with(page, *states: str) -> None:
    for step in range(1, int(data(page, "steps")) + 1):
        _click_timeline(page, step)
        wait_for_step(page, step)
        if set(states) <= {vertex["state"] for vertex in vertices(page)}:
            return
    pytest.fail(f"no step has vertices that are {states}")


def test_method_algorithm_and_tree_agree(open_page):
    page = open_page()
    choose(page, "method", "standard")
    page.wait_for_function("document.querySelector('#algorithm input').value.startsWith('gsd')")
    assert chosen(page, "topology") == "sequence"
    choose(page, "topology", "batch")
    page.wait_for_function("document.querySelector('#method input').value == 'by parts'")
    choose(page, "algorithm", "ersd")
    page.wait_for_function("document.querySelector('#method input').value == 'ERSD batch'")
    choose(page, "method", "one by one")
    page.wait_for_function("document.querySelector('#topology input').disabled && document.querySelector('#draft-tokens input').disabled")
    generate(page, max_new_tokens=5)
    assert data(page, "steps") == "5"


@pytest.mark.parametrize("method", [name for name, (rule, _) in ersd.METHODS.items() if rule != "ersd"] + ["ERSD τ*"])
def test_every_method_draws(open_page, method):
    page = open_page()
    choose(page, "method", method)
    generate(page, max_new_tokens=12)
    assert state(page) == "done"
    wait_for_step(page, int(data(page, "steps")))
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


def test_run_gives_the_trace(address):
    client = gradio_client.Client(address, verbose=False)
    answer = client.predict(
        prompt="Once upon", max_new_tokens=9, seed=4, algorithm="gsd", topology="sequence", draft_tokens=3, api_name="/run"
    )
    trace = ersd.Trace.from_json(answer)
    assert len(trace.token_ids) <= 9
    assert trace.settings.algorithm == "gsd"
    with pytest.raises(Exception, match="seed must be a whole number"):
        client.predict(prompt="Once upon", seed=-4, api_name="/run")


def test_generate_streams_to_clients(address):
    client = gradio_client.Client(address, verbose=False)
    job = client.submit("Once upon", "ersd", "tau_star", 4, 1.0, 0, 1.0, 9, 4, *_models(client), api_name="/generate")
    job.result()
    told = [json.loads(message) for message in job.outputs()]
    assert told[0]["type"] in ("begin", "status")
    assert told[-1]["type"] == "end"
    with pytest.raises(Exception, match="algorithm must be one of"):
        client.predict("Once upon", "none", "tau_star", 4, 1.0, 0, 1.0, 9, 4, *_models(client), api_name="/generate")


def _models(client) -> list[str]:
    parameters = client.view_api(return_format="dict")["named_endpoints"]["/generate"]["parameters"]
    return [next(each["parameter_default"] for each in parameters if each["parameter_name"] == "models")]
