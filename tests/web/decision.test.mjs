// Which decision is shown, which of its rows, and the numbers beside its bars.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isConsistentQuotient } from "../../visual/web/base/numbers.js";
import { remainingAt } from "../../visual/web/coins/coin_motion.js";
import { decisionThatSettled, decisionInView } from "../../visual/web/decision/decision.js";
import { placedValue } from "../../visual/web/decision/labels.js";
import { raceNumbers, rowNumbers } from "../../visual/web/decision/printed_numbers.js";
import { rowsShown } from "../../visual/web/decision/frame.js";
import { placeOf, timeAt } from "../../visual/web/race/time_scale.js";
import { cases, isClose, kit, stepOf } from "./cases.mjs";

const ROOT = -1;
const allDecisions = () => cases.recorded.flatMap(({ steps }) => steps.flatMap(({ decisions }) => Object.values(decisions)));

test("a vertex opens the decision about its children, else the nearest one above it", () => {
  const step = stepOf("race"); // 0 and 1 at the root, 2 at the accepted 1, 3 at the rejected 0
  const shown = (vertex, about = false) => {
    const { vertex: at, subject } = decisionInView(step, { vertex, about });
    return [at, subject];
  };
  assert.deepEqual(shown(ROOT), [ROOT, null]);
  assert.deepEqual(shown(1), [1, null]);
  assert.deepEqual(shown(1, true), [ROOT, 1]);
  assert.deepEqual(shown(3), [ROOT, 0], "its parent was rejected");
  assert.equal(decisionInView(step, null).vertex, step.walk_end, "first where the step ended");
  assert.equal(decisionInView({ ...step, opens_at: ROOT }, null).vertex, ROOT, "or at the decision that the step names");
  assert.equal(decisionInView({ ...step, opens_at: ROOT }, { vertex: 1, about: false }).vertex, 1);
  assert.equal(decisionThatSettled(step, 3), null);
});

test("printed divisions of one clock come out on both sides", () => {
  let seed = 7;
  const draw = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let round = 0; round < 3000; round += 1) {
    const clock = -Math.log(draw());
    const [q, p] = [10 ** (-4 * draw()), 10 ** (-4 * draw())];
    const { clock: written, draft, target } = rowNumbers({ clock, q, p }, kit.numbers);
    for (const { chance, time } of [draft, target])
      assert.ok(isConsistentQuotient([written, chance, time]), `${written} / ${chance} = ${time}`);
  }
});

test("times that decide a race look different, and their divisions still come out", () => {
  const rows = [
    { clock: 0.557, q: 0.2, p: 0.1 }, // 2.785
    { clock: 0.841, q: 0.3, p: 0.9 }, // 2.803
    { clock: 1, q: null, p: 0.5 },
  ];
  assert.equal(rowNumbers(rows[0], kit.numbers).draft.time, rowNumbers(rows[1], kit.numbers).draft.time);
  const found = raceNumbers(rows, kit.numbers);
  assert.notEqual(found[0].draft.time, found[1].draft.time);
  for (const { clock, draft, target } of found)
    for (const side of [draft, target]) if (side) assert.ok(isConsistentQuotient([clock, side.chance, side.time]));
  const same = raceNumbers([rows[0], rows[0]], kit.numbers);
  assert.equal(same[0].draft.time, same[1].draft.time, "what is equal stays equal");
});

test("drafted and chosen rows are always shown, and a rank above its place is marked", () => {
  for (const decision of allDecisions()) {
    const shown = rowsShown(decision, 6, kit.marks);
    const rows = shown.map(({ row }) => row);
    assert.deepEqual(
      rows,
      [...rows].sort((one, other) => one - other),
    );
    for (const [index, { row, isAfterGap }] of shown.entries()) {
      if (row > (rows[index - 1] ?? -1) + 1) assert.ok(isAfterGap, "rows left out are marked");
    }
    if (decision.chosen < 0) continue;
    const place = rows.indexOf(decision.chosen);
    assert.ok(place >= 0);
    if (decision.rank) assert.equal(shown[place].rank, decision.rank > place + 1 ? decision.rank : null);
  }
});

test("what remains is never more than p", () => {
  for (const decision of allDecisions()) {
    const remaining = remainingAt(decision, null);
    if (remaining) assert.ok(remaining.every((value, row) => value <= decision.p[row] * 1.001 + 1e-4));
  }
});

test("the scale of times is logarithmic, from 0.01 to 100", () => {
  assert.deepEqual(
    [0.001, 0.01, 1, 100, 1e9, Infinity].map((time) => placeOf(time)),
    [0, 0, 0.5, 1, 1, 1],
  );
  assert.ok(isClose(timeAt(placeOf(2.4)), 2.4));
});

test("the numbers of a bar do not cross its end", () => {
  const bar = { room: 158, small: 12 };
  const texts = (left, all, long, filled) => placedValue(left, all, { ...bar, long, filled }).map(({ text }) => text);
  assert.deepEqual(texts("0.02", "0.15", 21, 3), ["0.02 of 0.15"], "beyond the bar");
  assert.deepEqual(texts("0.53", "0.55", 78, 75), ["0.53", "of 0.55"], "within the filled part, and beyond it");
  assert.deepEqual(texts("0.20", "0.50", 71, 28), ["0.20", "of 0.50"], "within the empty part, and beyond it");
  assert.deepEqual(texts("0.31", "0.92", 131, 44), ["0.31"], "no room beyond it");
  assert.deepEqual(texts("", "0.97", 140, 140), ["0.97"]);
  for (let long = 0; long <= 142; long += 1) {
    for (let filled = 0; filled <= long; filled += 1) {
      for (const { x, text } of placedValue("0.53", "0.55", { ...bar, long, filled })) {
        const end = x + text.length * bar.small * 0.6;
        assert.ok(x >= 0 && end <= bar.room);
        if (long <= 110) for (const edge of [long, filled]) assert.ok(x >= edge || end <= edge || filled === long, `${long} ${filled}`);
      }
    }
  }
});
