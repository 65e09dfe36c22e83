// The clock of a player: ticks while something plays, where it is seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock } from "../../visual/web/core/clock.js";
import { install, pass } from "./fake_clock.mjs";

install();
const page = Object.assign(new EventTarget(), { hidden: false });
/** @type {(width: number) => void} */
let resize = () => {};
let observed = 0;
Object.assign(globalThis, {
  document: page,
  ResizeObserver: class {
    /** @param {(entries: { contentRect: { width: number } }[]) => void} changed */
    constructor(changed) {
      resize = (width) => changed([{ contentRect: { width } }]);
    }
    observe() {
      observed += 1;
    }
    disconnect() {
      observed -= 1;
    }
  },
});

/** @param {boolean} isHidden */
function hide(isHidden) {
  page.hidden = isHidden;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("a clock stands still in a hidden page, in a closed tab and once its player is gone", () => {
  let ticks = 0;
  const life = new AbortController();
  const clock = new Clock(
    /** @type {HTMLElement} */ ({}),
    () => (ticks += 1),
    () => false,
    life.signal,
  );
  const moves = () => {
    const before = ticks;
    pass(1);
    return ticks > before;
  };
  resize(800);
  clock.run(true);
  assert.ok(moves());
  hide(true);
  assert.ok(!moves(), "hidden");
  hide(false);
  assert.ok(moves());
  resize(0);
  assert.ok(!moves(), "in a closed tab");
  resize(800);
  assert.ok(moves());
  clock.run(false);
  assert.ok(!moves(), "nothing plays");
  clock.run(true);
  life.abort();
  assert.ok(!moves(), "gone");
  assert.equal(observed, 0);
});
