// The timeline: a bar per step, its accepted tokens and the one that is the target's own; a click in its column goes to a step.

/** @import { Bar, StepMessage } from "../base/types.js" */
/** @import { Layout } from "../base/plotly_adapter.js" */
/** @import { Theme } from "../core/pictures.js" */
import { fill } from "../base/colours.js";
import { Plot } from "../base/plotly_adapter.js";

const REST_MS = 500; // least time between drawings while a run comes in: the models need the processor
const LEAST_SLOTS = 24;
const LEAST_TOP = 5;
const HERE = "here"; // the class of the bars of the step in view

/** Draws the bars of a run. */
export class Timeline {
  /**
   * @param {HTMLElement} element
   * @param {(index: number) => void} onStep gets the step clicked.
   */
  constructor(element, onStep) {
    this.element = element;
    this.plot = new Plot(element);
    /** @type {Bar[]} */
    this.bars = [];
    this.slots = LEAST_SLOTS; // bars that fit
    this.top = LEAST_TOP; // tokens that fit
    this.isLive = false;
    this.drawnAt = 0;
    /** @type {unknown[]} */
    this.drawn = []; // what the bars on the screen depend on
    /** @type {Element[]} */
    this.marked = []; // the bars of the step in view
    // anywhere in a step's column, not only on its bar
    element.addEventListener("click", ({ clientX }) => {
      const step = Math.round(this.plot.valueAt(clientX) ?? 0);
      if (step >= 1 && step <= this.bars.length) onStep(step - 1);
    });
  }

  /** A run begins. */
  begin() {
    this.bars = [];
    this.slots = LEAST_SLOTS;
    this.top = LEAST_TOP;
    this.isLive = true;
    this.drawnAt = performance.now();
    this.element.classList.add("outdated"); // hides the bars of the previous run
  }

  /** @param {StepMessage} step */
  add({ bar }) {
    this.bars.push(bar);
    this.top = Math.max(this.top, bar.accepted + bar.own);
    while (this.slots < this.bars.length) this.slots *= 2; // grows in few large steps, not with every bar
  }

  /** The run is over: the axis fits its bars. */
  finish() {
    this.isLive = false;
    this.slots = Math.max(LEAST_SLOTS, this.bars.length);
  }

  /**
   * @param {number} index the step in view.
   * @param {number} width
   * @param {Theme} theme
   */
  async draw(index, width, theme) {
    if (!(this.isLive && performance.now() - this.drawnAt < REST_MS)) await this.drawBars(width, theme);
    this.mark(index);
  }

  /**
   * Draws the bars if they or their size have changed.
   *
   * @param {number} width
   * @param {Theme} theme
   */
  async drawBars(width, theme) {
    const state = [this.bars, this.bars.length, this.slots, width, theme];
    if (state.every((each, place) => each === this.drawn[place])) return;
    this.drawn = state;
    this.drawnAt = performance.now();
    this.element.classList.remove("outdated");
    const { timeline, palette } = theme;
    const x = this.bars.map((_, step) => step + 1);
    const hovertext = this.bars.map(({ accepted, own }, step) => `step ${step + 1}: ${accepted} accepted${own ? ` + ${own}` : ""}`);
    const traces = Object.entries(timeline.traces).map(([part, template]) => {
      const y = this.bars.map((bar) => bar[/** @type {keyof Bar} */ (part)]);
      return fill(template, { x, y, hovertext }, palette);
    });
    const { layout } = timeline;
    await this.plot.draw(traces, {
      ...layout,
      width,
      xaxis: { .../** @type {Layout} */ (layout.xaxis), range: [0.4, this.slots + 0.6] },
      yaxis: { .../** @type {Layout} */ (layout.yaxis), range: [0, this.top * 1.06] },
    });
  }

  /**
   * Makes the bars of the step in view solid and the others pale, by a class: Plotly would draw a new picture.
   *
   * @param {number} index
   */
  mark(index) {
    this.marked.forEach((bar) => bar.classList.remove(HERE));
    this.marked = this.plot.pointsAt(index);
    this.marked.forEach((bar) => bar.classList.add(HERE));
  }
}
