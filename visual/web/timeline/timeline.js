// The timeline: a stack of blocks per step, its accepted tokens and on top the one that is the target's own; a click goes to a step.

/** @import * as T from "../types" */
import { find, make } from "../base/dom.js";
import { acceptedAt } from "../story/story.js";
import { geometryOf } from "./geometry.js";

const STATES = ["past", "here", "coming"];
const NUMBERS = 20; // pixels under the stacks

/** Draws the stacks of a run. */
export class Timeline {
  /**
   * @param {HTMLElement} element scrolls.
   * @param {(index: number) => void} onStep gets the step clicked.
   */
  constructor(element, onStep) {
    this.element = element;
    this.strip = find(element, "div");
    /** @type {T.Bar[]} */
    this.bars = [];
    /** @type {HTMLElement[]} */
    this.columns = [];
    this.top = 0; // the most tokens of a step
    this.isLive = false;
    this.index = -1;
    this.sized = ""; // what the sizes on the screen depend on
    element.addEventListener("click", ({ target }) => {
      const column = target instanceof Element ? target.closest("[data-step]") : null;
      if (column instanceof HTMLElement) onStep(Number(column.dataset.step));
    });
  }

  /** A run begins. */
  begin() {
    this.bars = [];
    this.columns = [];
    this.top = 0;
    this.index = -1;
    this.isLive = true;
    this.strip.replaceChildren();
  }

  /** @param {T.StepMessage} step */
  add({ bar }) {
    this.bars.push(bar);
    this.top = Math.max(this.top, bar.accepted + bar.own);
  }

  /** The run is over: no more room is kept. */
  finish() {
    this.isLive = false;
  }

  /**
   * @param {T.Story} story of the step in view.
   * @param {T.Scene} scene
   * @param {{ width: number, height: number }} size
   */
  draw(story, scene, size) {
    if (!size.width) return;
    while (this.columns.length < this.bars.length) this.addColumn(this.columns.length);
    this.resize(size);
    const { index } = story.step;
    const isFinished = scene.phase === "text";
    this.element.classList.toggle("playing", !scene.isOver);
    const known = isFinished ? this.bars[index] : { accepted: acceptedAt(story, scene), own: 0 };
    this.columns.forEach((column, step) => {
      const state = STATES[Math.sign(step - index) + 1];
      if (column.dataset.state !== state) column.dataset.state = state;
    });
    const left = this.columns[this.index];
    if (left && this.index !== index) setBar(left, this.bars[this.index]);
    setBar(this.columns[index], known);
    if (this.index !== index) this.show(this.columns[index]);
    this.index = index;
  }

  /** @param {number} index */
  addColumn(index) {
    const { accepted, own } = this.bars[index];
    const column = make("div", "ersd-column");
    column.dataset.step = String(index);
    column.title = `step ${index + 1}`;
    const stack = make("div");
    stack.append(make("i", "target"), make("i", "accepted"));
    column.append(stack, make("b", "", String(index + 1)));
    setBar(column, { accepted, own });
    this.columns.push(column);
    this.strip.append(column);
  }

  /** @param {{ width: number, height: number }} size */
  resize({ width, height }) {
    const { column, block, unit, gap, every } = geometryOf({ width, height: height - NUMBERS }, this.bars.length, this.top, this.isLive);
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

/** @param {HTMLElement} column @param {T.Bar} bar */
function setBar(column, { accepted, own }) {
  column.style.setProperty("--accepted", String(accepted));
  column.style.setProperty("--own", String(own));
}
