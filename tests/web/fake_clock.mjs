// A clock that is wound by hand: performance.now, timers and frames of the browser, for modules that move by themselves.

const FRAME_MS = 20;

/** @typedef {{ id: number, at: number, every: number, run: (now: number) => void }} Timer */

let now = 0;
let last = 0; // id of the newest timer
/** @type {Map<number, Timer>} */
const timers = new Map();

/**
 * @param {(now: number) => void} run
 * @param {number} wait
 * @param {number} every 0: once.
 */
function add(run, wait, every) {
  last += 1;
  timers.set(last, { id: last, at: now + wait, every, run });
  return last;
}

/** Puts the clock in place of the real one; a message between two ports of a channel arrives immediately. */
export function install() {
  const remove = (/** @type {number} */ id) => timers.delete(id);
  performance.now = () => now;
  Object.assign(globalThis, {
    setTimeout: (/** @type {() => void} */ run, wait = 0) => add(run, wait, 0),
    setInterval: (/** @type {() => void} */ run, wait = 0) => add(run, wait, wait),
    requestAnimationFrame: (/** @type {(now: number) => void} */ run) => add(run, FRAME_MS, 0),
    clearTimeout: remove,
    clearInterval: remove,
    cancelAnimationFrame: remove,
    MessageChannel: class {
      port1 = { onmessage() {} };
      port2 = { postMessage: () => queueMicrotask(() => this.port1.onmessage()) };
    },
  });
}

/**
 * Lets time pass: what is due runs in order.
 *
 * @param {number} seconds
 */
export function pass(seconds) {
  const end = now + 1000 * seconds;
  for (;;) {
    const [next] = [...timers.values()].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at);
    if (!next) break;
    now = next.at;
    if (next.every) next.at += next.every;
    else timers.delete(next.id);
    next.run(now);
  }
  now = end;
}
