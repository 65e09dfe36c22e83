// The browser cuts a text into the steps of other trees as the engine does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { reckoned, times } from "../../visual/web/panels/cost_ratio.js";
import { cut, sizeOf } from "../../visual/web/panels/static_trees.js";
import { cases } from "./cases.mjs";

test("any ranks are cut into the steps that the engine makes", () => {
  assert.ok(cases.cuts.length > 100);
  for (const { ranks, choice, steps } of cases.cuts) {
    const found = cut(ranks, choice);
    const message = `${choice.topology}, k = ${choice.draft_tokens}`;
    assert.deepEqual(
      found.map(({ tokens, accepted, levels }) => [tokens, accepted, levels]),
      steps,
      message,
    );
    assert.ok(
      found.every(({ scored }) => scored >= 1 && scored <= sizeOf(choice) + 1),
      message,
    );
  }
});

test("a tree's size is the number of its drafted tokens", () => {
  const choice = { draft_tokens: 10, branching: [3, 2], sequences: 4 };
  const sizes = ["tau_star", "sequence", "batch", "specinfer", "multi_sequence"].map((topology) => sizeOf({ ...choice, topology }));
  assert.deepEqual(sizes, [10, 10, 10, 3 + 6, 8]);
  assert.throws(() => sizeOf({ ...choice, topology: "dynamic" }));
});

test("the speed-up at a cost is tokens per call times the cost of plain decoding over that of a step", () => {
  assert.deepEqual(reckoned([[1, 20]], 3, 4, 17), {
    factor: (3 * 20) / (20 + 4),
    formula: "= 3.00 · 20 / (20 + 4.00 draft levels a call)",
  });
  const measured = [
    [1, 10],
    [9, 18],
    [17, 30],
  ];
  assert.equal(reckoned(measured, 3, 4, 9).factor, 30 / (18 + 4));
  assert.equal(reckoned(measured, 3, 4, 13).factor, 30 / (24 + 4), "between two measurements");
  assert.equal(reckoned(measured, 3, 4, 25).factor, 30 / (42 + 4), "and after the last");
  assert.deepEqual([null, 1.234, 9.996, 12.34].map(times), ["–", "1.23", "10.0", "12.3"]);
});
