// A draft tree as traces and shapes: labels, edges, numbers of the tries, hover labels.

import assert from "node:assert/strict";
import { test } from "node:test";
import { width } from "../../visual/web/base/format.js";
import { DraftTree } from "../../visual/web/tree/draft_tree.js";
import { reason } from "../../visual/web/tree/reasons.js";
import { badge, box, onCorner, together } from "../../visual/web/tree/tree_shapes.js";
import { cases, kit, stepOf } from "./cases.mjs";

const PITCH = { column: 80, lane: 30 };

/** @param {string} name */
function treeOf(name, columns = 9) {
  const { begin, steps } = cases.steps[name];
  return new DraftTree(steps[0], begin.tree_style, kit, columns);
}

/** Every tree there is, in the style of its run. */
function* trees() {
  for (const { begin, steps } of [...Object.values(cases.steps), ...cases.recorded]) {
    for (const step of steps) yield new DraftTree(step, begin.tree_style, kit, begin.tree_style.label_columns);
  }
}

test("every vertex is drawn once, in its state, and its edge comes from its parent", () => {
  for (const tree of trees()) {
    const { states, parents, names } = tree.step.tree;
    const data = tree.data(PITCH);
    const drawn = Object.keys(kit.tree.box_colours).flatMap((state) => data[state].customdata.map((vertex) => [vertex, state]));
    assert.deepEqual(
      drawn.sort(([one], [other]) => one - other),
      [[-1, "root"], ...states.map((state, vertex) => [vertex, state])],
    );
    const edges = Object.values(tree.edges()).flat();
    assert.equal(edges.length, names.length);
    for (const [from, ...way] of edges) {
      const to = way.at(-1);
      const child = tree.vertices.find(({ id, column, lane }) => id >= 0 && column === to[0] && lane === to[1]);
      const parent = tree.at(parents[child.id]);
      assert.deepEqual(from, [parent.column, parent.lane]);
    }
  }
});

test("labels are no wider than there is room for", () => {
  for (const tree of trees()) {
    for (const { id, bare } of tree.vertices) if (id >= 0) assert.ok(width(bare) <= tree.style.label_columns, bare);
  }
});

test("the path has edges of its own, the others go by draft probability", () => {
  const tree = treeOf("race");
  const edges = tree.edges();
  assert.equal(edges.accepted.length, 1);
  assert.equal(edges.target.length, 1);
  assert.equal(tree.byDraft(0), `q${kit.tree.edge_steps.filter((least) => least <= 0.6).length}`);
  assert.equal(tree.edgeTo(tree.at(-1)), null);
});

test("tries are numbered where there was more than one", () => {
  const tree = treeOf("residuals");
  assert.deepEqual(
    [...tree.tries],
    [
      [0, [1, 2]],
      [1, [3]],
    ],
  );
  assert.equal(treeOf("a duplicate tried often").at(0).order, "1–20");
  assert.equal(treeOf("coins").tries.size, 0, "a single try has no number");
});

test("a hover label says what a vertex is and why it ended so", () => {
  const step = stepOf("race");
  const tree = treeOf("race");
  assert.match(tree.hover(0), /<b>␣liked<\/b><br>draft q 0\.60?, the draft's 1st here<br>target p 0\.10?/);
  assert.match(tree.hover(4), /the target's own/);
  assert.equal(reason(step, 3, kit), kit.words.unvisited.replace("{name}", "␣liked"));
  for (const drawn of trees()) for (const { id } of drawn.vertices) if (id >= 0) assert.ok(reason(drawn.step, id, kit));
});

test("shapes are paths around their places, and equal ones are one", () => {
  const place = { column: 2, lane: 1 };
  const points = box(place, 40, PITCH)
    .match(/-?[\d.]+,-?[\d.]+/g)
    .map((point) => point.split(",").map(Number));
  const columns = points.map(([column]) => column);
  assert.deepEqual([Math.min(...columns), Math.max(...columns)], [1.5, 2.5]);
  assert.ok(badge(onCorner(place, 40, 10, PITCH), 10, PITCH).startsWith("M "));
  assert.deepEqual(together([], {}), []);
  assert.equal(together(["M 0,0", "M 1,1"], {}).length, 1);
});
