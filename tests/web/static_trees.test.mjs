// The browser cuts a text into the steps of other trees as the engine does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, sizeOf } from "../../visual/web/what_if/static_trees.js";
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
