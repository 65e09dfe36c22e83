// The pictures of a player: tree and butterfly, which Plotly draws, and the timeline. Templates and layouts come once in the kit, each step brings only
// its numbers. This module keeps their sizes and colours.

/** @import { Choice } from "../decision/decision.js" */
/** @import { Scene, Story } from "../story/story.js" */
/** @import { Caption } from "../story/captions.js" */
/** @import { ButterflyKit, Kit, Palette, TreeKit } from "../base/kit_types.js" */
/** @import { BeginMessage, StepMessage } from "../base/types.js" */
import { Butterfly } from "../decision/butterfly.js";
import { AXIS, layoutOf, ROW } from "../decision/butterfly_layout.js";
import { fill, isDark, resolve } from "../base/colours.js";
import { find } from "../base/dom.js";
import { decisionOf } from "../decision/decision.js";
import { TokenFlight } from "../story/token_flight.js";
import { Plot } from "../base/plotly_adapter.js";
import { limitRows } from "../decision/row_limit.js";
import { Timeline } from "../timeline/timeline.js";
import { TreePicture } from "../tree/tree_picture.js";

/**
 * @typedef {{ width: number, height: number, letter: number }} Size pixels; `letter`: size of the interface's letters there, 13, or 18 in Present
 * @typedef {{ palette: Palette, tree: TreeKit, butterfly: ButterflyKit }} Theme colours in place of their names
 * @typedef {object} View what is drawn
 * @property {StepMessage} step
 * @property {StepMessage | undefined} before the step before it
 * @property {number} index
 * @property {Choice | null} choice what a reader chose in it
 * @property {Choice | null} focus the vertex whose decision is shown: the choice, else where the walk stands
 * @property {Story} story
 * @property {Scene} scene
 * @property {Caption} caption
 */

/** Draws a step. */
export class Pictures {
  /**
   * @param {HTMLElement} root the player.
   * @param {Kit} kit
   * @param {object} on callbacks: what a reader clicked, and a new width of the player.
   * @param {(index: number) => void} on.step
   * @param {(choice: Choice) => void} on.choice
   * @param {() => void} on.resize
   */
  constructor(root, kit, on) {
    this.root = root;
    this.kit = kit;
    this.elements = {
      root,
      tree: find(root, ".ersd-tree"),
      butterfly: find(root, ".ersd-race-plot"),
      timeline: find(root, ".ersd-timeline"),
    };
    this.tree = new TreePicture(this.elements.tree, kit, (vertex) => on.choice({ vertex, about: false }));
    this.flight = new TokenFlight(root, kit.signs);
    this.onResize = on.resize;
    this.butterfly = new Butterfly(kit);
    this.butterflyPlot = new Plot(this.elements.butterfly.appendChild(document.createElement("div")));
    /** @type {unknown[]} */
    this.drawnButterfly = []; // what the butterfly on the screen depends on
    this.timeline = new Timeline(this.elements.timeline, on.step);
    /** @type {View | null} */
    this.view = null;
    /** @type {StepMessage | null} */
    this.drawnStep = null; // the tree on the screen
    /** @type {number | null} */
    this.picked = null; // the try at which the butterfly is shown; null: the decision
    this.dark = isDark();
    this.theme = this.themeOf(this.dark);
    this.sizes = this.measured();
    this.watch();
  }

  watch() {
    const page = new MutationObserver(() => this.recolour());
    page.observe(document.body, { attributes: true, attributeFilter: ["class"] });
    const sizes = new ResizeObserver(() => this.resize());
    Object.values(this.elements).forEach((element) => sizes.observe(element));
  }

  /**
   * @param {boolean} dark
   * @returns {Theme}
   */
  themeOf(dark) {
    const { palettes, tree, butterfly } = this.kit;
    const palette = dark ? palettes.dark : palettes.light;
    return { palette, ...resolve({ tree, butterfly }, palette) };
  }

  recolour() {
    if (isDark() === this.dark) return;
    this.dark = isDark();
    this.theme = this.themeOf(this.dark);
    this.redraw();
  }

  // Sizes are measured once and not while drawing: between two changes of the page each measurement costs a layout of the whole page.
  measured() {
    const { root, tree, butterfly, timeline } = this.elements;
    const letter = parseFloat(getComputedStyle(root).getPropertyValue("--letter")) || 13;
    const sizeOf = (/** @type {HTMLElement} */ { clientWidth: width, clientHeight: height }) => ({ width, height, letter });
    return { root: sizeOf(root), tree: sizeOf(tree), butterfly: sizeOf(butterfly), timeline: sizeOf(timeline) };
  }

  resize() {
    const sizes = this.measured();
    if (JSON.stringify(sizes) === JSON.stringify(this.sizes)) return;
    const { width } = this.sizes.root;
    this.sizes = sizes;
    this.redraw();
    if (sizes.root.width !== width) this.onResize();
  }

  /** @param {BeginMessage} message */
  begin({ tree_style: style }) {
    this.view = null; // a step of the previous run cannot be drawn in this run's style
    this.tree.begin(style);
    this.timeline.begin();
  }

  /** @param {StepMessage} step */
  add(step) {
    this.tree.add(step);
    this.timeline.add(step);
  }

  /** The run is over. */
  finish() {
    this.timeline.finish();
  }

  /** @param {StepMessage} step */
  isDrawn(step) {
    return this.drawnStep === step;
  }

  redraw() {
    if (this.view) void this.draw(this.view);
  }

  /** @param {View} view */
  async draw(view) {
    const { step, choice, focus, story, scene } = view;
    const isOther = this.view?.step !== step || this.view.choice !== choice || this.view.focus?.vertex !== focus?.vertex;
    if (isOther) this.picked = null;
    this.view = view;
    if (!this.sizes.root.width) return; // in a hidden tab; drawn when it is shown and so has a size
    this.timeline.draw(story, scene, this.sizes.timeline);
    await Promise.all([
      this.tree.draw(step, choice?.vertex ?? step.decided, this.sizes.tree, this.theme, choice !== null),
      this.drawButterfly(view),
    ]);
    this.drawnStep = step;
    this.move(story, scene);
  }

  /**
   * Moves what moves in a scene of the step drawn.
   *
   * @param {Story} story
   * @param {Scene} scene
   */
  move(story, scene) {
    if (this.drawnStep !== story.step) return;
    const { overlay } = this.tree;
    overlay.show(story, scene);
    const isFlying = scene.phase === "text" && scene.flight < 1;
    this.flight.show(story, scene, isFlying ? overlay.onScreen(story.step.tree.q.length) : null);
  }

  /**
   * Shows the butterfly at one of its tries.
   *
   * @param {number | null} picked null: as it was decided.
   */
  pick(picked) {
    if (!this.view || picked === this.picked) return;
    this.picked = picked;
    if (this.sizes.root.width) void this.drawButterfly(this.view);
  }

  /** @param {View} view */
  async drawButterfly({ step, focus }) {
    if (!this.sizes.butterfly.width) return; // not in view; drawn when it is
    const { picked, theme } = this;
    const { palette, butterfly } = theme;
    const { width, height } = this.sizes.butterfly;
    const { decision: whole } = decisionOf(step, focus);
    const drafted = step.tree.q.length > 0;
    const state = [whole, picked, width, height, theme, drafted];
    if (isSame(state, this.drawnButterfly)) return;
    this.drawnButterfly = state;
    const decision = limitRows(whole, Math.floor((height - AXIS) / ROW), this.kit.marks);
    const data = this.butterfly.data(decision, picked, width);
    const layout = layoutOf(butterfly.layout, decision, picked, { width, height, drafted, data }, this.kit);
    const traces = Object.entries(butterfly.traces).map(([name, template]) => fill(template, data[name], palette));
    await this.butterflyPlot.draw(traces, resolve(layout, palette));
  }
}

/**
 * @param {unknown[]} one
 * @param {unknown[]} other
 */
const isSame = (one, other) => one.length === other.length && one.every((each, index) => each === other[index]);
