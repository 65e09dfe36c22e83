// What a player is made of: messages that count, parts that are mounted, the first view, stale settings, and frames.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkedView, firstView } from "../../visual/web/core/first_view.js";
import { NO_RUN, concerns, requestedAfter, runAfter } from "../../visual/web/core/current_run.js";
import { SettingsMatch } from "../../visual/web/core/settings_match.js";
import { cases, stepOf } from "./cases.mjs";
import { install, pass } from "./fake_clock.mjs";

globalThis.document = { hidden: true }; // a page in the background gets no frames
const { mountPart, whenMounted } = await import("../../visual/web/base/parts.js");
const { FrameLoop } = await import("../../visual/web/plot/frame_loop.js");

install();

test("a part is reached once it is mounted, and what is sent before waits", async () => {
  /** @type {Record<string, object>} */
  const elements = {};
  globalThis.document.getElementById = (id) => elements[id] ?? null;
  const received = [];
  const sent = [1, 2].map(async (message) => (await whenMounted("player")).receive(message));
  elements.player = { id: "player" };
  await Promise.resolve();
  assert.deepEqual(received, [], "its element is there, but not the part");
  const life = new AbortController();
  mountPart(elements.player, { receive: (message) => received.push(message) }, life.signal);
  await Promise.all(sent);
  assert.deepEqual(received, [1, 2]);
  (await whenMounted("player")).receive(3);
  assert.deepEqual(received, [1, 2, 3], "from then on immediately");
  life.abort();
  const later = whenMounted("player");
  mountPart(elements.player, { receive: (message) => received.push(`again ${message}`) }, new AbortController().signal);
  (await later).receive(4);
  assert.deepEqual(received.at(-1), "again 4", "after the first is gone, it waits for the next");
});

test("only messages of the run on the screen count, whatever order they come in", () => {
  let run = NO_RUN;
  const accepts = (type, name) => {
    const message = name ? { type, run: name } : { type };
    const accepted = concerns(run, message);
    const after = runAfter(run, message);
    if (!accepted || type === "status") run = after; // of others, only what they say of late runs
    return accepted;
  };
  const begin = (name) => (run = runAfter(run, { type: "begin", run: name }));
  const ask = () => (run = requestedAfter(run));
  const stop = () => (run = runAfter(run, { type: "stopped" }));
  assert.ok(!accepts("stopped") && !accepts("lost"), "nothing runs");
  assert.ok(accepts("error"), "the page says what is wrong with a link");
  ask();
  stop();
  for (const type of ["status", "begin", "step", "error", "end"]) assert.ok(!accepts(type, "first"), `stopped before its first: ${type}`);
  ask();
  for (const type of ["status", "begin", "error"]) assert.ok(!accepts(type, "first"), `later than the next request: ${type}`);
  for (const type of ["step", "more", "points", "end"]) assert.ok(!accepts(type, "second"), `it has not begun: ${type}`);
  assert.ok(accepts("status", "second") && accepts("error"), "it waits");
  assert.ok(!accepts("begin", "third"), "its name is known from its place in the queue");
  begin("second");
  for (const type of ["step", "more", "points", "error", "end"]) {
    assert.ok(accepts(type, "second"), type);
    assert.ok(!accepts(type, "first") && !accepts(type), `of another run, or of none: ${type}`);
  }
  assert.ok(!accepts("begin", "first") && !accepts("status", "first"));
  assert.ok(accepts("stopped") && accepts("lost"), "the page means the run on the screen");
  stop();
  assert.ok(!accepts("step", "second") && !accepts("error", "second") && !accepts("stopped"));
  ask();
  for (const type of ["status", "begin", "step", "error", "end"]) assert.ok(!accepts(type, "second"), `of the run before: ${type}`);
  assert.ok(accepts("begin", "fourth"));
});

test("a link opens its step once it is the newest, and its vertex if there is one", () => {
  const linked = new LinkedView();
  const steps = [stepOf("race"), stepOf("leaf")];
  linked.wanted = { step: 2, vertex: 99 };
  assert.equal(linked.at(steps.slice(0, 1)), null);
  assert.deepEqual(linked.at(steps), { index: 1, choice: null });
  assert.equal(linked.at(steps), null, "only once");
  linked.wanted = { step: 1, vertex: -1 };
  assert.deepEqual(linked.at(steps.slice(0, 1)), { index: 0, choice: { vertex: -1, about: false } });
});

test("a recorded run opens where it asks for, else at the step that shows most", () => {
  const steps = [stepOf("no draft"), stepOf("race"), stepOf("leaf")];
  assert.deepEqual(firstView(steps, undefined), { index: 1, choice: null });
  assert.deepEqual(firstView(steps, { step: 2, vertex: 0 }), { index: 2, choice: { vertex: 0, about: false } });
});

test("a run is stale when a setting that mattered has changed, and no other", () => {
  const host = { dataset: {} };
  const announced = [];
  let mended = 0;
  const note = { textContent: "" };
  const match = new SettingsMatch(host, note, () => (mended += 1), { announce: (text) => announced.push(text) });
  const { begin } = cases.steps.race;
  const run = { ...begin, used: ["seed", "branching"], settings: { ...begin.settings, seed: 3, branching: [2, 2], top_k: 0 } };
  const values = { prompt: begin.prompt, models: begin.models, seed: "3", branching: "2, 2", top_k: 7 };
  const set = (changed) => match.compare({ ...values, ...changed });
  match.begin(run);
  set({});
  assert.equal(host.dataset.stale, "false");
  set({ seed: "4" });
  assert.equal(host.dataset.stale, "true");
  assert.equal(announced.length, 1);
  set({});
  assert.equal(note.textContent, "");
  match.fail("seed");
  set({ top_k: 9 });
  assert.equal(mended, 0);
  set({ seed: "5" });
  assert.equal(mended, 1, "what the error was about has been changed");
  const opened = new SettingsMatch(host, note, () => (mended += 1), { announce: () => {} });
  opened.fail("seed"); // of the link: before the controls have reported
  opened.compare(values);
  assert.equal(mended, 1, "the first values change nothing");
  opened.compare({ ...values, seed: "5" });
  assert.equal(mended, 2);
});

test("of what is asked for while a drawing is under way only the last is drawn", async () => {
  let drawn = 0;
  /** @type {() => void} */
  let finish = () => {};
  const loop = new FrameLoop(
    () => {
      drawn += 1;
      return new Promise((resolve) => (finish = resolve));
    },
    () => 0,
  );
  const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  loop.request();
  loop.request();
  pass(1);
  assert.equal(drawn, 1);
  loop.request();
  loop.request();
  finish();
  await settle();
  pass(1);
  assert.equal(drawn, 2);
  finish();
  await settle();
  pass(2);
  assert.equal(drawn, 2);
});
