// Guesses from the target's first layers: whether the run pays by its costs, and at which exits it could.

import assert from "node:assert/strict";
import { test } from "node:test";
import { pays } from "../../visual/web/lanes/ladder.js";

// a call for one token 10 ms, for five 12 ms; a draft call of 3 layers 4 ms
const place = { calls: [[1, 10], [5, 12], [17, 20]], level: 4, wider: 0, choice: 0, unit: "ms" }; // prettier-ignore
const said = (perCall, levels, costs = {}) =>
  pays({ exit: 3, layers: 7, place: { ...place, ...costs } }, { speedup: { basis: [perCall, levels, 5] } });

test("a run that pays says from how many tokens a call on it does", () => {
  // 4 draft calls of 4 ms and a call of 12 ms take as long as 2.8 calls for one token
  assert.equal(said(2.9, 4), "By the costs of the parts of a step here it pays: a call gives 2.90 tokens, and pays from 2.80 on.");
});

test("a run that loses says so, and at which exits it could pay", () => {
  const words = said(2.0, 4);
  assert.match(words, /the whole run loses: a call gives 2\.00 tokens, and pays from 2\.80 on\./);
  assert.match(words, /1: 1\.73, 2: 2\.27, 3: 2\.80, 4: 3\.33, 5: 3\.87, 6: 4\.40\./);
  // an earlier one with as many tokens, a later one with at most 4 + 1
  assert.match(words, /Only exits after 1, 4, 5, 6 layers could pay, if the guesses from there are as good as that takes\.$/);
});

test("where no exit can pay it says why", () => {
  assert.match(said(1.5, 4, { level: 12 }), /So none pays: .* at most 5\.00\.$/);
  assert.equal(pays({ exit: 3, layers: 7, place }, { speedup: { basis: null } }), "");
});
