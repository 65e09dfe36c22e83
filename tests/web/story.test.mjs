// A step's story: its phases, how long they take, and what is known at every moment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL, knownAt } from "../../visual/web/decision/motion.js";
import { momentOf, placeOf } from "../../visual/web/race/time_scale.js";
import { headlineAt } from "../../visual/web/story/headline.js";
import { acceptedAt, sceneAt, statesAt, storyOf } from "../../visual/web/story/story.js";
import { cases, isClose, stepOf } from "./cases.mjs";

/**
 * A story with its scenes at so many moments, and what is known of every node in each.
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
    assert.ok(story.seconds > 2.4 && story.seconds < 6.8, `${story.seconds} s`);
    scenes.forEach((scene, index) => {
      const known = states[index];
      if (scene.phase === "draft" || scene.phase === "score") {
        assert.ok(!known.some((state) => ["accepted", "rejected", "target"].includes(state)), "nothing is decided before the walk");
      }
      if (scene.phase === "draft") {
        step.tree.call_of.forEach((call, vertex) => call > scene.calls && assert.equal(known[vertex], "hidden"));
      }
      if (scene.phase === "text") assert.deepEqual(known, step.tree.states);
      assert.ok(!scene.isOver);
    });
    assert.equal(scenes.at(-1).settled, story.visits.length);
    const accepted = scenes.map((scene) => acceptedAt(story, scene));
    assert.ok(accepted.every((count, index) => index === 0 || count >= accepted[index - 1]));
    assert.equal(accepted.at(-1), step.bar.accepted);
    for (const { progress } of scenes) assert.ok(progress >= 0 && progress <= 1);
    assert.ok(sceneAt(story, Infinity).isOver);
  });
}

test("calls and decisions can be followed, and a step takes less than seven seconds", () => {
  const lengths = new Set();
  for (const { steps } of cases.recorded) {
    for (const step of steps) {
      const { beats, seconds, visits } = storyOf(step);
      const walk = beats.filter(({ phase }) => phase === "walk");
      visits.forEach((_, index) => {
        assert.ok(walk[2 * index].seconds + walk[2 * index + 1].seconds >= 0.1 - 1e-9, "a decision can be followed");
      });
      const calls = beats.filter(({ phase }) => phase === "draft").map((beat) => beat.seconds);
      assert.ok(calls.every((call) => call <= 0.8 && call >= Math.min(0.8, 2.4 / calls.length) - 1e-9));
      assert.ok(seconds > 2.4 && seconds < 6.8, `${seconds} s, ${visits.length} visits`);
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
      // the cursor goes from 0.01 to 100 in one draft call; what is later than that comes at its end
      const places = root.q.map((chance, row) => Math.max(0, Math.min(1, (Math.log10(root.clock[row] / chance) + 2) / 4)));
      const { scenes, states } = played(step, 100);
      races += 1;
      scenes.forEach((scene, index) => {
        if (scene.phase !== "draft") return;
        for (const [child, row] of children) assert.equal(states[index][child] !== "hidden", places[row] <= scene.drafted);
      });
    }
  }
  assert.ok(races > 10);
});

test("siblings fall together in a race, when the first token arrives for the target", () => {
  const { story, scenes, states } = played(stepOf("race"));
  const { clock, p, chosen } = story.visits[0].decision;
  const arrival = placeOf(clock[chosen] / p[chosen]);
  assert.ok(arrival > 0.1 && arrival < 0.9);
  scenes.forEach((scene, index) => {
    if (scene.phase !== "walk") return;
    const fallen = [0, 1].filter((vertex) => ["accepted", "rejected"].includes(states[index][vertex]));
    assert.deepEqual(fallen, scene.settled || scene.share >= arrival || scene.visit > 0 ? [0, 1] : []);
    assert.equal(acceptedAt(story, scene), fallen.length ? 1 : 0, "the headline counts it in the same moment");
  });
});

test("a race in laps has a linear scale, in the tree as in its picture", () => {
  const step = stepOf("laps");
  const { story, scenes, states } = played(step);
  const { decision } = story.visits[0];
  const { clock, p, chosen, laps } = decision;
  const end = 1.15 * laps.times.at(-1);
  assert.deepEqual(
    [0, end / 2, end, 3 * end, Infinity].map((time) => momentOf(decision)(time)),
    [0, 0.5, 1, 1, 1],
  );
  assert.ok(Math.abs(clock[chosen] / p[chosen] / end - placeOf(clock[chosen] / p[chosen])) > 0.05, "not the one of other races");
  scenes.forEach((scene, index) => {
    if (scene.phase !== "walk" || scene.visit > 0 || scene.settled) return;
    const isFallen = ["accepted", "rejected"].includes(states[index][0]);
    assert.equal(isFallen, scene.share >= clock[chosen] / p[chosen] / end);
  });
  scenes.forEach((scene, index) => {
    if (scene.phase === "draft") assert.equal(states[index][0] !== "hidden", laps.times[0] / end <= scene.drafted);
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

test("headlines follow the story, and nothing is told before its time", () => {
  const { story, scenes } = played(stepOf("race"));
  const lines = [
    ...new Set(
      scenes.map((scene) =>
        headlineAt(story, scene)
          .map(([kind, words]) => `${kind && "*"}${words}`)
          .join(""),
      ),
    ),
  ];
  assert.deepEqual(lines, [
    "The draft is guessing: 0 of 4 tokens so far",
    "The draft is guessing: 1 of 4 tokens so far",
    "The draft is guessing: 2 of 4 tokens so far",
    "The draft is guessing: 4 of 4 tokens so far",
    "One call of the target scores all 4 guesses at once, and reads the prompt",
    "No guess right yet",
    "1 guess right so far: *loved",
    "2 tokens from one call: the draft guessed *loved and the target added *swim",
  ]);
  const bare = played(stepOf("no draft"));
  assert.equal(headlineAt(bare.story, bare.scenes[0])[0][1], "One call of the target, without a draft, and reads the prompt");
});

test("where the leaves are asked first, the walk comes to the guesses in the order in which they were asked", () => {
  const { story, scenes, states } = played(stepOf("leaves"));
  assert.deepEqual(
    story.visits.map(({ vertex, first, tries }) => [vertex, first, tries]),
    [
      [0, 0, 2],
      [-1, 0, 1],
      [1, 0, 1],
      [4, 0, 0],
    ],
  );
  const decidedAt = story.step.tree.q.map((_, vertex) => states.findIndex((known) => ["accepted", "rejected"].includes(known[vertex])));
  const [long, lot, comma, nest, of] = decidedAt;
  assert.ok(comma < nest && nest < long && long < of && of <= lot, "a guess after all that follows it; what the last coin keeps with it");
  // the coins of the root that have fallen while another branch is asked
  const asking = scenes.findIndex(({ visit }) => visit === 2);
  assert.deepEqual(knownAt(story, scenes[asking], story.step.decisions[-1]), { ...ALL, target: 0, stage: 1, tries: 1 });
  assert.equal(knownAt(story, scenes.at(-1), story.step.decisions[-1]), ALL);
});
