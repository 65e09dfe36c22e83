// Which decision is shown, what the bars of its butterfly are, and how long they are drawn.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrivals, barValuesOf, captions, tryInView } from "../../visual/web/decision/bar_values.js";
import { Butterfly } from "../../visual/web/decision/butterfly.js";
import { layoutOf } from "../../visual/web/decision/butterfly_layout.js";
import { decisionAbout, decisionOf } from "../../visual/web/decision/decision.js";
import { limitRows } from "../../visual/web/decision/row_limit.js";
import { cases, isClose, kit, stepOf } from "./cases.mjs";

const ROOT = -1;

test("a vertex opens the decision about its children, else the nearest one above it", () => {
  const step = stepOf("race"); // 0 and 1 at the root, 2 at the accepted 1, 3 at the rejected 0
  const shown = (vertex, about = false) => {
    const { vertex: at, subject } = decisionOf(step, { vertex, about });
    return [at, subject];
  };
  assert.deepEqual(shown(ROOT), [ROOT, null]);
  assert.deepEqual(shown(1), [1, null]);
  assert.deepEqual(shown(1, true), [ROOT, 1]);
  assert.deepEqual(shown(0), [ROOT, 0]);
  assert.deepEqual(shown(2), [1, 2]);
  assert.deepEqual(shown(3), [ROOT, 0], "its parent was rejected");
  assert.deepEqual(shown(4), [1, 4], "the target's own token");
  assert.equal(decisionOf(step, null).vertex, step.decided);
  assert.equal(decisionAbout(step, 3), null);
});

test("the bars of a race are arrival times", () => {
  const { decisions } = stepOf("race");
  const { draft, target, draftBefore, targetBefore } = barValuesOf(decisions[ROOT], kit.kinds.race, null);
  assert.ok([0.2, 0.3, 40].every((time, row) => isClose(draft[row], time, 0.02)));
  assert.ok([1.2, 0.12, 40].every((time, row) => isClose(target[row], time, 0.02)));
  assert.deepEqual([draftBefore, targetBefore], [null, null]);
  assert.deepEqual(arrivals({ p: [0.5] }, [0.5]), [Infinity], "without a clock a token never arrives");
});

test("at a try the target's bars are what the tries before it left", () => {
  const decision = stepOf("residuals").decisions[ROOT];
  const kind = kit.kinds[decision.kind];
  assert.deepEqual(barValuesOf(decision, kind, 0).target, decision.p);
  assert.equal(barValuesOf(decision, kind, 0).targetBefore, null);
  for (const place of [1, 2]) {
    const { target, targetBefore } = barValuesOf(decision, kind, place);
    assert.deepEqual(target, decision.left[place - 1].p);
    assert.equal(targetBefore, decision.p);
  }
  assert.equal(tryInView(decision, null), 2, "the accepted one");
  assert.deepEqual(barValuesOf(decision, kind, null), barValuesOf(decision, kind, 2));
  assert.ok(captions(decision, kind, 1).under.startsWith("Try 2, after 1 rejection ·"));
});

test("after the last rejection the bars are what is left", () => {
  const decision = stepOf("residuals, all rejected").decisions[ROOT];
  const kind = kit.kinds[decision.kind];
  assert.equal(tryInView(decision, null), null);
  assert.deepEqual(barValuesOf(decision, kind, null).target, decision.left.at(-1).p);
  assert.ok(captions(decision, kind, null).under.startsWith("After both rejections"));
  assert.equal(captions(decision, kind, null).target, kind.headings.left);
});

test("bars have lengths in axes, and the numbers that matter stand at their ends", () => {
  const butterfly = new Butterfly(kit);
  for (const [name, { steps }] of Object.entries(cases.steps)) {
    for (const decision of Object.values(steps[0].decisions)) {
      const data = butterfly.data(decision, null, 400);
      const rows = decision.p.length;
      assert.equal(data.target.x.length, rows, name);
      assert.equal(data.draft.x.length, decision.q ? rows : 0, name);
      assert.ok(
        data.target.x.every((length) => length >= 0 && length <= 1.2),
        name,
      );
      const isProbability = kit.kinds[decision.kind].axis === "probability";
      if (isProbability && !decision.left) {
        assert.ok(data.target.x.every((length, row) => isClose(length, Math.min(1.2, decision.p[row] / decision.scale))));
      }
      const marked = decision.marks.flatMap((mark, row) => (kit.marks[mark].sign ? [row] : []));
      assert.ok(
        marked.every((row) => data.target_values.y.includes(row)),
        name,
      );
      const layout = layoutOf(kit.butterfly.layout, decision, null, { width: 400, height: 300, drafted: true, data }, kit);
      assert.deepEqual(layout.xaxis.range, [...layout.xaxis2.range].reverse(), "both sides have one scale");
      assert.equal(Boolean(layout.annotations?.length), !decision.q, "a side that is missing says why");
    }
  }
});

test("with little room the rows that matter stay", () => {
  for (const { steps } of cases.recorded) {
    for (const decision of steps.flatMap((step) => Object.values(step.decisions))) {
      const marked = decision.names.filter((_, row) => kit.marks[decision.marks[row]].sign);
      const few = limitRows(decision, 4, kit.marks);
      assert.ok(few.p.length <= Math.max(4, marked.length));
      assert.equal(few.names[few.chosen], decision.names[decision.chosen]);
      assert.ok(few.names.length >= Math.min(4, decision.names.length));
      for (const name of marked) assert.ok(few.names.includes(name));
      for (const [child, row] of Object.entries(few.row_of)) assert.equal(few.names[row], decision.names[decision.row_of[child]]);
      assert.equal(limitRows(decision, decision.p.length, kit.marks), decision);
    }
  }
});
