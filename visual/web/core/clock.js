// The clock of a player: reports how much time has passed, once per frame, while something plays. It stands still where nobody sees it, in a
// hidden tab: the models may need the processor.

import { until } from "../base/lifetime.js";

const SPARE_MS = 50; // pause between two frames while a run comes in: the models may need this processor
const LONGEST_FRAME = 0.1; // seconds; a longer frame delays the story instead of skipping a part of it

/** Ticks between `start` and `stop`. */
export class Clock {
  /**
   * @param {HTMLElement} root what it moves.
   * @param {(seconds: number) => void} tick
   * @param {() => boolean} isBusy should it leave time to others?
   * @param {AbortSignal} ended
   */
  constructor(root, tick, isBusy, ended) {
    this.tick = tick;
    this.isBusy = isBusy;
    /** @type {(() => void) | undefined} */
    this.cancel = undefined; // the next tick
    this.last = 0;
    this.isWanted = false;
    this.hasSize = false; // in a tab of the page that is closed it has none
    const sizes = new ResizeObserver(([{ contentRect }]) => {
      this.hasSize = contentRect.width > 0;
      this.turn();
    });
    until(ended, sizes).observe(root);
    document.addEventListener("visibilitychange", () => this.turn(), { signal: ended });
    ended.addEventListener("abort", () => this.run(false));
  }

  /** @param {boolean} isOn */
  run(isOn) {
    this.isWanted = isOn;
    this.turn();
  }

  turn() {
    const isOn = this.isWanted && this.hasSize && !document.hidden;
    if (isOn === Boolean(this.cancel)) return;
    this.cancel?.();
    this.cancel = undefined;
    if (!isOn) return;
    this.last = performance.now();
    this.goOn();
  }

  goOn() {
    const frame = (/** @type {number} */ now) => {
      this.goOn();
      const seconds = Math.max(0, Math.min(LONGEST_FRAME, (now - this.last) / 1000));
      this.last = now;
      this.tick(seconds);
    };
    this.cancel = this.isBusy() ? inFrameAfter(frame, SPARE_MS) : inFrame(frame);
  }
}

/** @param {(now: number) => void} run @returns {() => void} it will not be run then. */
function inFrame(run) {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

/**
 * In the first frame after some time.
 * @param {(now: number) => void} run
 * @param {number} milliseconds
 * @returns {() => void} it will not be run then.
 */
function inFrameAfter(run, milliseconds) {
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => (cancel = inFrame(run)), milliseconds);
  return () => cancel();
}
