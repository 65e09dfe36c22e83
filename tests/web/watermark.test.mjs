// Running sums of clocks, and what the form of Whose race was this counts as a further try.

import assert from "node:assert/strict";
import test from "node:test";
import "./without_document.mjs";

const { runningSums } = await import("../../visual/web/watermark/picture.js");

test("sums and counts leave out what is not tested", () => {
  assert.deepEqual(runningSums([null, 0.5, null, 0.25]), { sums: [0, 0.5, 0.5, 0.75], counts: [0, 1, 1, 2] });
  assert.deepEqual(runningSums([]), { sums: [], counts: [] });
});
