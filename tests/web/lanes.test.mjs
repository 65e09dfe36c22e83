// Where the time goes: which steps are drawn, where their parts lie, and what the printed sums are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { layoutOf, ticksUpTo, windowOf } from "../../visual/web/lanes/layout.js";
import { cases } from "./cases.mjs";

const { steps } = cases.recorded.find((run) => run.steps.length > 10);
const tenths = (value) => Math.round(10 * value) / 10;

test("five steps around the one in view, never the first, which reads the prompt", () => {
  assert.deepEqual(windowOf(20, 8), { first: 6, end: 11 });
  assert.deepEqual(windowOf(20, 0), { first: 1, end: 6 });
  assert.deepEqual(windowOf(20, 2), { first: 1, end: 6 });
  assert.deepEqual(windowOf(20, 19), { first: 15, end: 20 });
  assert.deepEqual(windowOf(3, 1), { first: 1, end: 3 });
  assert.deepEqual(windowOf(1, 0), { first: 1, end: 1 });
  for (let count = 2; count < 12; count += 1) {
    for (let index = 1; index < count; index += 1) {
      const { first, end } = windowOf(count, index);
      assert.ok(first >= 1 && first <= index && index < end && end <= count);
      assert.equal(end - first, Math.min(5, count - 1));
    }
  }
});

test("the parts follow one another, draft calls lie in their drafting, and the printed parts add up", () => {
  const { slots, sums, tokens, plain, factor, span } = layoutOf(steps, 6, 9.25);
  let at = 0;
  for (const { start, end, draft, verify, accept, calls, step } of slots) {
    assert.ok(Math.abs(start - at) < 1e-6);
    assert.deepEqual([draft.start, draft.end, verify.end, accept.end], [start, verify.start, accept.start, end]);
    assert.equal(calls.length, step.draft_calls);
    calls.forEach((call, place) => {
      assert.ok(call.start >= (calls[place - 1]?.end ?? start) && call.start <= call.end && call.end <= draft.end + 1e-9);
    });
    at = end;
  }
  assert.deepEqual(
    slots.map(({ isInView }) => isInView),
    [false, false, true, false, false],
  );
  const { draft, verify, accept, all } = sums;
  assert.equal(all, tenths(draft + verify + accept));
  assert.equal(all, tenths(steps.slice(4, 9).reduce((sum, { stats: { times } }) => sum + times.draft + times.verify + times.accept, 0)));
  assert.equal(tokens, steps.slice(4, 9).flatMap(({ text }) => text).length);
  assert.equal(plain, tenths(tokens * 9.25));
  assert.equal(factor, plain / all);
  assert.equal(span, Math.max(all, plain));
});

test("what is not known is left out", () => {
  const untimed = steps.map((step) => ({ ...step, draft_spans: null }));
  const { slots, plain, factor } = layoutOf(untimed, 6, null);
  assert.ok(slots.every(({ calls }) => calls === null));
  assert.deepEqual([plain, factor], [null, null]);
  assert.deepEqual(layoutOf(steps.slice(0, 1), 0, 9).slots, [], "only the first step is there");
});

test("an axis has up to nine round values", () => {
  for (const span of [0.04, 0.9, 3, 7.9, 8, 77.1, 141, 999, 12345, 90000]) {
    const ticks = ticksUpTo(span);
    assert.ok(ticks.length >= 4 && ticks.length <= 9, `${span}: ${ticks}`);
    assert.equal(ticks[0], 0);
    assert.ok(ticks.at(-1) <= span);
    assert.match((ticks[1] / 10 ** Math.floor(Math.log10(ticks[1]) + 1e-9)).toFixed(6), /^[125]\.0/);
  }
});

test("a draft that works ahead: prepared steps wait for the rest of the preparing, the others for a new draft, and the sums are the printed ones", () => {
  const count = steps.length - 1;
  const isPrepared = Array.from({ length: count }, (_, entry) => entry % 2 === 0);
  const waits = isPrepared.map((prepared, entry) => (prepared ? 0.4 : steps[entry + 1].stats.times.draft));
  const drafting = Array.from({ length: count }, () => 3.5);
  const { slots, sums, plain, ahead, span } = layoutOf(steps, 6, 9.25, { is_prepared: isPrepared, waits, drafting });
  let at = 0;
  ahead.slots.forEach((slot, place) => {
    const { start, end, waits: waited, verify, accept, isPrepared: found, calls } = slot;
    assert.ok(Math.abs(start - at) < 1e-6);
    assert.equal(found, isPrepared[slot.step.index - 1]);
    assert.ok(Math.abs(waited.end - waited.start - waits[slot.step.index - 1]) < 1e-6);
    assert.ok(Math.abs(verify.start - waited.end) < 1e-6 && Math.abs(accept.end - end) < 1e-6);
    const { verify: usual } = slots[place];
    assert.ok(Math.abs(verify.end - verify.start - (usual.end - usual.start)) < 1e-6);
    assert.ok(slot.ahead.every((part) => part.start >= start - 1e-6 && part.end <= end + 1e-6));
    assert.equal(slot.ahead.length, found ? 2 : 1, "the rest of its own preparing, and the next step's");
    assert.ok(found ? calls.length === 0 : calls.every((call) => call.start >= start - 1e-6 && call.end <= waited.end + 1e-6));
    at = end;
  });
  assert.equal(ahead.wait, tenths(ahead.slots.reduce((sum, { step }) => sum + waits[step.index - 1], 0)));
  assert.equal(ahead.all, tenths(ahead.wait + sums.verify + sums.accept));
  assert.equal(ahead.factor, plain / ahead.all);
  assert.equal(span, Math.max(sums.all, ahead.all, plain));
  const last = layoutOf(steps, count, 9.25, { is_prepared: isPrepared, waits, drafting }).ahead.slots.at(-1);
  assert.ok(
    last.ahead.every((part) => part.end <= last.verify.start + 1e-6),
    "after the last step nothing is prepared",
  );
  assert.equal(layoutOf(steps, 6, null, null).ahead, null);
});
