// The lab's arithmetic: probabilities that stay a distribution, what readers type, and addresses.

import assert from "node:assert/strict";
import { test } from "node:test";

import { choiceIn } from "../../visual/web/lab/address.js";
import { likeliest, read, rounded, scaleOf, withValue, formatProbability } from "../../visual/web/lab/probabilities.js";

const sum = (values) => Math.round(values.reduce((total, each) => total + each, 0) * 1e9) / 1e9;

test("the others share the rest in proportion", () => {
  assert.deepEqual(withValue([0.2, 0.4, 0.4], 0, 0.6), [0.6, 0.2, 0.2]);
  assert.deepEqual(withValue([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25]);
  assert.deepEqual(withValue([0.3, 0.7], 1, 0), [1, 0]);
});

test("probabilities always sum to 1, and the one that was set keeps its value", () => {
  for (let trial = 0; trial < 500; trial += 1) {
    const count = 2 + (trial % 9);
    let values = rounded(Array.from({ length: count }, () => 1 / count));
    for (let change = 0; change < 5; change += 1) {
      const place = (trial * 7 + change) % count;
      const value = Math.round(((trial * 37 + change * 11) % 101) * 10) / 1000;
      values = withValue(values, place, value);
      assert.equal(sum(values), 1);
      assert.equal(values[place], value);
      assert.ok(values.every((each) => each >= 0));
    }
  }
});

test("numbers are read as people type them, and nothing else is", () => {
  for (const [typed, value] of [
    ["0.2", 0.2],
    [".5", 0.5],
    ["1", 1],
    ["0,25", 0.25],
    [" 20% ", 0.2],
    ["100%", 1],
  ])
    assert.equal(read(typed), value);
  for (const typed of ["", "abc", "NaN", "1.2", "-0.1", "1e-3", "Infinity", "0.2.3", "120%"]) assert.equal(read(typed), null);
});

test("a probability is written with two decimals, or with three where it has them", () => {
  assert.deepEqual([0.2, 0.125, 1, 0].map(formatProbability), ["0.20", "0.125", "1.00", "0.00"]);
});

test("the scale holds every bar", () => {
  for (let largest = 0.05; largest <= 1; largest += 0.01) assert.ok(scaleOf([largest, 0]) >= largest);
});

test("a real decision is cut to its likeliest tokens and rescaled", () => {
  const found = likeliest({ names: ["a", "b", "c"], p: [0.1, 0.6, 0.01], q: [0.3, 0.2, 0.02] }, 2);
  assert.deepEqual(found.names, ["a", "b"]);
  assert.deepEqual([sum(found.p), sum(found.q)], [1, 1]);
  assert.equal(likeliest({ names: ["a"], p: [0], q: [0.4] }, 2), null);
});

const KIT = {
  presets: {
    names: ["dog", "cat", "tree"],
    usual: { start: "equal", tokens: 2 },
    labels: { equal: "Equal", shifted: "Shifted" },
    sizes: {
      2: { equal: { p: [0.5, 0.5], q: [0.5, 0.5] }, shifted: { p: [0.1, 0.9], q: [0.9, 0.1] } },
      3: { equal: { p: [0.2, 0.3, 0.5], q: [0.2, 0.3, 0.5] }, shifted: { p: [0.1, 0.1, 0.8], q: [0.8, 0.1, 0.1] } },
    },
  },
  rules: { ersd: { label: "Race" }, gsd: { label: "Coins" } },
  bugs: { no_residual: { label: "x", rules: ["gsd"] } },
  guesses: 6,
  trials: [1, 100, 10000],
  usual: { rule: "ersd", k: 2, seed: 1 },
};
const choice = (query) => choiceIn(new URLSearchParams(query), KIT);

test("an address without wishes is the usual choice", () => {
  const { choice: found, problem } = choice("tab=lab");
  assert.equal(problem, "");
  assert.deepEqual(found, {
    start: "equal",
    names: ["dog", "cat"],
    p: [0.5, 0.5],
    q: [0.5, 0.5],
    rule: "ersd",
    bug: "",
    k: 2,
    seed: 1,
    trials: 10000,
    trial: 0,
  });
});

test("an address names rule, bug, tokens, and probabilities of its own", () => {
  const { choice: found, problem } = choice("lab-rule=gsd&lab-bug=no_residual&lab-tokens=3&lab-p=0.1,0.2,0.7&lab-k=4&lab-trial=8");
  assert.equal(problem, "");
  assert.deepEqual([found.rule, found.bug, found.k, found.trial, found.start], ["gsd", "no_residual", 4, 7, "own"]);
  assert.deepEqual(
    [found.p, found.q],
    [
      [0.1, 0.2, 0.7],
      [0.2, 0.3, 0.5],
    ],
  );
});

test("what is wrong in an address is named, and the usual stays", () => {
  for (const [query, words] of [
    ["lab-rule=magic", "lab-rule must be one of ersd, gsd, got “magic”"],
    ["lab-bug=no_residual", "Race cannot have the bug “x” (offered for: Coins), so the rule is shown as it should be"],
    ["lab-bug=constructor", "lab-bug must be one of no_residual, got “constructor”"],
    ["lab-k=99", "lab-k must be a whole number from 1 to 6, got “99”"],
    ["lab-p=0.5,0.9", "lab-p must be 2 numbers from 0 that sum to 1, got “0.5,0.9”"],
    ["lab-p=NaN,1", "lab-p must be 2 numbers"],
    ["lab-trials=7", "lab-trials must be one of 1, 100, 10000"],
  ]) {
    const { choice: found, problem } = choice(query);
    assert.ok(problem.includes(words), `${query}: ${problem}`);
    assert.equal(sum(found.p), 1);
  }
});
