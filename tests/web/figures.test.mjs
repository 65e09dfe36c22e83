// Which steps the figures count, and the sizes of the timeline.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countedAt } from "../../visual/web/figures/figures.js";
import { sceneAt, storyOf } from "../../visual/web/story/story.js";
import { foundIn } from "../../visual/web/timeline/bookmarks.js";
import { geometryOf } from "../../visual/web/timeline/timeline.js";
import { cases } from "./cases.mjs";

const { steps } = cases.recorded.find((run) => run.steps.length > 10);
const known = (index, isOver) => ({ step: steps[index], before: steps[index - 1], newest: steps.at(-1), isOver });

test("until a step's tokens are in the text it does not count, and the whole run counts only once all is over", () => {
  const story = storyOf(steps[5]);
  for (const { phase, start } of story.spans) {
    const { figures, scope } = countedAt(sceneAt(story, start + 0.01), known(5, true));
    assert.equal(figures, phase === "text" ? steps[5] : steps[4], phase);
    assert.equal(scope, phase === "text" ? "so far, steps 1–6" : "so far, steps 1–5");
  }
  const finished = sceneAt(story, Infinity);
  assert.deepEqual(countedAt(finished, known(5, true), "one text"), { figures: steps.at(-1), scope: "one text" });
  assert.deepEqual(countedAt(finished, known(5, false)), { figures: steps[5], scope: "so far, steps 1–6" });
  const first = storyOf(steps[0]);
  assert.equal(countedAt(sceneAt(first, 0.1), known(0, true)).figures, undefined, "nothing is known of the run");
});

test("blocks stay wide enough, a short run is not spread out, and the height is fixed", () => {
  const size = { width: 1172, height: 50 };
  for (const count of [1, 5, 22, 60, 200, 1000]) {
    for (const top of [1, 5, 8, 17, 46]) {
      for (const isLive of [true, false]) {
        const { column, block, unit, gap, every } = geometryOf(size, count, top, isLive);
        assert.ok(block >= 6 && block <= column && column <= 60);
        assert.ok(unit * top <= size.height + 1e-9, "the highest stack fits");
        assert.ok(gap < unit && unit <= 6);
        assert.ok(every * column >= 24, "numbers do not touch");
      }
    }
  }
  assert.ok(geometryOf(size, 200, 5, false).column * 200 > size.width, "it scrolls");
  assert.equal(geometryOf(size, 3, 5, true).column, geometryOf(size, 24, 5, true).column, "room is kept while steps come");
});

test("bookmarks count the steps they lead to", () => {
  const found = [
    { all: true, root: false, rescued: false, path: 3, gap: 0.5 },
    { all: false, root: true, rescued: false, path: 0, gap: 0.1 },
    { all: true, root: false, rescued: true, path: 3, gap: null },
  ];
  assert.deepEqual(foundIn(found, "all"), [0, 2]);
  assert.deepEqual(foundIn(found, "root"), [1]);
  assert.deepEqual(foundIn(found, "path"), [0, 2]);
  assert.deepEqual(foundIn(found, "gap"), [1], "one race is the closest");
  assert.deepEqual(foundIn([{ ...found[1], gap: null }], "gap"), []);
  assert.deepEqual(foundIn([found[1]], "path"), [], "no guess was accepted");
});
