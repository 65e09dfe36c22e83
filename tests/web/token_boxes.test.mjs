import assert from "node:assert/strict";
import { test } from "node:test";

import { raceRow } from "../../visual/web/panels/decision_table.js";
import { bare, TOKEN } from "../../visual/web/panels/token_boxes.js";
import { comesOut } from "../../visual/web/base/numbers.js";
import { cases } from "./cases.mjs";

test("what stands in quotation marks is one token, whatever is inside", () => {
  const tokens = (words) => words.match(new RegExp(TOKEN, "gu"));
  assert.deepEqual(tokens("“saw” and “-ed”, then “.” or “”” and ‘“’ or “‘“’”."), ["“saw”", "“-ed”", "“.”", "“””", "‘“’", "“‘“’”"]);
  assert.equal(tokens("the draft’s own word"), null);
  assert.deepEqual(["“.”", "“””", "‘“’", "“‘“’”", "“don’t”"].map(bare), [".", "”", "“", "“", "don’t"]);
});

test("dividing the printed clock by the printed probability gives the printed arrival", () => {
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let draw = 0; draw < 500; draw += 1) {
    const [clock, q, p] = [-Math.log(random()), random() ** 4, random() ** 4];
    const [left, right, over, sooner, later] = raceRow(clock, q, p, cases.format);
    assert.ok(comesOut([over, left, sooner]) && comesOut([over, right, later]), [clock, q, p].join(" "));
  }
  assert.deepEqual(raceRow(0.5, null, 0, cases.format), ["–", "0", "0.50", "–", "∞"]);
});
