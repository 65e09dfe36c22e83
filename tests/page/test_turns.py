"""The queue of runs, and that whoever goes leaves it: by Stop, by closing the tab."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import gradio as gr
import pytest

import ersd
from visual.payload.messages import Message, RunMessages, status, stopped
from visual.server import endpoints, queue as turns
from visual.server.pairs import Pairs
from visual.server.parameters import NAMES, plain_values
from visual.server.queue import Turns, in_words
from visual.server.recorded import read
from visual.ui.gallery_tab import FOLDER, WORDS
from visual.ui.page import build

from .browser import launched
from .driver import data, generate, press_generate, setup, state, wait_for, wait_until_under_way


def words(message: str) -> str:
    return json.loads(message)["words"]


def one_message():
    yield Message.of("begin")


def until(is_so: Callable[[], bool]) -> None:
    """Waits for it."""
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(turns, "BEAT", 0.05)


def test_first_come_first_served_and_everybody_knows_the_place():
    queue = Turns(1, 2)
    first, second, third = (queue.streaming(one_message)() for _ in range(3))
    assert next(first) == Message.of("begin")
    assert words(next(second)) == in_words(0) == "Waiting: yours is the next run …"
    assert words(next(third)) == in_words(1) == "Waiting: 1 run before yours …"
    first.close()
    assert next(second) == Message.of("begin")
    assert words(next(third)) == in_words(0)
    second.close()
    assert next(third) == Message.of("begin")
    assert list(third) == []
    assert len(queue) == 0


def test_who_finds_it_full_is_told_that_it_is_busy(capsys):
    queue = Turns(1, 1)
    others = [queue.streaming(one_message)() for _ in range(2)]
    for other in others:
        next(other)
    for refused in (queue.streaming(one_message), queue.whole(lambda: "answer")):
        with pytest.raises(gr.Error, match="The page is busy: 1 runs wait already"):
            list(refused())
    told = queue.streaming(one_message)()
    assert words(next(told)).startswith("The page is busy")
    assert '"outcome": "busy"' in capsys.readouterr().out
    others[1].close()  # who waits may go
    next(queue.streaming(one_message)())


def test_an_answer_in_one_piece_waits_its_turn():
    queue = Turns(1, 1)
    running = queue.streaming(one_message)()
    next(running)
    answers: list[str] = []
    waiting = threading.Thread(target=lambda: answers.append(queue.whole(lambda: "answer")()))
    waiting.start()
    until(lambda: len(queue) == 2)
    assert not answers
    running.close()
    waiting.join(5)
    assert answers == ["answer"]
    assert len(queue) == 0


def test_a_run_that_fails_gives_its_turn_back():
    def broken():
        yield Message.of("begin")
        raise ValueError("broken")

    queue = Turns(1, 0)
    with pytest.raises(ValueError, match="broken"):
        list(queue.streaming(broken)())
    assert len(queue) == 0


LONG = 480
"""Tokens of a run that is stopped."""


@pytest.fixture(scope="module")
def address(pair):
    with launched(build(Pairs({"pair": lambda: pair}))) as address:
        yield address


@pytest.fixture
def page(visit, address):
    page = visit(address)
    setup(page, max_new_tokens=LONG, draft_tokens=2)
    return page


@pytest.fixture
def outage(browser, address):
    """A page whose console may tell of a server that is gone."""
    page = browser.new_page()
    load(page, address)
    setup(page, max_new_tokens=LONG, draft_tokens=2)
    yield page
    page.close()


def load(page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#player[data-state][data-steps]")


def freed(capsys) -> dict:
    """The line of the log that is written when the only run there is is over; its turn is given back then."""
    shown: list[str] = []

    def is_over() -> bool:
        shown.append(capsys.readouterr().out)
        return '"outcome"' in "".join(shown) and not len(endpoints.TURNS)

    until(is_over)
    return next(json.loads(line) for line in "".join(shown).split("\n") if '"outcome"' in line)


def test_who_waits_sees_the_place_and_stop_leaves_it(page):
    others = [endpoints.TURNS.enter() for _ in range(endpoints.AT_ONCE + 1)]
    page.click("#generate")
    page.wait_for_function("document.querySelector('#player-status').innerText == 'Waiting: 1 run before yours …'")
    endpoints.TURNS.leave(others.pop())
    page.wait_for_function("document.querySelector('#player-status').innerText == 'Waiting: yours is the next run …'")
    page.click("#stop")
    wait_for(page, "stopped")
    until(lambda: len(endpoints.TURNS) == len(others))
    setup(page, max_new_tokens=3)
    page.click("#generate")
    for other in others:
        endpoints.TURNS.leave(other)
    wait_for(page, "done")


def test_stop_gives_the_turn_back_and_the_next_run_can_be_started_at_once(page, unhurried, capsys):
    page.click("#generate")
    wait_until_under_way(page)
    page.click("#stop")
    wait_for(page, "stopped")
    words, steps = page.inner_text("#player-status"), data(page, "steps")
    assert words == f"Stopped after step {steps}."
    line = freed(capsys)
    assert line["outcome"] == "stopped"
    assert line["tokens"] < LONG
    assert (page.inner_text("#player-status"), data(page, "steps")) == (words, steps), "nothing came after it"
    for _ in range(2):  # pressed at once, while what was stopped is being closed
        press_generate(page)
        wait_until_under_way(page)
        page.click("#stop")
        wait_for(page, "stopped")
    generate(page, max_new_tokens=3)
    assert state(page) == "done"


def test_a_stopped_run_whose_closing_is_late_takes_nothing_from_the_next(page, unhurried):
    held = []
    page.route("**/cancel", lambda route: held.append((route, route.fetch())))
    count = "() => { const { ersdFailed } = window; window.failures = 0; window.ersdFailed = (id) => (window.failures++, ersdFailed(id)); }"
    page.evaluate(count)
    press_generate(page)
    wait_until_under_way(page)
    page.click("#stop")
    wait_for(page, "stopped")
    page.wait_for_function("window.failures === 1 && document.getElementById('generate').disabled")  # its stream has ended
    page.evaluate("document.getElementById('generate').disabled = false")  # as when the rest takes longer than is waited for
    setup(page, max_new_tokens=40)
    press_generate(page)
    wait_until_under_way(page)
    ((route, response),) = held
    route.fulfill(response=response)
    wait_for(page, "done", "error")
    assert state(page) == "done", page.inner_text("#player-status")


@pytest.mark.parametrize("moment", ["while it runs", "while it waits"])
def test_a_recorded_run_that_is_opened_stops_the_run_and_nothing_of_it_follows(page, unhurried, capsys, moment):
    others = [endpoints.TURNS.enter() for _ in range(endpoints.AT_ONCE if moment == "while it waits" else 0)]
    page.click("#generate")
    if others:
        page.wait_for_function("document.querySelector('#player-status').innerText.startsWith('Waiting')")
    else:
        wait_until_under_way(page)
    page.click("#tab-gallery")
    page.click("#gallery-ersd")
    trace = read(FOLDER / "ersd.json", "a command")
    recorded = "([words, steps]) => document.querySelector('#player-status').innerText === words"
    recorded += " && document.querySelector('#player').dataset.steps === steps"
    shown = [WORDS, str(len(trace.steps))]
    page.wait_for_function(recorded, arg=shown)
    if others:
        until(lambda: len(endpoints.TURNS) == len(others))
        assert "outcome" not in capsys.readouterr().out, "it has left the queue and never begun"
        for other in others:
            endpoints.TURNS.leave(other)
    else:
        assert freed(capsys)["outcome"] == "stopped"
    page.wait_for_function("seed => document.querySelector('#seed input').value === seed", arg=str(trace.settings.seed))
    assert page.evaluate(recorded, shown), "what was on its way came to nothing"
    assert page.inner_text("#player-text") == trace.prompt + trace.text
    assert state(page) == "idle"
    generate(page, max_new_tokens=3)
    assert state(page) == "done"


def test_a_run_that_nobody_waits_for_any_more_is_passed_over(page):
    late = RunMessages("Late", ersd.Settings(), "pair")
    told = "lines => lines.map((detail) => document.querySelector('#player').dispatchEvent(new CustomEvent('ersd-told', { detail })))"
    page.evaluate("() => document.querySelector('#player').dispatchEvent(new Event('ersd-ask'))")
    page.evaluate(told, [stopped()])
    before = page.inner_text("#player-status"), page.inner_text("#player-text"), data(page, "steps")
    assert before[0] == "Stopped before the first step."
    page.evaluate(told, [status(in_words(0)), late.begin(), late.end("max_new_tokens")])
    assert (page.inner_text("#player-status"), page.inner_text("#player-text"), data(page, "steps")) == before
    assert state(page) == "stopped"


def test_a_recorded_run_that_cannot_be_fetched_is_told_and_can_be_opened_later(outage):
    outage.route("**/gallery/*", lambda route: route.abort())
    outage.click("#tab-gallery")
    outage.click("#gallery-ersd")
    wait_for(outage, "error")
    assert outage.inner_text("#player-status") == "This recorded run cannot be fetched: try again in a moment."
    outage.unroute_all()
    outage.click("#tab-gallery")
    outage.click("#gallery-ersd")
    outage.wait_for_function("words => document.querySelector('#player-status').innerText === words", arg=WORDS)
    assert state(outage) == "idle"


LATE_CLOSES = """
const asked = window.fetch;
window.fetch = async (...what) => {
  const answer = await asked(...what);
  if (!String(what[0]?.url ?? what[0]).includes("queue/data")) return answer;
  const late = new TransformStream({
    async transform(chunk, out) {
      const words = new TextDecoder().decode(chunk), close = words.indexOf('data: {"msg":"close_stream"');
      if (close >= 0 && !window.pressed) {
        out.enqueue(new TextEncoder().encode(words.slice(0, close)));
        await new Promise((resolve) => {
          const press = setInterval(() => {
            window.pressed = document.querySelector("#player").dataset.state === "running";
            if (!window.pressed) return document.querySelector("#generate").click();
            clearInterval(press);
            setTimeout(resolve, 1000);
          }, 300);
        });
        chunk = new TextEncoder().encode(words.slice(close));
      }
      out.enqueue(chunk);
    },
  });
  return new Response(answer.body.pipeThrough(late), { status: answer.status, headers: answer.headers });
};
"""
"""That a connection is closed reaches the page late: Generate was pressed once more by then, and the run was taken."""


def test_a_run_that_begins_while_the_connection_is_being_closed_is_heard_of(browser, address):
    page = browser.new_page()
    page.add_init_script(LATE_CLOSES)
    load(page, address)
    generate(page, max_new_tokens=3)
    page.wait_for_function("() => window.pressed")
    wait_for(page, "done")
    page.close()


def test_closing_the_tab_gives_the_turn_back(page, unhurried, capsys):
    page.click("#generate")
    wait_until_under_way(page)
    page.close()
    line = freed(capsys)
    assert line["outcome"] == "stopped"
    assert line["tokens"] < LONG


def test_a_server_that_is_gone_is_told_and_the_page_can_be_used_when_it_is_back(outage):
    outage.context.set_offline(True)
    outage.click("#generate")
    wait_for(outage, "error")
    assert "cannot be reached" in outage.inner_text("#player-status")
    outage.context.set_offline(False)
    outage.wait_for_function("document.querySelector('#player')?.dataset.state == 'idle'")  # Gradio loads the page again
    setup(outage, max_new_tokens=3)
    outage.click("#generate")
    wait_for(outage, "done")


def test_a_server_that_goes_while_a_run_is_waited_for(outage):
    others = [endpoints.TURNS.enter() for _ in range(endpoints.AT_ONCE)]
    outage.click("#generate")
    outage.wait_for_function("document.querySelector('#player-status').innerText.startsWith('Waiting')")
    outage.route("**/app_id", lambda route: route.abort())
    outage.wait_for_function("document.querySelector('#player-status').innerText.startsWith('The server cannot be reached')")
    assert state(outage) == "error"
    for other in others:
        endpoints.TURNS.leave(other)


def test_a_connection_that_breaks_gives_the_turn_back(address, unhurried, capsys):
    values = {"prompt": "Once", "models": "pair", **plain_values(ersd.Settings(draft_tokens=2, max_new_tokens=LONG, seed=1)), "chat": False}
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    body = json.dumps({"data": [values[name] for name in NAMES]})
    connection.request("POST", "/gradio_api/call/generate", body, {"Content-Type": "application/json"})
    event = json.load(connection.getresponse())["event_id"]
    connection.request("GET", f"/gradio_api/call/generate/{event}")
    answer, seen = connection.getresponse(), 0
    while seen < 3000:  # a run has begun
        part = answer.read1(65536)
        assert part
        seen += len(part)
    answer.close()
    connection.close()
    line = freed(capsys)
    assert line["outcome"] == "stopped"
    assert line["tokens"] < LONG
