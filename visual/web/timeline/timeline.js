// The timeline: a stack of blocks per step, its accepted tokens and on top the one that is the target's own; a click goes to a step.

/** @import * as T from "../types" */
import { around, find } from "../base/dom.js";
import { html, render } from "../lit-html.js";
import { acceptedAt } from "../story/story.js";

const STATES = ["past", "here", "coming"];
const NUMBERS = 20; // pixels under the stacks
const MIN_SLOTS = 24; // of a run that comes in
const COLUMN = { least: 8, most: 60 }; // pixels a step; blocks are narrower by GAP, so 6 at least
const GAP = 2;
const UNIT = { most: 6 }; // pixels a block, with the gap below it
const GAPS = [
  { from: 5, gap: 1.5 },
  { from: 2, gap: 1 },
]; // pixels below a block, by its height
const USUAL_TOP = 8; // tokens in a step that fit at that height
const NUMBER = 24; // pixels that a step's number takes

export class Timeline {
  /** @param {HTMLElement} element scrolls. @param {(index: number) => void} onStep gets the step clicked. */
  constructor(element, onStep) {
    this.element = element;
    this.strip = find(element, "div");
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.isLive = false;
    this.index = -1;
    this.sized = ""; // what the sizes on the screen depend on
    element.addEventListener("click", (event) => {
      const column = around(event, "[data-step]");
      if (column) onStep(Number(column.dataset.step));
    });
  }

  /** @param {T.StepMessage[]} steps of the run that begins; they grow while it goes on */
  begin(steps) {
    this.steps = steps;
    this.index = -1;
    this.isLive = true;
    render([], this.strip);
  }

  /** The run is over: no more room is kept. */
  finish() {
    this.isLive = false;
  }

  /** @param {T.Story} story of the step in view @param {T.Scene} scene @param {{ width: number, height: number }} size */
  draw(story, scene, size) {
    if (!size.width) return;
    const { index } = story.step;
    const bars = this.steps.map(({ bar }) => bar);
    this.resize(size, bars);
    this.element.classList.toggle("playing", !scene.isOver);
    const known = scene.phase === "text" ? bars[index] : { accepted: acceptedAt(story, scene), own: 0 };
    const columns = bars.map((bar, step) => columnOf(step === index ? known : bar, step, STATES[Math.sign(step - index) + 1]));
    render(columns, this.strip);
    if (this.index !== index) this.show(/** @type {HTMLElement} */ (this.strip.children[index]));
    this.index = index;
  }

  /** @param {{ width: number, height: number }} size @param {T.Bar[]} bars */
  resize({ width, height }, bars) {
    const top = Math.max(...bars.map(({ accepted, own }) => accepted + own));
    const { column, block, unit, gap, every } = geometryOf({ width, height: height - NUMBERS }, bars.length, top, this.isLive);
    const sized = [column, block, unit, gap, every].join();
    if (sized === this.sized) return;
    this.sized = sized;
    for (const [name, value] of Object.entries({ column, block, unit, gap }))
      this.strip.style.setProperty(`--${name}`, `${value.toFixed(2)}px`);
    this.strip.dataset.every = String(every);
  }

  /** Scrolls a step into sight, in the timeline only. @param {HTMLElement} column */
  show(column) {
    const { scrollLeft, clientWidth } = this.element;
    const { offsetLeft: start, offsetWidth } = column;
    if (start >= scrollLeft && start + offsetWidth <= scrollLeft + clientWidth) return;
    this.element.scrollLeft = start - (clientWidth - offsetWidth) / 2;
  }
}

/** @param {T.Bar} bar @param {number} step @param {string} state */
function columnOf({ accepted, own }, step, state) {
  const [number, sizes] = [String(step + 1), `--accepted: ${accepted}; --own: ${own}`];
  return html`<div class="ersd-column" data-step=${step} data-state=${state} title="step ${number}" style=${sizes}>
    <div><i class="target"></i><i class="accepted"></i></div>
    <b .textContent=${number}></b>
  </div>`;
}

/**
 * @typedef {object} Geometry
 * @property {number} column pixels a step
 * @property {number} block width of a block, pixels
 * @property {number} unit height of a block with the gap below it, pixels
 * @property {number} gap below a block, pixels
 * @property {number} every which steps are numbered: each so many-th
 */

/**
 * @param {{ width: number, height: number }} size of the stacks, without the numbers.
 * @param {number} steps
 * @param {number} top the most tokens of a step.
 * @param {boolean} isLive more steps may come: there is room for them, in few large moves.
 * @returns {Geometry}
 */
export function geometryOf({ width, height }, steps, top, isLive) {
  let slots = isLive ? MIN_SLOTS : steps;
  while (slots < steps) slots *= 2;
  const column = Math.max(COLUMN.least, Math.min(COLUMN.most, width / Math.max(1, slots)));
  const block = Math.max(COLUMN.least - GAP, Math.min(column - GAP, 0.6 * column + 6));
  const high = Math.min(UNIT.most, height / Math.max(USUAL_TOP, top));
  const unit = high < 2 ? high : Math.floor(high); // gaps between pixels would be drawn for some blocks only
  const gap = GAPS.find(({ from }) => unit >= from)?.gap ?? 0;
  const every = [1, 2, 5, 10, 20].find((each) => each * column >= NUMBER) ?? 50;
  return { column, block, unit, gap, every };
}
