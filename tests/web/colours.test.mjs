// Colours are names in what Python sends, and looked up in the palette of the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { resolve, withData } from "../../visual/web/plot/colours.js";
import { kit } from "./cases.mjs";

const PALETTE = { ink: "#111", accepted: "#0a0" };

test("names of colours are looked up at any depth, other texts stay", () => {
  assert.deepEqual(resolve({ line: { color: "$ink" }, list: ["$accepted", 1, null, "plain"] }, PALETTE), {
    line: { color: "#111" },
    list: ["#0a0", 1, null, "plain"],
  });
});

test("what a model wrote is never taken for a colour", () => {
  const data = { text: ["$ink"], hovertext: "$ink", customdata: ["$ink"] };
  assert.deepEqual(resolve(data, PALETTE), data);
});

test("a template is filled with data, one level deep", () => {
  const template = { marker: { color: "#111", size: 3 }, x: [] };
  assert.deepEqual(withData(template, { marker: { color: ["$accepted"] }, x: [1] }, PALETTE), {
    marker: { color: ["#0a0"], size: 3 },
    x: [1],
  });
  assert.deepEqual(template, { marker: { color: "#111", size: 3 }, x: [] }, "the template stays as it was");
});

test("both palettes have every colour that the kit names", () => {
  const { light, dark } = kit.palettes;
  assert.deepEqual(Object.keys(light).sort(), Object.keys(dark).sort());
  const { tree, butterfly, marks } = kit;
  const names = JSON.stringify({ tree, butterfly, marks }).match(/"\$[\w-]+"/g) ?? [];
  assert.ok(names.length);
  for (const name of names) assert.ok(name.slice(2, -1) in light, name);
});
