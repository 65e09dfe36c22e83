// The Curves tab: speed-ups from accepted tokens, the places of names, and what is drawn and saved.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spread } from "../../visual/web/base/line_names.js";
import { picture } from "../../visual/web/curves/picture.js";
import { fastest, speedWords, speeds } from "../../visual/web/curves/speed.js";
import { csv } from "../../visual/web/curves/table.js";
import { anyCall } from "../../visual/web/panels/cost_ratio.js";

const style = (label) => ({ label, about: "", color: "$ink", symbol: "circle", width: 2, dash: "solid" });
const NAMES = { tau_star: "τ* tree", specinfer: "SpecInfer", sequence: "chain", batch: "batch" };
const KIT = { most: 4, layout: {}, curves: Object.fromEntries(Object.entries(NAMES).map(([name, label]) => [name, style(label)])) };
const chain = { accepted: [0.6, 0.96, 1.18, 1.31], next: [0.6, 0.36, 0.22, 0.13], levels: [[0.6, 0.96, 1.18, 1.31]] };
const tree = {
  accepted: [0.6, 1, 1.3, 1.6],
  next: [0.6, 0.4, 0.3, 0.3],
  levels: [
    [0.6, 0.8, 0.85, 0.9],
    [0.6, 1, 1.3, 1.6],
  ],
};
const LINES = {
  type: "lines",
  temperature: 1,
  decisions: 9,
  limit: [5, 5.5, 5.8, 6],
  curves: { tau_star: tree, specinfer: tree, sequence: chain, batch: { ...chain, levels: tree.levels.slice(0, 1) } },
};
const POINT = {
  curve: "sequence",
  temperature: 1,
  k: 4,
  calls: 12,
  accepted: { mean: 1.2, error: 0.1 },
  next: [
    { first: 1, last: 1, mean: 0.5, error: 0.1 },
    { first: 3, last: 4, mean: 0, error: 0 },
  ],
};
const drawing = (more) => ({
  view: "accepted",
  temperatures: [1],
  lines: [LINES],
  points: [POINT],
  showsLimit: false,
  costs: anyCall(5),
  ...more,
});
const SIZE = { width: 600, height: 300, letter: 12 };

test("a chain pays a draft call for each token", () => {
  const found = speeds("sequence", chain, anyCall(5));
  found.forEach(({ k, levels, speed }, place) => {
    assert.deepEqual([k, levels], [place + 1, place + 1]);
    assert.ok(Math.abs(speed - ((1 + chain.accepted[place]) * 5) / (5 + k)) < 1e-12);
  });
});

test("a tree is as deep as pays at this cost", () => {
  const dear = speeds("tau_star", tree, anyCall(50)); // draft calls cost next to nothing
  assert.deepEqual(
    dear.map(({ levels }) => levels),
    [1, 2, 2, 2],
  );
  const cheap = speeds("tau_star", tree, anyCall(1));
  assert.ok(cheap.every(({ levels }) => levels === 1));
});

test("a call for a tree costs what was measured for its size", () => {
  const calls = [
    [1, 5],
    [5, 9],
  ];
  const [one] = speeds("sequence", chain, { ...anyCall(5), calls });
  assert.ok(Math.abs(one.speed - (1.6 * 5) / (6 + 1)) < 1e-12);
});

test("of equally fast choices the largest is the best", () => {
  assert.equal(
    fastest([
      { k: 1, levels: 1, speed: 2 },
      { k: 2, levels: 1, speed: 2 },
      { k: 3, levels: 1, speed: 1 },
    ]).k,
    2,
  );
});

test("the words name cost, temperature, size and speed, and where a chain is slower", () => {
  const [headline, sentence] = speedWords(LINES, KIT, anyCall(2));
  assert.equal(headline, "A target call costs 2 draft calls, T = 1: fastest with 4 drafted tokens or more, 1.30× by the τ* tree");
  assert.equal(sentence, "A chain is fastest with 1 (1.07×) and slower than no draft at all from 2 on: each token of it is a draft call.");
  assert.equal(speedWords(LINES, KIT, anyCall(0.5))[0], "A target call costs 0.5 draft calls, T = 1: nothing pays");
});

test("names keep their distance and stay in the picture", () => {
  const places = spread([{ y: 90 }, { y: 100 }, { y: 98 }], 15, 100).map(({ y }) => y);
  assert.deepEqual(places, [70, 85, 100]);
  assert.deepEqual(
    spread([{ y: 50 }, { y: 10 }], 15, 100).map(({ y }) => y),
    [10, 50],
  );
});

test("every view draws its lines; dots only where something was measured", () => {
  for (const view of ["accepted", "next", "speed"]) {
    const { data, layout } = picture(drawing({ view }), KIT, SIZE);
    const lines = data.filter(({ mode }) => mode === "lines");
    assert.equal(lines.length, 4);
    const dots = data.filter(({ mode, x }) => mode === "markers" && x.length);
    if (view !== "speed") assert.equal(dots.length, 1, "a share of 0 has no place on a scale of logarithms");
    assert.ok(layout.xaxis && layout.yaxis);
  }
  const { data, layout } = picture(drawing({ temperatures: [1, 0.5] }), KIT, SIZE);
  assert.ok(
    data.some(({ xaxis }) => xaxis === "x2"),
    "the other panel is there, empty",
  );
  assert.ok(layout.annotations.some(({ text }) => text === "not measured yet"));
});

test("with the limit the scale reaches it", () => {
  const { layout } = picture(drawing({ showsLimit: true }), KIT, SIZE);
  assert.ok(layout.yaxis.range[1] >= 6);
  assert.ok(picture(drawing({}), KIT, SIZE).layout.yaxis.range[1] < 4);
});

test("the file has every number of the view", () => {
  const rows = csv(drawing({}), KIT).trim().split("\n");
  assert.equal(rows[0], "temperature,method,k,expected,measured,standard error,calls");
  assert.ok(rows.includes("1,chain,4,1.31,1.2,0.1,12"));
  assert.ok(rows.includes("1,chain,1,0.6,,,"));
  assert.ok(rows.includes("1,limit,4,6,,,"));
  const next = csv(drawing({ view: "next" }), KIT)
    .trim()
    .split("\n");
  assert.ok(next.includes("1,chain,3-4,,0,0,12"));
  assert.ok(csv(drawing({ view: "speed" }), KIT).startsWith("temperature,method,k,speed-up,"));
});
