// The layout of draft trees: nothing overlaps, nothing is clipped, and nothing shows before it is decided.

import assert from "node:assert/strict";
import { test } from "node:test";
import { width } from "../../visual/web/base/format.js";
import { sceneAt, storyOf } from "../../visual/web/story/story.js";
import { layoutOf } from "../../visual/web/tree/layout.js";
import { figureOf, triesOf } from "../../visual/web/tree/tree_figure.js";
import { reason } from "../../visual/web/tree/reasons.js";
import { cases, kit, stepOf } from "./cases.mjs";

const SIZES = [
  { width: 690, height: 440, letter: 13 },
  { width: 560, height: 380, letter: 13 },
  { width: 358, height: 420, letter: 13 },
  { width: 640, height: 440, letter: 18 },
];
const measure = (text, size, isBold) => width(text) * size * (isBold ? 0.62 : 0.57);
const layout = (tree, size = SIZES[0], open = new Set()) => layoutOf(tree, kit.signs, size, measure, open);

/** A tree of k tokens in which every node below `accepted` is on the path, which is a chain. */
function made(k, accepted, parentOf) {
  const parents = Array.from({ length: k }, (_, vertex) => (vertex < accepted ? vertex - 1 : parentOf(vertex, accepted)));
  const states = parents.map((parent, vertex) => {
    if (vertex < accepted) return "accepted";
    return parent < accepted ? "rejected" : "not reached";
  });
  const seen = new Map();
  const ranks = parents.map((parent) => seen.set(parent, (seen.get(parent) ?? 0) + 1).get(parent));
  const all = { root: "so they", draws: [], q: parents.map(() => 0.3), call_of: parents.map(() => 1), ranks, why: {} };
  return {
    ...all,
    names: [...parents.map((_, vertex) => `word${vertex}`), "own"],
    parents: [...parents, accepted - 1],
    states: [...states, "target"],
  };
}

/** Every tree there is, recorded and made. */
function* trees() {
  for (const { steps } of [...Object.values(cases.steps), ...cases.recorded]) for (const { tree } of steps) yield tree;
  for (const k of [1, 4, 16, 64, 256]) {
    yield made(k, 0, () => -1);
    yield made(k, k, () => -1);
    yield made(k, Math.ceil(k / 3), (vertex) => vertex - 1);
    yield made(k, Math.min(6, k), (vertex, path) => ((vertex * 7) % (path + Math.floor(vertex / 2))) - 1);
  }
}

/** Every tree in every panel, laid out once for all tests. */
const DRAWN = [...trees()].flatMap((tree) => SIZES.map((size) => ({ size, tree, drawn: layout(tree, size) })));

const sides = ({ looks, spots }, item) => {
  const [{ x, y }, { width: w, height: h }] = [spots.get(item), looks.get(item)];
  return { left: x - w / 2, right: x + w / 2, top: y - h / 2, bottom: y + h / 2 };
};
const meet = (one, other) =>
  one.left < other.right - 0.1 && other.left < one.right - 0.1 && one.top < other.bottom - 0.1 && other.top < one.bottom - 0.1;

test("no two tokens overlap, whatever the tree and the panel", () => {
  for (const { drawn } of DRAWN) {
    const boxes = drawn.items.map((item) => sides(drawn, item));
    boxes.forEach((one, place) => assert.ok(!boxes.slice(0, place).some((other) => meet(one, other)), drawn.items[place].name));
  }
});

test("everything fits its panel, and is never drawn outside the picture", () => {
  for (const { size, drawn, tree } of DRAWN) {
    const mayScroll = size.letter > 13 || (drawn.isTurned && tree.q.length > 64);
    if (!mayScroll) assert.deepEqual([drawn.width, drawn.height], [size.width, size.height]);
    for (const item of drawn.items) {
      const { left, right, top, bottom } = sides(drawn, item);
      assert.ok(left >= 0 && top >= 0 && right <= drawn.width + 0.5 && bottom <= drawn.height + 0.5);
    }
  }
});

test("the path and the target's own token stand on the first row, other tokens below", () => {
  for (const { drawn } of DRAWN) {
    const { items, spots, isTurned } = drawn;
    const lane = (item) => (isTurned ? spots.get(item).x : spots.get(item).y);
    for (const item of items) {
      const isFirst = ["root", "accepted", "target"].includes(item.state);
      assert.ok(isFirst ? lane(item) === lane(items[0]) : lane(item) > lane(items[0]), item.name);
    }
  }
});

test("no edge crosses a box on its way down", () => {
  for (const { size, drawn } of DRAWN) {
    if (size !== SIZES[0]) continue;
    for (const item of drawn.items.slice(1)) {
      const [from, to] = [drawn.spots.get(item.parent), drawn.spots.get(item)];
      const way = { left: from.x - 0.5, right: from.x + 0.5, top: sides(drawn, item.parent).bottom + 1, bottom: to.y };
      if (way.bottom > way.top) for (const other of drawn.items) assert.ok(!meet(way, sides(drawn, other)), `${item.name} × ${other.name}`);
    }
  }
});

test("a long path is folded in its middle, many rejected siblings into one, and both open", () => {
  const long = layout(made(45, 45, () => -1));
  assert.deepEqual(
    long.items.map(({ name }) => name).filter((name) => !name.startsWith("word")),
    ["so they", long.items.find(({ hidden }) => hidden).name, "own"],
  );
  const shown = long.items.filter(({ state, hidden }) => state === "accepted" && !hidden).length;
  assert.equal(long.items.find(({ hidden }) => hidden).name, `… ${45 - shown} more ✓`);
  const opened = layout(
    made(45, 45, () => -1),
    SIZES[0],
    new Set(["path"]),
  );
  assert.equal(opened.items.length, 47);
  assert.ok(opened.width > SIZES[0].width, "it scrolls");
  const many = layout(made(16, 1, () => -1));
  assert.equal(many.items.find(({ hidden }) => hidden).name, "+7 rejected");
  assert.equal(
    layout(
      made(16, 1, () => -1),
      SIZES[0],
      new Set([many.items.find(({ hidden }) => hidden).key]),
    ).items.length,
    18,
  );
});

test("before a later guess is accepted its row is that of the draft's order", () => {
  const tree = made(3, 0, () => -1);
  tree.states = ["rejected", "accepted", "rejected", "target"];
  tree.parents = [-1, -1, -1, 1];
  const { items, spots, spotsFor } = layout(tree);
  const at = (of, id) => of.get(items.find((item) => item.id === id));
  const before = spotsFor(new Set(), new Set());
  assert.ok(at(before, 0).y < at(before, 1).y && at(before, 1).y < at(before, 2).y);
  const after = spotsFor(new Set([1]), new Set([0, 1, 2]));
  assert.equal(at(after, 1).y, at(after, -1).y);
  for (const id of [0, 1, 2]) assert.equal(at(before, id).x, at(spots, id).x, "columns stay");
});

test("every drafted token has an edge as wide as its probability", () => {
  const step = stepOf("race");
  const { edges } = figureOf(step, layout(step.tree), kit);
  const widths = new Map(edges.flatMap(({ items, width: wide }) => items.map(({ id }) => [id, wide])));
  step.tree.q.forEach((q, vertex) => assert.ok(Math.abs(widths.get(vertex) - 1.5 - 8.5 * q) < 1e-9));
  assert.equal(widths.get(step.tree.q.length), 2);
});

test("tries are numbered where there was more than one, and every token has a reason", () => {
  assert.deepEqual(
    [...triesOf(stepOf("residuals"))].map(([vertex, numbers]) => [vertex, numbers]),
    [
      [0, [1, 2]],
      [1, [3]],
    ],
  );
  assert.equal(triesOf(stepOf("coins")).size, 0, "a single try has no number");
  for (const { steps } of cases.recorded)
    for (const step of steps) step.tree.names.forEach((_, vertex) => assert.ok(reason(step, vertex, kit)));
  assert.equal(sceneAt(storyOf(stepOf("race")), 0).phase, "draft");
});
