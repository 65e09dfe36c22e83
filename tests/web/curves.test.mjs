// The Curves tab: speed-ups from accepted tokens, the places of names, and what is drawn and saved.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Guess } from "../../visual/web/curves/guess.js";
import { paysPicture } from "../../visual/web/pays/pays_picture.js";
import { spread } from "../../visual/web/plot/line_names.js";
import { picture } from "../../visual/web/curves/picture.js";
import { fastest, speedWords, speeds } from "../../visual/web/curves/speed.js";
import { csv } from "../../visual/web/curves/table.js";
import { anyCall } from "../../visual/web/figures/cost_ratio.js";

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
  guess: null,
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

const ANSWER = {
  k: 2,
  logged: 3,
  slower_from: 5,
  tokens: [1.7, 2.2, 2.5, 2.7, 2.8],
  speedups: [1.3, 1.5, 1.4, 1.1, 0.9],
  errors: [0.1, 0.1, 0.1],
  tree: { speedups: [1.3, 1.6, 1.7, 1.7, 1.6], guesses: 3 },
};

test("a chain is solid to the end of its rates and dashed beyond; a tree is dotted and has no dots", () => {
  const dots = [{ k: 1, speed: 1.3, error: 0.1 }];
  const { data, layout } = paysPicture(ANSWER, dots, KIT, SIZE);
  const lines = Object.fromEntries(data.filter(({ mode }) => mode === "lines").map(({ line, x }) => [line.dash, x]));
  assert.deepEqual(lines, { dot: [1, 2, 3, 4, 5], dash: [3, 4, 5], solid: [1, 2, 3] });
  assert.deepEqual(data.at(-1).x, [1]);
  const texts = layout.annotations.map(({ text }) => text);
  assert.ok(texts.includes("<b>best: k = 2</b>") && texts.includes("▼ slower from 5 on"));
  const never = paysPicture({ ...ANSWER, k: 0, slower_from: null }, [], KIT, SIZE).layout.annotations.map(({ text }) => text);
  assert.ok(!never.some((text) => /best|slower from/.test(text)));
});

/** A guess without its board. */
const guess = (...values) => Object.assign(Object.create(Guess.prototype), { values });

test("a guess goes straight between what was drawn, and level beyond it", () => {
  assert.deepEqual(guess(null, 1, null, 3, null, null, null).whole, [1, 1, 2, 3, 3, 3, 3]);
});

test("a sentence says how far off a guess was", () => {
  const accepted = Array.from({ length: 64 }, () => 2);
  const lines = { temperature: 1, curves: { sequence: { accepted } } };
  assert.equal(
    guess(2, 2, 2, 2, 2, 2, 9).words(lines),
    "Your guess for a chain at T = 1 was off by 1.0 accepted tokens on average: with 64 drafted you drew 9.0; 2.0 are expected.",
  );
});
