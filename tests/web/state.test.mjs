// Where a player stands in its run, and what every action makes of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIAL, isAction, reduce, sceneOf, storyOfStep } from "../../visual/web/core/state.js";
import { stepOf } from "./cases.mjs";

/** A player whose pictures are drawn as soon as they are asked for. */
function player({ names = ["race", "residuals", "leaf"], ...options } = {}) {
  const run = { steps: names.map(stepOf), isLive: false, followsLive: false, skipsPhases: false, seen: "text", ...options };
  const made = {
    run,
    state: INITIAL,
    phase: () => "text",
    send: (/** @type {object} */ event) => event,
    pass: (/** @type {number} */ seconds) => seconds,
  };
  made.phase = () => {
    const step = run.steps[made.state.index];
    return step ? sceneOf(storyOfStep(step), made.state.time, false).phase : "text";
  };
  made.send = (event) => {
    run.seen = run.seen && made.phase();
    made.state = reduce(made.state, event, run);
  };
  made.pass = (seconds) => {
    for (let left = seconds; left > 1e-9; left -= 0.02) made.send({ type: "tick", seconds: Math.min(0.02, left) });
  };
  return made;
}

const press = (action) => ({ type: "press", action });

test("with skipped phases playing goes from step to step, ends at the last, and begins anew there", () => {
  const one = player({ skipsPhases: true });
  one.send({ type: "go", index: 0 });
  one.send(press("play"));
  one.pass(1.5);
  assert.equal(one.state.index, 1);
  one.pass(2.5);
  assert.deepEqual([one.state.index, one.state.mode], [2, "paused"]);
  one.send(press("play"));
  assert.deepEqual([one.state.index, one.state.mode], [0, "playing"]);
  one.send(press("play"));
  assert.equal(one.state.mode, "paused");
});

test("a step that plays by itself plays once, from its beginning to its end, and is no action of a reader", () => {
  const one = player();
  one.send({ type: "tell" });
  assert.equal(one.state, INITIAL, "there is no step yet");
  one.send({ type: "open", index: 1, choice: null });
  one.send({ type: "tell" });
  assert.deepEqual([one.phase(), one.state.index], ["draft", 1]);
  one.pass(30);
  assert.deepEqual([one.state.index, one.state.mode, one.state.time], [1, "paused", Infinity]);
  const byItself = ["tell", "tick", "added", "ended", "pace", "follow"];
  assert.deepEqual(
    byItself.filter((type) => isAction({ type })),
    [],
  );
  assert.ok(["press", "choose", "phase", "go", "open", "rest", "begin"].every((type) => isAction({ type })));
});

test("playing goes through all phases of every step, and shows none of them twice", () => {
  const one = player();
  one.send({ type: "go", index: 2 });
  one.send(press("play"));
  one.send(press("play"));
  one.send({ type: "go", index: 2 });
  const seen = [];
  one.run.steps.length = 3;
  one.send({ type: "begin" });
  one.send({ type: "added" });
  for (let count = 0; count < 5000 && one.state.mode === "playing"; count += 1) {
    const at = `${one.state.index + 1} ${one.phase()}`;
    if (seen.at(-1) !== at) seen.push(at);
    one.pass(0.02);
  }
  const phases = ["draft", "score", "walk", "text"];
  assert.deepEqual(
    seen,
    [1, 2, 3].flatMap((step) => phases.map((phase) => `${step} ${phase}`)),
  );
  assert.deepEqual([one.state.index, one.state.time], [2, Infinity]);
});

test("a phase that was not on the screen yet is not passed over, however slow the drawing", () => {
  const one = player();
  one.send({ type: "begin" });
  one.send({ type: "added" });
  one.run.seen = "draft";
  for (let count = 0; count < 20; count += 1) one.state = reduce(one.state, { type: "tick", seconds: 9 }, one.run);
  assert.ok(["draft", "score"].includes(one.phase()), one.phase());
  one.run.seen = null;
  const before = one.state;
  assert.equal(reduce(before, { type: "tick", seconds: 9 }, one.run), before, "nothing goes on before the step is drawn");
});

test("the phase keys go through a step and on to its neighbours", () => {
  const one = player();
  one.send({ type: "go", index: 0 });
  const seen = [];
  for (const action of [
    ...["previousPhase", "previousPhase", "previousPhase"],
    ...["nextPhase", "nextPhase", "nextPhase", "nextPhase", "previousPhase", "previousPhase"],
  ]) {
    one.send(press(action));
    seen.push(`${one.state.index + 1} ${one.phase()}`);
  }
  assert.deepEqual(seen, ["1 walk", "1 score", "1 draft", "1 score", "1 walk", "1 text", "2 draft", "1 text", "1 walk"]);
  one.send(press("next"));
  assert.deepEqual([one.state.index, one.phase()], [1, "text"], "by step it is the finished step");
});

test("a phase that was asked for plays to its end and pauses there", () => {
  const one = player();
  one.send({ type: "go", index: 1 });
  one.send({ type: "phase", phase: "score", inMotion: true });
  assert.equal(one.state.mode, "phase");
  one.pass(20);
  assert.deepEqual([one.phase(), one.state.mode], ["score", "paused"]);
  one.send({ type: "phase", phase: "text", inMotion: true });
  one.pass(20);
  assert.deepEqual([one.state.time, one.state.mode], [Infinity, "paused"]);
});

test("a step is never gone to that is not there", () => {
  const one = player();
  one.send({ type: "go", index: 0 });
  for (const [action, index] of [
    ["previous", 0],
    ["last", 2],
    ["next", 2],
    ["first", 0],
  ]) {
    one.send(press(action));
    assert.equal(one.state.index, index);
  }
  one.send({ type: "go", index: 99 });
  assert.equal(one.state.index, 2);
  const none = player({ names: [] });
  none.send({ type: "go", index: 0 });
  assert.equal(none.state.index, -1);
});

test("a live run that is followed shows its newest step, until a reader goes elsewhere", () => {
  const one = player({ names: [], isLive: true, followsLive: true });
  one.send({ type: "begin" });
  for (const name of ["race", "residuals"]) {
    one.run.steps.push(stepOf(name));
    one.send({ type: "added" });
  }
  assert.equal(one.state.index, 1);
  one.send(press("previous"));
  one.run.steps.push(stepOf("leaf"));
  one.send({ type: "added" });
  assert.equal(one.state.index, 0);
  one.send({ type: "go", index: 2 });
  assert.equal(one.state.mode, "following", "at its end it is followed again");
  one.run.isLive = false;
  one.send({ type: "ended" });
  assert.equal(one.state.mode, "paused");
});

test("a live run at reading pace begins with its first step and waits at its last", () => {
  const one = player({ names: [], isLive: true });
  one.send({ type: "begin" });
  one.run.steps.push(stepOf("race"));
  one.send({ type: "added" });
  assert.deepEqual([one.state.index, one.phase()], [0, "draft"]);
  one.pass(20);
  assert.deepEqual([one.state.index, one.state.mode], [0, "playing"], "more may come");
  one.run.steps.push(stepOf("leaf"));
  one.send({ type: "added" });
  one.pass(0.1);
  assert.deepEqual([one.state.index, one.phase()], [1, "draft"]);
  one.run.followsLive = true;
  one.send({ type: "follow" });
  assert.deepEqual([one.state.mode, one.state.time], ["following", Infinity]);
});

test("a choice pauses and shows the finished step", () => {
  const one = player();
  one.send({ type: "begin" });
  one.send({ type: "added" });
  one.pass(0.2);
  one.send({ type: "choose", choice: { vertex: -1, about: false } });
  assert.deepEqual([one.state.mode, one.state.time, one.state.choice?.vertex], ["paused", Infinity, -1]);
  one.send(press("next"));
  assert.equal(one.state.choice, null);
});

test("without motion a phase is at its end as soon as it has begun", () => {
  const story = storyOfStep(stepOf("race"));
  const { calls, phase } = sceneOf(story, 1e-6, true);
  assert.deepEqual([phase, calls], ["draft", stepOf("race").draft_calls]);
});
