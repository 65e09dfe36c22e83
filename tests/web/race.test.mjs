// A race as it is run: who runs over which distance, until when, and which numbers are printed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { comesOut } from "../../visual/web/base/numbers.js";
import { arrivals } from "../../visual/web/decision/bar_values.js";
import { describeRace } from "../../visual/web/motion/race_description.js";
import { covered, raceOf, SHORTEST } from "../../visual/web/motion/race_lanes.js";
import { writtenIn } from "../../visual/web/motion/race_numbers.js";
import { cases, isClose, kit, stepOf } from "./cases.mjs";

const ROOM = 7;

/** Every race of the recorded runs: its step, its vertex, its decision. */
function* races() {
  for (const { steps } of cases.recorded) {
    for (const step of steps) {
      for (const [vertex, decision] of Object.entries(step.decisions)) if (decision.clock) yield { step, vertex: Number(vertex), decision };
    }
  }
}

test("the draft's race stops at the last child, the target's at its first arrival", () => {
  let found = 0;
  for (const { step, vertex, decision } of races()) {
    found += 1;
    const race = raceOf(step, vertex, ROOM);
    const times = arrivals(decision, decision.p);
    assert.equal(race.targetStop, times[decision.chosen]);
    assert.ok(
      times.every((time) => time >= race.targetStop * (1 - 1e-3)),
      "nobody arrives before the winner",
    );
    const children = Object.values(decision.row_of);
    const draft = decision.q && arrivals(decision, decision.q);
    assert.equal(race.draftStop, draft && children.length ? Math.max(...children.map((row) => draft[row])) : null);
    assert.ok(race.runners.length <= ROOM);
    assert.deepEqual(
      race.runners.filter(({ target }) => target.place === 1).map(({ row }) => row),
      [decision.chosen],
    );
  }
  assert.ok(found > 20);
});

test("children arrive in the draft's order", () => {
  const { runners, children, arrived } = raceOf(stepOf("race"), -1, ROOM);
  assert.deepEqual([children, arrived], [2, 2]);
  assert.deepEqual(
    runners.map(({ draft }) => draft.place),
    [1, 2, 0],
  );
});

test("lanes are as long as their distances, or marked as not to scale", () => {
  for (const { step, vertex } of races()) {
    const { runners } = raceOf(step, vertex, ROOM);
    const scaled = runners.filter(({ isScaled }) => isScaled);
    assert.ok(scaled.length);
    for (const { clock, length } of scaled) assert.ok(isClose(length / clock, scaled[0].length / scaled[0].clock));
    for (const { length } of runners) assert.ok(length >= SHORTEST && length <= 1);
  }
});

test("a token has covered time times speed of its distance, and all of it when it arrives", () => {
  const lane = { speed: 0.5, arrival: 0.24, place: 1 };
  assert.ok(isClose(covered(lane, 0.06), (0.06 * 0.5) / 0.12));
  assert.equal(covered(lane, 0.3), 1);
  assert.equal(covered({ speed: 0, arrival: Infinity, place: 0 }, 10), 0);
});

test("whoever divides the printed distance by a printed speed gets the printed time", () => {
  for (const { step, vertex } of races()) {
    const race = raceOf(step, vertex, ROOM);
    for (const runner of race.runners) {
      const { over, divisions } = writtenIn(runner, race, kit.numbers);
      for (const { under, value } of divisions) {
        if (value !== kit.numbers.infinite) assert.ok(comesOut([over, under, value]), `${over} / ${under} = ${value}`);
      }
    }
  }
});

test("a race is described in words, in the order of arrival", () => {
  const step = stepOf("race");
  const text = describeRace(raceOf(step, -1, ROOM), step.decisions[-1].names, true, kit.numbers);
  assert.match(text, /The draft’s race: 1st “␣liked”, 0\.12 \/ 0\.6\d* = 0\.2\d*; 2nd “␣loved”/);
  assert.match(text, /The target’s race: 1st “␣loved”, 0\.06\d* \/ 0\.5\d* = 0\.12/);
});
