// One model of speed: header, table of other machines, What if, Compare, Curves and terminal agree, and the browser computes as Python does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { speeds } from "../../visual/web/curves/speed.js";
import { anyCall, speedupAt, formatFactor } from "../../visual/web/figures/cost_ratio.js";
import { stepFactor, timesOf } from "../../visual/web/figures/figures.js";
import { cut } from "../../visual/web/what_if/static_trees.js";
import { outcomeOf } from "../../visual/web/what_if/what_if.js";
import { cases } from "./cases.mjs";

test("the browser expects what Python expects, and prints the same formula", () => {
  assert.ok(cases.speeds.length > 100);
  for (const { place, basis, factor, formula } of cases.speeds) {
    const found = speedupAt(place, ...basis);
    assert.equal(found.factor, factor, formula);
    assert.equal(found.formula, `= ${formula}`);
  }
  assert.deepEqual(speedupAt(anyCall(20), 3, 4, 17), { factor: (3 * 20) / (20 + 4), formula: "= 3.00 · 20 / (draft 4 + verify 20)" });
  assert.deepEqual([null, 1.234, 9.996, 12.34].map(formatFactor), ["–", "1.23", "10.0", "12.3"]);
});

test("a run that takes the times that its costs predict has one speed-up everywhere, measured or expected, under any load", () => {
  for (const { run, compare, curves, terminal, load } of cases.predicted) {
    const { speedup } = run.steps.at(-1);
    const [here] = run.begin.elsewhere;
    const choice = { ...run.begin.settings };
    const accepted = [0, 0, 0, speedup.basis[0] - 1]; // by a chain of 1, 2, … tokens
    const shown = {
      header: speedup.factor,
      table: speedupAt(here, ...speedup.basis).factor,
      redrawAt: outcomeOf(cut(run.ranks, choice), here).factor,
      compare: compare.lanes[0].row.factor,
      compareAlone: compare.without,
      compareExpected: speedupAt(compare.elsewhere[0], ...compare.lanes[0].row.basis).factor,
      curves: speeds("sequence", { accepted, next: [], levels: [accepted] }, curves.places[0])[3].speed,
      lastStep: stepFactor(run.steps.at(-1), speedup.alone),
      measuredInTerminal: terminal.measured,
      expectedInTerminal: terminal.expected,
    };
    for (const [name, factor] of Object.entries(shown)) assert.equal(formatFactor(factor), "1.59", `${name}, load ${load}`);
    assert.match(here.source, /measured at load, idle/);
    assert.match(speedup.over, /^measured/);
    assert.equal(speedup.alone, 4.5 * load);
  }
});

test("a step is compared under the load of its run, and not where its time says nothing", () => {
  const { steps } = cases.uneven;
  const { alone } = steps.at(-1).speedup;
  assert.ok(steps[1].speedup.alone > 6 * alone, "after the second step the load seems high, since its call was slow");
  const factors = steps.map((step) => stepFactor(step, alone));
  assert.deepEqual(factors.slice(0, 2), [null, null], "the first reads the prompt, the second took far too long");
  assert.ok(timesOf(steps[1], alone).endsWith("no factor, since this call took an unusual time"));
  assert.ok(factors.slice(3).every((factor) => factor !== null && factor > 1.5 && factor < 2));
  assert.equal(factors[2], null, "a step cannot be faster than its target call");
  assert.ok(!timesOf(steps[3], alone).includes("no factor"));
  assert.equal(stepFactor(steps[3], null), null);
});

test("no step of a recorded run is faster than its target call allows", () => {
  let known = 0;
  for (const { steps } of cases.recorded) {
    const { alone, basis } = steps.at(-1).speedup;
    for (const step of basis ? steps : []) {
      const factor = stepFactor(step, alone);
      if (factor === null) continue;
      known += 1;
      assert.ok(factor <= step.speedup.call.most);
      const words = timesOf(step, alone).match(/(\d+) tokens? · ([\d.]+) = ([\d.]+) ms/);
      assert.ok(Math.abs(Number(words[1]) * Number(words[2]) - Number(words[3])) <= 0.0501, "the product comes out");
    }
  }
  assert.ok(known > 50);
});
