// How a player moves through a run: messages that count, steps and phases, playback, and frames.

import assert from "node:assert/strict";
import { test } from "node:test";
import { firstView } from "../../visual/web/core/first_view.js";
import { LinkedView } from "../../visual/web/core/linked_view.js";
import { Playback } from "../../visual/web/core/playback.js";
import { RunState } from "../../visual/web/core/run_state.js";
import { SettingsMatch } from "../../visual/web/core/settings_match.js";
import { cases, stepOf } from "./cases.mjs";
import { install, pass } from "./fake_clock.mjs";

// playhead.js asks for it when it is loaded
globalThis.window = { matchMedia: () => ({ matches: false }) };
globalThis.document = { hidden: true }; // a page in the background gets no frames
const { Navigation } = await import("../../visual/web/core/navigation.js");
const { FrameLoop } = await import("../../visual/web/base/frame_loop.js");

install();

/** Moves through the steps of some runs, drawn as soon as they are asked for. */
function navigation({ followsLive = false, isByStep = false, speed = 1 } = {}) {
  const transport = { followsLive, isByStep, speed };
  const steps = ["race", "residuals", "leaf"].map(stepOf);
  const way = new Navigation(transport, { change: () => {}, scene: () => {}, isReady: () => true, isSeen: () => true });
  return { way, steps, transport };
}

/** A run that is over, at its first step. */
function finished(options) {
  const made = navigation(options);
  made.way.begin(made.steps);
  made.way.end();
  made.way.go(0);
  return made;
}

test("playback beats at its speed until it is stopped", () => {
  let beats = 0;
  const playback = new Playback(() => (beats += 1));
  playback.start(1);
  pass(4);
  assert.equal(beats, 4);
  playback.start(8);
  pass(2);
  assert.equal(beats, 4 + 16);
  playback.stop();
  pass(2);
  assert.equal(beats, 4 + 16);
  assert.ok(!playback.isOn);
});

test("playing step by step ends at the last step, and begins anew there", () => {
  const { way } = finished({ isByStep: true });
  way.press("play");
  pass(1.5);
  assert.equal(way.index, 1);
  pass(2);
  assert.equal(way.index, 2);
  assert.ok(!way.isPlaying, "at the end it stops");
  way.press("play");
  assert.equal(way.index, 0);
  assert.ok(way.isPlaying);
  way.press("play");
  assert.ok(!way.isPlaying);
});

test("another speed counts from now on", () => {
  const { way, transport } = finished({ isByStep: true });
  way.press("play");
  transport.speed = 0.5;
  way.changePace();
  pass(1.9);
  assert.equal(way.index, 0);
  pass(0.2);
  assert.equal(way.index, 1);
});

test("playing a story goes through all phases of every step", () => {
  const { way } = finished();
  way.go(way.last);
  way.press("play");
  const seen = [];
  for (let count = 0; count < 1000 && way.isPlaying; count += 1) {
    pass(0.02);
    const at = `${way.index + 1} ${way.playhead.phase}`;
    if (seen.at(-1) !== at) seen.push(at);
  }
  const phases = ["draft", "score", "walk", "text"];
  assert.deepEqual(
    seen,
    [1, 2, 3].flatMap((step) => phases.map((phase) => `${step} ${phase}`)),
  );
  assert.ok(way.playhead.isFinished);
});

test("the phase keys go through a step and on to its neighbours", () => {
  const { way } = finished();
  const seen = [];
  for (const action of [
    ...["previousPhase", "previousPhase", "previousPhase"],
    ...["nextPhase", "nextPhase", "nextPhase", "nextPhase", "previousPhase", "previousPhase"],
  ]) {
    way.press(action);
    seen.push(`${way.index + 1} ${way.playhead.phase}`);
  }
  assert.deepEqual(seen, ["1 walk", "1 score", "1 draft", "1 score", "1 walk", "1 text", "2 draft", "1 text", "1 walk"]);
  way.press("next");
  assert.deepEqual([way.index, way.playhead.phase], [1, "text"], "by step it is the finished step");
});

test("a step is never gone to that is not there", () => {
  const { way, steps } = finished();
  for (const [action, index] of [
    ["previous", 0],
    ["last", 2],
    ["next", 2],
    ["first", 0],
  ]) {
    way.press(action);
    assert.equal(way.index, index);
  }
  way.go(99);
  assert.equal(way.index, steps.length - 1);
});

test("a live run that is followed shows its newest step, until a reader goes elsewhere", () => {
  const { way, steps } = navigation({ followsLive: true });
  const come = [];
  way.begin(come);
  for (const step of steps.slice(0, 2)) {
    come.push(step);
    way.added();
  }
  assert.equal(way.index, 1);
  way.press("previous");
  come.push(steps[2]);
  way.added();
  assert.equal(way.index, 0);
  way.go(2);
  assert.ok(way.isFollowing, "at its end it is followed again");
});

test("the story of a live run is held until the run is over, or for a moment", () => {
  for (const isOver of [true, false]) {
    const { way, steps } = navigation();
    const come = [];
    way.begin(come);
    come.push(steps[0]);
    way.added();
    pass(0.4);
    assert.ok(way.isHeld);
    assert.equal(way.playhead.phase, "draft");
    if (isOver) way.end();
    else pass(0.4);
    assert.ok(!way.isHeld);
    pass(2);
    assert.notEqual(way.playhead.phase, "draft");
    way.pause();
  }
});

test("messages of a run that was stopped or replaced do not count", () => {
  const run = new RunState();
  run.ask();
  run.finish("stopped");
  assert.ok(run.isLate({ type: "begin", run: "first" }), "it was given up before its first message");
  run.ask();
  run.begin({ type: "begin", run: "second" });
  assert.ok(run.isCurrent({ type: "step", run: "second" }));
  assert.ok(!run.isCurrent({ type: "step", run: "first" }));
  run.ask();
  assert.ok(!run.isCurrent({ type: "step", run: "second" }), "another one is about to come");
  run.replace();
  assert.ok(run.isLate({ type: "begin", run: "third" }), "a recorded run was opened meanwhile");
});

test("a link opens its step once it is the newest, and its vertex if there is one", () => {
  const host = new EventTarget();
  const linked = new LinkedView(host);
  const steps = [stepOf("race"), stepOf("leaf")];
  const ask = (detail) => host.dispatchEvent(new CustomEvent("ersd-view", { detail }));
  ask({ step: 2, vertex: 99 });
  assert.equal(linked.at(steps.slice(0, 1)), null);
  assert.deepEqual(linked.at(steps), { index: 1, choice: null });
  assert.equal(linked.at(steps), null, "only once");
  ask({ step: 1, vertex: -1 });
  assert.deepEqual(linked.at(steps.slice(0, 1)), { index: 0, choice: { vertex: -1, about: false } });
});

test("a recorded run opens where it asks for, else at the step that shows most", () => {
  const steps = [stepOf("no draft"), stepOf("race"), stepOf("leaf")];
  assert.deepEqual(firstView(steps, undefined), { index: 1, choice: null });
  assert.deepEqual(firstView(steps, { step: 2, vertex: 0 }), { index: 2, choice: { vertex: 0, about: false } });
});

test("a run is stale when a setting that mattered has changed, and no other", () => {
  const host = Object.assign(new EventTarget(), { dataset: {} });
  const announced = [];
  let mended = 0;
  const note = { textContent: "" };
  const match = new SettingsMatch(host, note, () => (mended += 1), { announce: (text) => announced.push(text) });
  const { begin } = cases.steps.race;
  const run = { ...begin, used: ["seed", "branching"], settings: { ...begin.settings, seed: 3, branching: [2, 2], top_k: 0 } };
  const values = { prompt: begin.prompt, models: begin.models, seed: "3", branching: "2, 2", top_k: 7 };
  const set = (changed) => host.dispatchEvent(new CustomEvent("ersd-controls", { detail: { ...values, ...changed } }));
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
  pass(0.1);
  assert.equal(drawn, 1);
  loop.request();
  loop.request();
  finish();
  await settle();
  pass(0.1);
  assert.equal(drawn, 2);
  finish();
  await settle();
  pass(1);
  assert.equal(drawn, 2);
});
