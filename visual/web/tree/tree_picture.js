// The picture of the draft tree in its panel: drawn once for a step, then shown in one scene after the other.

/** @import * as T from "../types" */
import { resolve, withData } from "../plot/colours.js";
import { find } from "../base/dom.js";
import { Plot } from "../plot/plotly_adapter.js";
import { layoutOf } from "./layout.js";
import { TreeOverlay } from "./overlay.js";
import { figureOf } from "./tree_figure.js";
import { TreeMotion } from "./tree_motion.js";

const QUICK = 300; // milliseconds after a drawing in which nothing moves by itself

export class TreePicture {
  /**
   * @param {HTMLElement} element the panel; it scrolls where a reader opened something
   * @param {T.Kit} kit
   * @param {object} on
   * @param {(choice: T.Choice) => void} on.choice
   * @param {() => void} on.open something was opened: draw again
   */
  constructor(element, kit, on) {
    this.element = element;
    this.kit = kit;
    this.on = on;
    this.plot = new Plot(find(element, ".ersd-tree-plot"), ({ customdata }) => this.press(Number(customdata)));
    this.overlay = new TreeOverlay(find(element, ".ersd-tree-overlay"), on.choice);
    this.measure = measureIn(element);
    this.left = /** @type {HTMLElement | null} */ (element.parentElement?.querySelector(".ersd-left") ?? null);
    /** @type {TreeMotion | null} */
    this.motion = null;
    /** @type {T.TreeLayout | null} */
    this.layout = null;
    /** @type {unknown[]} */
    this.drawn = []; // what the picture on the screen depends on
    /** @type {Set<string>} */
    this.open = new Set(); // what a reader opened in this step
    /** @type {T.Story["step"] | null} */
    this.step = null;
  }

  /** @param {T.Story} story @param {T.PageLook} look */
  async draw(story, look) {
    const { step } = story;
    if (!look.width || !look.height) return; // not in view; drawn when it is
    if (step !== this.step) {
      this.open = new Set();
      this.step = step;
    }
    const state = [step, look.width, look.height, look.letter, look.palette, this.open];
    if (state.every((each, place) => each === this.drawn[place])) return;
    this.drawn = state;
    const layout = layoutOf(step.tree, this.kit.signs, look, this.measure, this.open);
    const tree = resolve(this.kit.tree, look.palette);
    const figure = figureOf(step, layout, { ...this.kit, tree });
    const traces = Object.entries(figure.traces).map(([name, data]) => withData(tree.traces[name], data, look.palette));
    const { width, height } = layout;
    const axes = { xaxis: { ...axisOf(tree, "xaxis"), range: [0, width] }, yaxis: { ...axisOf(tree, "yaxis"), range: [height, 0] } };
    this.element.classList.add("new");
    await this.plot.draw(traces, { ...tree.layout, ...axes, width, height, shapes: resolve(figure.shapes, look.palette) });
    if (state !== this.drawn) return; // drawn anew in the meantime
    this.layout = layout;
    this.countLeft(step.tree.q.length, layout);
    this.element.classList.toggle("scrolls", width > look.width || height > look.height);
    this.motion = new TreeMotion(layout, figure, this.plot);
    const kind = this.kit.kinds[Object.values(step.decisions)[0].kind];
    this.overlay.place(story, layout, kind, look.letter);
    setTimeout(() => this.element.classList.remove("new"), QUICK);
  }

  /** Says how many drafted tokens have neither a box nor a dot. @param {number} drafted @param {T.TreeLayout} layout */
  countLeft(drafted, { items }) {
    const seen = items.filter(({ id, hidden }) => !hidden && id >= 0 && id < drafted).length;
    const grouped = items.reduce((sum, { hidden }) => sum + hidden, 0);
    const left = drafted - seen - grouped;
    if (!this.left) return;
    this.left.hidden = left === 0;
    this.left.textContent = `${left} of ${drafted} folded away: click ○ to open`;
  }

  /** @param {T.Story} story @param {T.Scene} scene @param {number} shown the node whose decision is shown */
  show(story, scene, shown) {
    if (!this.motion || story.step !== this.step) return;
    this.element.classList.toggle("playing-step", scene.phase !== "text");
    this.motion.show(story, scene, shown);
    this.overlay.show(scene, shown);
  }

  /** A click on a vertex opens what is folded there, else the decision after it. @param {number} vertex */
  press(vertex) {
    const item = this.layout?.items.find(({ id }) => id === vertex);
    if (!item) return;
    if (!item.hidden && !item.isDot) {
      this.on.choice({ vertex, about: false });
      return;
    }
    let top = item;
    while (item.isDot && top.parent?.isDot) top = top.parent;
    this.open = new Set([...this.open, item.hidden ? item.key : `branch ${top.id}`]);
    this.on.open();
  }
}

/** @param {T.TreeKit} kit @param {string} name */
const axisOf = ({ layout }, name) => /** @type {object} */ (layout[name]);

/** Measures texts as they will be drawn, without a layout of the page. @param {HTMLElement} element */
function measureIn(element) {
  const context = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(element).getPropertyValue("--ersd-sans") || "sans-serif";
  return (/** @type {string} */ text, /** @type {number} */ size, /** @type {boolean} */ isBold) => {
    if (!context) return 0.62 * size * text.length;
    context.font = `${isBold ? 700 : 400} ${size}px ${family}`;
    return context.measureText(text).width;
  };
}
