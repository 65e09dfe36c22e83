// Numbers are written in the browser as they are in Python.

import assert from "node:assert/strict";
import { test } from "node:test";
import { comesOut, decimal, digitsApart, milliseconds, number, quotient } from "../../visual/web/base/numbers.js";
import { cases } from "./cases.mjs";

const { format } = cases;

test("numbers, quotients and numbers to be told apart are written as in Python", () => {
  for (const { pair, texts } of cases.numbers) {
    const [one, other] = pair;
    const digits = digitsApart(pair, format);
    const apart = pair.map((value) => number(value, format, digits));
    assert.deepEqual([number(one, format), number(other, format, 5), quotient(one, other, format), ...apart], texts);
  }
});

test("quotients of counts are rounded as in Python", () => {
  for (const { value, texts } of cases.decimals) {
    assert.deepEqual(
      [0, 1, 2].map((decimals) => decimal(value, decimals)),
      texts,
    );
  }
});

test("what is not known or infinite is written ∞", () => {
  for (const value of [null, undefined, Infinity, NaN]) assert.equal(number(value, format), "∞");
});

test("a division comes out only if the printed numbers give the printed value", () => {
  assert.ok(comesOut(["0.41", "0.66", "0.62"]));
  assert.ok(!comesOut(["0.41", "0.66", "0.61"]));
  assert.ok(!comesOut(["0.41", "0", "0.61"]));
  assert.ok(comesOut(["1,200", "2", "600"]));
  assert.ok(comesOut(["< 0.0001", "0.5", "< 0.001"]));
  assert.ok(!comesOut(["0.125", "1", "0.13"]), "a half is rounded up by some readers and down by others");
});

test("milliseconds have one decimal below a second and none from there", () => {
  assert.deepEqual([0, 41.26, 999.94, 999.96, 1117.8].map(milliseconds), ["0.0", "41.3", "999.9", "1000", "1118"]);
});
