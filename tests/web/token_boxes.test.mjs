import assert from "node:assert/strict";
import { test } from "node:test";

import { raceCells } from "../../visual/web/decision/printed_numbers.js";
import { bare, isolated, TOKEN } from "../../visual/web/base/format.js";
import { isConsistentQuotient, number } from "../../visual/web/base/numbers.js";
import { cases } from "./cases.mjs";

test("what stands in quotation marks is one token, whatever is inside", () => {
  const tokens = (words) => words.match(new RegExp(TOKEN, "gu"));
  assert.deepEqual(tokens("“saw” and “-ed”, then “.” or “”” and ‘“’ or “‘“’”."), ["“saw”", "“-ed”", "“.”", "“””", "‘“’", "“‘“’”"]);
  assert.equal(tokens("the draft’s own word"), null);
  assert.deepEqual(["“.”", "“””", "‘“’", "“‘“’”", "“don’t”"].map(bare), [".", "”", "“", "“", "don’t"]);
});

test("in a plain string only tokens that run to the left are set apart", () => {
  assert.equal(isolated("“saw” 0.2, “שלום” 0.47"), "“saw” 0.2, \u2068“שלום”\u2069 0.47");
});

test("dividing the printed clock by the printed probability gives the printed arrival", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let draw = 0; draw < 200; draw += 1) {
    const column = (/** @type {() => number} */ of) => Array.from({ length: 1 + (draw % 12) }, of);
    const [clocks, q, p] = [column(() => -Math.log(random())), column(() => random() ** 4), column(() => random() ** 4)];
    const lines = raceCells({ clock: clocks, q, p }, cases.format);
    for (const [left, right, over, sooner, later] of lines) {
      assert.ok(isConsistentQuotient([over, left, sooner]) && isConsistentQuotient([over, right, later]), [clocks, q, p].join(" "));
    }
    for (const [place, values] of [q, p, clocks].entries()) {
      const written = lines.map((line) => line[place]).join(" ");
      const rules = Array.from({ length: 16 }, (_, digits) => values.map((value) => number(value, cases.format, 2 + digits)).join(" "));
      assert.ok(rules.includes(written), `one number of digits for the column ${written}`);
    }
  }
  assert.deepEqual(raceCells({ clock: [0.5], q: null, p: [0] }, cases.format), [["–", "0", "0.50", "–", "∞"]]);
});
