"""Leaving a run: by Stop, by closing the tab, by opening a recorded run, by a broken connection. Its place in the queue is free again."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

import gradio_client
import pytest

import ersd
from visual.payload.messages import Message, RunMessages, status
from visual.server import queue
from visual.server.endpoints import BUSY, CUT
from visual.server.queue import RUNNING_LIMIT, RUNS, position
from visual.server.recorded import GALLERY_STATUS, first_look, gallery_trace
from visual.ui.links import UNREAD

from .browser import visits
from .driver import PATIENCE, data, generate, press_generate, receive, request, setup, state, wait_for, wait_for_text, wait_until_under_way
from .test_share import asks_for_preview

LONG = 480
"""Tokens of a run that is left."""
REQUESTS = "**/run/predict*"
"""What the page asks outside of runs; with the query of its own address."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(queue, "POSITION_SECONDS", 0.05)


def set_up(page) -> None:
    """Fill in a run that is long enough to be left."""
    usual = first_look()
    setup(page, prompt=usual.prompt, seed=usual.settings.seed, max_new_tokens=LONG, draft_tokens=2)


@pytest.fixture(scope="module")
def opened(browser, address):
    with visits(browser) as visit:
        yield visit(address)


@pytest.fixture
def page(opened):
    """One page for all tests, with a long run to be started."""
    set_up(opened)
    return opened


@pytest.fixture(scope="module")
def complaining(browser, address):
    """A page whose console may report a server that is gone."""
    with visits(browser, may_complain=True) as visit:
        yield visit(address)


@pytest.fixture
def outage(complaining):
    """That page, with a long run to be started."""
    set_up(complaining)
    return complaining


@pytest.fixture
def occupied():
    """Takes places in the queue; the function returned frees one."""
    tickets: list[object] = []

    def take(count: int) -> Callable[[], None]:
        tickets.extend(RUNS.enter() for _ in range(count))
        return lambda: RUNS.leave(tickets.pop())

    yield take
    for ticket in tickets:
        RUNS.leave(ticket)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE / 1e3
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def until_status(page, text: str) -> None:
    page.wait_for_function("text => document.querySelector('#player-status').innerText.startsWith(text)", arg=text)


def was_stopped(capsys) -> None:
    """The only run is over, its place in the queue free, and its line in the log says that it was stopped."""
    shown: list[str] = []

    def is_over() -> bool:
        shown.append(capsys.readouterr().out)
        return '"outcome"' in "".join(shown) and not len(RUNS)

    until(is_over)
    line = next(json.loads(line) for line in "".join(shown).split("\n") if '"outcome"' in line)
    assert line["outcome"] == "stopped"
    assert line["tokens"] < LONG


def test_a_waiting_run_shows_its_position_and_stop_takes_it_out_of_the_queue(page, occupied):
    free_one = occupied(RUNNING_LIMIT + 1)
    page.click("#generate")
    until_status(page, position(1))
    free_one()
    until_status(page, position(0))
    page.click("#stop")
    wait_for(page, "stopped")
    until(lambda: len(RUNS) == RUNNING_LIMIT)
    setup(page, max_new_tokens=3)
    page.click("#generate")
    for _ in range(RUNNING_LIMIT):
        free_one()
    wait_for(page, "done")


def test_stop_frees_the_place_and_the_next_run_can_be_started_immediately(page, unhurried, capsys):
    page.click("#generate")
    wait_until_under_way(page)
    page.click("#stop")
    wait_for(page, "stopped")
    text, steps = page.inner_text("#player-status"), data(page, "steps")
    assert f"step {steps}" in text
    was_stopped(capsys)
    assert (page.inner_text("#player-status"), data(page, "steps")) == (text, steps), "nothing came after it"
    for _ in range(2):  # while the stopped run is being closed
        press_generate(page)
        wait_until_under_way(page)
        page.click("#stop")
        wait_for(page, "stopped")
    generate(page, max_new_tokens=3)
    assert state(page) == "done"


_COUNT_REPORTS = """() => {
  const { getElementById } = Document.prototype;
  window.reports = 0; // that a run has failed: for each the page looks up its button
  document.getElementById = (id) => {
    if (id === "generate") window.reports += 1;
    return getElementById.call(document, id);
  };
}"""


def test_a_stopped_run_whose_closing_is_late_takes_nothing_from_the_next(page, unhurried):
    held = []
    page.route("**/cancel", lambda route: held.append((route, route.fetch())))
    press_generate(page)
    wait_until_under_way(page)
    page.evaluate(_COUNT_REPORTS)
    page.click("#stop")
    wait_for(page, "stopped")
    page.wait_for_function("window.reports === 1 && document.querySelector('#generate').disabled")  # its stream has ended
    page.evaluate("document.getElementById('generate').disabled = false")  # as if closing took longer than the page waits
    setup(page, max_new_tokens=24)
    press_generate(page)
    wait_until_under_way(page)
    ((route, response),) = held
    route.fulfill(response=response)
    page.unroute_all()
    wait_for(page, "done", "error")
    assert state(page) == "done", page.inner_text("#player-status")


def test_stop_after_the_run_has_ended_does_not_disable_generate(page):
    generate(page, max_new_tokens=3)
    page.evaluate("document.getElementById('player').dataset.state = 'running'")  # as if its end were not shown yet
    page.evaluate("document.getElementById('stop').click()")
    assert not page.is_disabled("#generate")


@pytest.mark.parametrize("moment", ["while it runs", "while it waits"])
def test_opening_a_recorded_run_stops_the_run(page, unhurried, capsys, occupied, moment):
    waits = moment == "while it waits"
    free_one = occupied(RUNNING_LIMIT if waits else 0)
    page.click("#generate")
    until_status(page, "Waiting") if waits else wait_until_under_way(page)
    page.click("#tab-gallery")
    page.click("#gallery-ersd")
    trace = gallery_trace("ersd")
    is_shown = "([text, steps]) => document.querySelector('#player-status').innerText === text"
    is_shown += " && document.querySelector('#player').dataset.steps === steps"
    shown = [GALLERY_STATUS, str(len(trace.steps))]
    page.wait_for_function(is_shown, arg=shown)
    if waits:
        until(lambda: len(RUNS) == RUNNING_LIMIT)
        assert "outcome" not in capsys.readouterr().out, "it never began"
        for _ in range(RUNNING_LIMIT):
            free_one()
    else:
        was_stopped(capsys)
    page.wait_for_function("seed => document.querySelector('#seed input').value === seed", arg=str(trace.settings.seed))
    assert page.evaluate(is_shown, shown), "nothing more of the stopped run was shown"
    assert page.text_content("#player-text") == trace.prompt + trace.text
    assert state(page) == "idle"
    generate(page, max_new_tokens=3)
    assert state(page) == "done"


def test_messages_after_a_stop_are_ignored(page):
    late = RunMessages("Late", ersd.Settings(), "pair")
    request(page)
    receive(page, Message.of("stopped"))
    before = page.inner_text("#player-status"), page.inner_text("#player-text"), data(page, "steps")
    assert before[0] == "Stopped before the first step."
    receive(page, status(position(0)), late.begin(), late.end("max_new_tokens"))
    assert (page.inner_text("#player-status"), page.inner_text("#player-text"), data(page, "steps")) == before
    assert state(page) == "stopped"


def test_a_recorded_run_that_cannot_be_fetched_ends_no_run_and_can_be_opened_later(outage, unhurried):
    press_generate(outage)
    wait_until_under_way(outage)
    outage.route("**/gallery/*", lambda route: route.fulfill(status=502))
    outage.click("#tab-gallery")
    outage.click("#gallery-ersd")
    outage.wait_for_function("document.querySelector('.tab-note p').textContent.startsWith('This recorded run cannot be fetched')")
    assert state(outage) == "running"
    outage.unroute_all()
    outage.click("#tab-gallery")
    outage.click("#gallery-ersd")
    until_status(outage, GALLERY_STATUS)
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
"""The page learns late that its connection is closed: Generate was pressed again by then, and the run accepted."""


def test_a_run_that_begins_while_the_connection_is_being_closed_is_shown(browser, address):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(LATE_CLOSES)
    page.goto(address)
    page.wait_for_selector("#player[data-state][data-steps]")
    generate(page, max_new_tokens=3)
    page.wait_for_function("() => window.pressed")
    wait_for(page, "done")
    page.close()


def test_closing_the_tab_stops_the_run(visit, address, unhurried, capsys):
    page = visit(address)
    set_up(page)
    page.click("#generate")
    wait_until_under_way(page)
    page.close()
    was_stopped(capsys)


def asked(address: str, name: str) -> Callable[[], None]:
    """A client of an endpoint that has fetched the stream of a long run; the function returned breaks its connection."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE / 1e3)
    body = json.dumps({"prompt": "Once", "max_new_tokens": LONG, **({} if name == "compare" else {"draft_tokens": 2})})
    connection.request("POST", f"/gradio_api/call/v2/{name}", body, {"Content-Type": "application/json"})
    event = json.load(connection.getresponse())["event_id"]
    connection.request("GET", f"/gradio_api/call/{name}/{event}")

    def breaks() -> None:
        connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()

    return breaks


@pytest.mark.parametrize("name", ["generate", "run", "compare"])
def test_a_connection_that_breaks_stops_the_run(address, unhurried, capsys, name):
    breaks = asked(address, name)
    until(lambda: RUNS.running and RUNS.is_fetched(RUNS._tickets[0]))
    breaks()
    was_stopped(capsys)


@pytest.mark.parametrize("name", ["generate", "run", "compare"])
def test_a_connection_that_breaks_takes_a_waiting_run_out_of_the_queue(address, occupied, name):
    occupied(RUNNING_LIMIT)
    breaks = asked(address, name)
    until(lambda: RUNS.waiting and RUNS.is_fetched(RUNS._tickets[-1]))
    breaks()
    until(lambda: len(RUNS) == RUNNING_LIMIT)


def test_a_client_that_cancels_its_run_stops_it(address, unhurried, capsys):
    job = gradio_client.Client(address, verbose=False).submit("Once", max_new_tokens=LONG, draft_tokens=2, api_name="/run")
    until(lambda: RUNS.running and RUNS.is_fetched(RUNS._tickets[0]))
    job.cancel()
    was_stopped(capsys)


class Gateway:
    """A server between the browser and the page, which can cut all connections."""

    def __init__(self, upstream: str) -> None:
        self.to = urlsplit(upstream).port
        self.sockets: list[socket.socket] = []
        self.others = set(RUNS._streams)  # of pages of earlier tests
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                ends = self.listener.accept()[0], socket.create_connection(("127.0.0.1", self.to))
                self.sockets += ends
                for source, sink in (ends, ends[::-1]):
                    threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        _shut([source, sink])

    def cut(self) -> None:
        """End all connections; new ones are accepted."""
        _shut(self.sockets)
        self.sockets.clear()

    def close(self) -> None:
        """End all connections, and accept none."""
        _shut([self.listener])
        self.listener.close()
        self.cut()


def cut(gateway: Gateway) -> None:
    """Cut all connections, and wait until the server knows it: what was requested before that is lost with them."""
    gateway.cut()
    until(lambda: set(RUNS._streams) <= gateway.others and not len(RUNS))


def _shut(sockets: list[socket.socket]) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def gateway(address):
    gateway = Gateway(address)
    yield gateway
    gateway.close()


def test_a_run_whose_connection_is_cut_keeps_its_steps_and_says_so(browser, gateway, unhurried, capsys):
    with visits(browser, may_complain=True) as visit:
        page = visit(gateway.address)
        page.evaluate("window.isOld = true")
        set_up(page)
        press_generate(page)
        wait_until_under_way(page)
        cut(gateway)
        wait_for(page, "error")
        assert page.inner_text("#player-status") == CUT.format(button="Generate")
        assert int(data(page, "steps")) >= 3
        was_stopped(capsys)
        generate(page, max_new_tokens=3)
        assert state(page) == "done"
        page.click("#tab-compare")
        setup(page, "compare-", max_new_tokens=LONG)
        press_generate(page, "compare-", "compare")
        wait_until_under_way(page, shown="compare-status")
        cut(gateway)
        page.wait_for_selector("#compare[data-state=error]")
        assert page.inner_text("#compare-status") == CUT.format(button="Generate")
        assert {data(page, "state", f"compare-{lane}") for lane in (1, 2, 3)} == {"error"}
        page.click("#tab-curves")
        page.click("#curves-generate")
        page.wait_for_function("/of \\d+ points/.test(document.querySelector('.curves-status').textContent)", timeout=PATIENCE)
        cut(gateway)
        page.wait_for_selector("#curves[data-state=error]")
        assert page.inner_text("#curves .curves-status") == CUT.format(button="Measure")
        assert page.evaluate("window.isOld"), "the page was not loaded again"


def test_a_server_that_is_gone_is_reported_and_the_page_works_when_it_is_back(outage):
    outage.evaluate("window.isOld = true")
    outage.context.set_offline(True)
    setup(outage, draft_tokens=3)  # the preview cannot follow; nothing else is lost
    outage.click("#generate")
    until_status(outage, BUSY.format(button="Generate"))
    assert state(outage) == "error"
    outage.context.set_offline(False)
    generate(outage, max_new_tokens=3)
    assert state(outage) == "done"
    assert outage.evaluate("window.isOld"), "the page was not loaded again"


@pytest.mark.parametrize(("query", "shown"), [("?max_new_tokens=3", "player"), ("?tab=compare&max_new_tokens=3", "compare")])
def test_a_link_whose_settings_do_not_arrive_says_so(browser, address, query, shown):
    with visits(browser, may_complain=True) as visit:
        page = visit(address)
        page.route(REQUESTS, lambda route: route.abort())
        page.goto(f"{address}/{query}")
        wait_for_text(page, f"#{shown}-status", UNREAD)
        page.unroute_all()
        page.reload()
        page.wait_for_selector(f"#{shown}[data-state=done]", state="attached")


def test_a_link_runs_though_its_preview_cannot_be_drawn(browser, address):
    with visits(browser, may_complain=True) as visit:
        page = visit(address)
        page.route(REQUESTS, lambda route: route.abort() if asks_for_preview(route.request) else route.continue_())
        page.goto(f"{address}/?max_new_tokens=3")
        wait_for(page, "done")


def test_a_run_that_goes_on_is_not_called_lost(outage, occupied):
    """Another request that gets no answer says nothing about the run."""
    free_one = occupied(RUNNING_LIMIT)
    setup(outage, max_new_tokens=3)
    outage.click("#generate")
    until_status(outage, "Waiting")
    outage.route("**/run/predict", lambda route: route.abort())
    with outage.expect_event("requestfailed"):
        outage.evaluate("fetch('gradio_api/run/predict', { method: 'POST' }).then(() => {})")
    free_one()
    wait_for(outage, "done")
    outage.unroute_all()
