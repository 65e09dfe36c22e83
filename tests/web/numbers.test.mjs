// Numbers are written in the browser as they are in Python.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isConsistentQuotient, decimal, digitsApart, duration, number, quotient } from "../../visual/web/base/numbers.js";
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
  assert.ok(isConsistentQuotient(["0.41", "0.66", "0.62"]));
  assert.ok(!isConsistentQuotient(["0.41", "0.66", "0.61"]));
  assert.ok(!isConsistentQuotient(["0.41", "0", "0.61"]));
  assert.ok(isConsistentQuotient(["1,200", "2", "600"]));
  assert.ok(isConsistentQuotient(["< 0.0001", "0.5", "< 0.001"]));
  assert.ok(!isConsistentQuotient(["0.125", "1", "0.13"]), "a half is rounded up by some readers and down by others");
});

test("a time has one decimal below a second, none from there, and is in seconds from ten on", () => {
  const times = [0, 41.26, 999.94, 999.96, 1117.8, 9999.4, 9999.6, 19_774, 99_940, 99_960, 1_234_567];
  const printed = ["0.0 ms", "41.3 ms", "999.9 ms", "1000 ms", "1118 ms", "9999 ms", "10.0 s", "19.8 s", "99.9 s", "100 s", "1235 s"];
  assert.deepEqual(
    times.map((ms) => duration(ms).text),
    printed,
  );
  assert.deepEqual(
    [41.26, 19_774].map((ms) => duration(ms).ms),
    [41.3, 19_800],
  );
});
