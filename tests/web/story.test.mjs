// A step's story: its phases, how long they take, and what is known at every moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrivals } from "../../visual/web/decision/remaining.js";
import { captionOf } from "../../visual/web/story/captions.js";
import { sceneAt, statesAt, storyOf } from "../../visual/web/story/story.js";
import { cases, isClose, kit, stepOf } from "./cases.mjs";

/**
 * A story with its scenes at so many moments, and what is known of every vertex in each.
 *
 * @param {object} step
 * @param {number} moments
 */
function played(step, moments = 400) {
  const story = storyOf(step);
  const scenes = Array.from({ length: moments }, (_, index) => sceneAt(story, (story.seconds * (index + 0.5)) / moments));
  return { story, scenes, states: scenes.map((scene) => statesAt(story, scene)) };
}

for (const name of Object.keys(cases.steps)) {
  test(`a story has its phases in order and says what became of every vertex: ${name}`, () => {
    const step = stepOf(name);
    const { story, scenes, states } = played(step);
    const phases = step.tree.q.length ? ["draft", "score", "walk", "text"] : ["score", "walk", "text"];
    assert.deepEqual(
      story.spans.map(({ phase }) => phase),
      phases,
    );
    story.spans.slice(1).forEach(({ start }, index) => assert.ok(isClose(start, story.spans[index].end)));
    story.beats.slice(1).forEach(({ start }, index) => assert.ok(isClose(start, story.beats[index].start + story.beats[index].seconds)));
    assert.ok(story.seconds > 2.5 && story.seconds < 4.6, `${story.seconds} s`);
    scenes.forEach((scene, index) => {
      const known = states[index];
      if (scene.phase === "draft" || scene.phase === "score") {
        assert.ok(!known.some((state) => ["accepted", "rejected", "target"].includes(state)), "nothing is decided before the walk");
      }
      if (scene.phase === "draft") {
        step.tree.call_of.forEach((call, vertex) => call > scene.calls && assert.equal(known[vertex], "hidden"));
      }
      if (scene.phase === "text") assert.deepEqual(known, step.tree.states);
      if (scene.joined > 0) assert.ok(scene.phase === "text" && scene.flight === 1, "first the token flies, then the path joins the root");
      assert.ok(!scene.isOver);
    });
    assert.equal(scenes.at(-1).settled, Object.keys(step.decisions).length);
    assert.equal(scenes.at(-1).joined, 1);
    assert.ok(sceneAt(story, Infinity).isOver);
  });
}

test("a step takes three to four seconds however much is decided in it", () => {
  const lengths = new Set();
  for (const { steps } of cases.recorded) {
    for (const step of steps) {
      const { beats, seconds, visits } = storyOf(step);
      const walk = beats.filter(({ phase }) => phase === "walk");
      visits.forEach((_, index) => {
        assert.ok(walk[2 * index].seconds + walk[2 * index + 1].seconds >= 0.1 - 1e-9, "a decision can be followed");
      });
      assert.ok(seconds > 2.5 && seconds < (visits.length < 16 ? 4.05 : 4.25), `${seconds} s, ${visits.length} visits`);
      lengths.add(visits.length);
    }
  }
  assert.ok(lengths.size > 5, "long walks and short ones");
});

test("the root's children come when they arrive in the draft's race", () => {
  let races = 0;
  for (const { steps } of cases.recorded) {
    for (const step of steps) {
      const root = step.decisions[-1];
      const children = Object.entries(root.row_of);
      if (!root.clock || !root.q || !children.length) continue;
      const times = arrivals(root, root.q);
      const last = Math.max(...children.map(([, row]) => times[row]));
      const { scenes, states } = played(step, 100);
      races += 1;
      scenes.forEach((scene, index) => {
        if (scene.phase !== "draft") return;
        const time = (scene.drafted / 0.85) * last; // the race stops a little before the call is over
        for (const [child, row] of children) assert.equal(states[index][child] !== "hidden", times[row] <= time + 1e-9 * last);
      });
    }
  }
  assert.ok(races > 10);
});

test("siblings fall together in a race", () => {
  const { scenes, states } = played(stepOf("race"));
  scenes.forEach((scene, index) => {
    if (scene.phase !== "walk") return;
    const fallen = [0, 1].filter((vertex) => ["accepted", "rejected"].includes(states[index][vertex]));
    assert.deepEqual(fallen, scene.settled || scene.share === 1 || scene.visit > 0 ? [0, 1] : []);
  });
});

test("coins fall one after the other, and a verdict is read before the next try", () => {
  const { scenes, states } = played(stepOf("residuals of 3 rejections"));
  const walk = scenes.filter(({ phase, visit }) => phase === "walk" && visit === 0);
  const tries = walk.map((scene) => scene.tries);
  assert.deepEqual([...new Set(tries)], [0, 1, 2, 3, 4]);
  assert.deepEqual([...new Set(walk.map(({ trying }) => trying))], [1, 2, 3, 4]);
  for (const { tries: decided, trying } of walk) assert.ok(trying === decided || trying === decided + 1);
  scenes.forEach((scene, index) => {
    if (scene.phase === "walk" && scene.tries < 4 && !scene.settled) assert.equal(states[index][1], "scored", "its coin has not fallen");
  });
});

test("captions follow the story", () => {
  const { story, scenes } = played(stepOf("race"));
  const lines = [...new Set(scenes.map((scene) => captionOf(story, scene, kit).line))];
  assert.equal(lines[0], "draft call 1 of 2: 2 tokens");
  assert.equal(lines[2], "one target call scores all 4 drafted tokens and the root");
  assert.equal(lines[3], "the walk stands at the root");
  assert.equal(lines[4], "after the root: ✓ “␣loved” accepted");
  assert.ok(lines.at(-1).startsWith("2 tokens, 1 call: 1 accepted + ★ “␣swim”"));
  const bare = played(stepOf("no draft"));
  assert.equal(captionOf(bare.story, bare.scenes[0], kit).title, "The root alone");
});
