// Screen readers are told of progress now and then, and of what happened at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Announcer } from "../../visual/web/base/announcer.js";
import { install, pass } from "./fake_clock.mjs";

install();

/** A live region that remembers what was announced. */
function region() {
  /** @type {string[]} */
  const heard = [];
  return {
    heard,
    set textContent(words) {
      heard.push(words ?? "");
    },
    get textContent() {
      return heard.at(-1) ?? "";
    },
  };
}

test("of many reports one in some seconds is announced, the newest, and the end at once", () => {
  const spoken = region();
  const announcer = new Announcer(spoken);
  for (let point = 1; point <= 60; point += 1) {
    announcer.report(`${point} of 60`);
    pass(0.2);
  }
  assert.ok(spoken.heard.length <= 4, spoken.heard.join("; "));
  assert.equal(spoken.heard[0], "1 of 60");
  announcer.report("late");
  announcer.say("Done.");
  pass(60);
  assert.equal(spoken.heard.at(-1), "Done.", "a report that waited is out of date");
});

test("the last report is announced even if nothing follows, and the same words once", () => {
  const spoken = region();
  const announcer = new Announcer(spoken);
  announcer.report("first");
  announcer.report("second");
  pass(60);
  announcer.report("second");
  pass(60);
  assert.deepEqual(spoken.heard, ["first", "second"]);
});
