// The run behind a player, the board or the curves: requested, received, stopped, left for a recorded one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { stepOf } from "./cases.mjs";
import { install, pass } from "./fake_clock.mjs";

install();
Object.assign(globalThis, {
  document: { hidden: true, addEventListener() {} }, // a page in the background gets no frames
  window: { innerHeight: 900 },
  ResizeObserver: class {
    observe() {}
    disconnect() {}
  },
});
const { Session } = await import("../../visual/web/core/session.js");

/** What shows a run, and all that it was told. */
function shown() {
  const log = [];
  const attributes = new Set();
  const host = {
    dataset: {},
    closest: () => null,
    attributes,
    toggleAttribute: (name, isOn) => (isOn ? attributes.add(name) : attributes.delete(name)),
  };
  const display = {
    host,
    log,
    steps: [],
    drawn: 0,
    get inView() {
      return { steps: this.steps, followsLive: true, skipsPhases: false, seen: null };
    },
    begin: () => (display.steps = []),
    add: (step) => display.steps.push(step),
    finish: (status, words) => log.push(`${status}: ${words}`),
    record: () => log.push("recorded"),
    whereStopped: (isAwaited) => (isAwaited ? "before the first" : `after ${display.steps.length}`),
    say: (words) => log.push(words),
    draw: () => (display.drawn += 1),
  };
  const root = { getBoundingClientRect: () => ({ top: 0 }) };
  const session = new Session(display, root, new AbortController().signal);
  const receive = (...messages) => session.receive(messages.map((message) => JSON.stringify(message)).join("\n"));
  return { display, host, log, session, receive };
}

const begin = (run) => ({ type: "begin", run });
const step = (run) => ({ ...stepOf("race"), run });
const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("a run is awaited until something of it is on the screen, and its newest step is followed", async () => {
  const { host, log, session, receive } = shown();
  session.dispatch({ type: "requested", stop() {} });
  assert.deepEqual([host.dataset.state, host.attributes.has("data-awaited")], ["running", true]);
  receive({ type: "status", run: "a", words: "Waiting" }, begin("a"), step("a"), step("a"));
  assert.equal(session.position.index, 1);
  assert.ok(host.attributes.has("data-awaited"), "nothing is drawn yet");
  pass(2);
  await settle();
  assert.ok(!host.attributes.has("data-awaited"));
  receive({ type: "end", run: "a", words: "Finished" });
  assert.equal(host.dataset.state, "done");
  assert.ok(!session.isPlaying);
  assert.deepEqual(log, ["Starting …", "Waiting", "done: Finished"]);
});

test("many messages and actions are drawn once", async () => {
  const { display, session, receive } = shown();
  receive(begin("a"), step("a"), step("a"), step("a"));
  session.dispatch({ type: "go", index: 0 });
  session.dispatch({ type: "go", index: 2 });
  pass(2);
  await settle();
  assert.equal(display.drawn, 1);
});

test("a recorded run ends the one that goes on, which is stopped on the server too", () => {
  const { display, host, log, session, receive } = shown();
  let stops = 0;
  session.dispatch({ type: "requested", stop: () => (stops += 1) });
  receive(begin("a"), step("a"));
  const recording = {
    type: "recording",
    words: "Recorded",
    messages: [begin("old"), step("old"), step("old"), { type: "end", run: "old", words: "" }],
  };
  receive(recording);
  assert.equal(stops, 1);
  assert.deepEqual(log.slice(1), ["stopped: after 1", "done: ", "recorded", "Recorded"]);
  assert.deepEqual([host.dataset.state, display.steps.length], ["idle", 2]);
  receive(step("a"), { type: "end", run: "a", words: "late" });
  assert.deepEqual([host.dataset.state, display.steps.length], ["idle", 2], "nothing more of it");
  receive(recording);
  assert.equal(stops, 1, "nothing goes on");
});

test("a run that was stopped before its first message shows nothing, however late that comes", () => {
  const { display, host, log, session, receive } = shown();
  session.dispatch({ type: "requested", stop() {} });
  receive({ type: "stopped" });
  assert.equal(log.at(-1), "stopped: before the first");
  receive(begin("a"), step("a"), { type: "end", run: "a", words: "" });
  session.dispatch({ type: "requested", stop() {} });
  receive(begin("a"), step("a"));
  assert.deepEqual([host.dataset.state, display.steps.length], ["running", 0]);
  receive(begin("b"), step("b"));
  assert.equal(display.steps.length, 1);
});

test("an error stays until its field is changed, and a lost connection ends only what goes on", () => {
  const { host, log, session, receive } = shown();
  receive({ type: "lost", words: "lost" });
  assert.deepEqual([host.dataset.state, log], ["idle", []]);
  receive({ type: "error", words: "k is too large", field: "k" });
  assert.equal(host.dataset.state, "error");
  session.dispatch({ type: "cleared" });
  assert.deepEqual([host.dataset.state, log.at(-1)], ["idle", ""]);
  session.dispatch({ type: "cleared" });
  assert.equal(log.length, 2, "there is no error any more");
  receive(begin("a"), { type: "lost", words: "lost" });
  assert.deepEqual([host.dataset.state, log.at(-1)], ["error", "error: lost"]);
});
