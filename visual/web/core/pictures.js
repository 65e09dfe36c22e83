// The pictures of a player: tree and decision, which Plotly draws, and the timeline. Templates and layouts come once in the kit, each step brings only
// its numbers. This module keeps their sizes and colours.

/** @import * as T from "../types" */
import { resolve } from "../plot/colours.js";
import { around, find } from "../base/dom.js";
import { letterOf, paletteOf, watchLook } from "../plot/look.js";
import { decisionInView } from "../decision/decision.js";
import { DecisionPicture } from "../decision/picture.js";
import { Timeline } from "../timeline/timeline.js";
import { TreePicture } from "../tree/tree_picture.js";

/**
 * @typedef {{ width: number, height: number, letter: number }} Size pixels; `letter`: size of the interface's letters there, 13, or 18 in Present
 * @typedef {{ palette: T.Palette, tree: T.TreeKit }} Theme colours in place of their names
 * @typedef {object} View what is drawn
 * @property {T.StepMessage} step
 * @property {T.StepMessage | undefined} before the step before it
 * @property {number} index
 * @property {T.Choice | null} choice what a reader chose in it
 * @property {T.Choice | null} focus the node whose decision is shown: the choice, else where the walk stands
 * @property {T.Story} story
 * @property {T.Scene} scene
 * @property {T.WhatIf | null} whatIf what a reader asks of the step; null: nothing
 * @property {T.Redrawn | null} redrawn `step` is not the recorded one; null: it is
 */

/** Draws a step. */
export class Pictures {
  /**
   * @param {HTMLElement} root the player.
   * @param {T.Kit} kit
   * @param {object} on callbacks: what a reader clicked, and a new width of the player.
   * @param {(index: number) => void} on.step
   * @param {(choice: T.Choice) => void} on.choice
   * @param {() => void} on.resize
   * @param {AbortSignal} ended
   */
  constructor(root, kit, on, ended) {
    this.root = root;
    this.kit = kit;
    this.elements = {
      root,
      tree: find(root, ".ersd-tree"),
      decision: find(root, ".ersd-race-plot"),
      timeline: find(root, ".ersd-timeline"),
    };
    this.tree = new TreePicture(this.elements.tree, kit, { choice: on.choice, open: () => this.redraw() });
    this.onResize = on.resize;
    this.decision = new DecisionPicture(this.elements.decision, kit);
    this.timeline = new Timeline(this.elements.timeline, on.step);
    /** @type {View | null} */
    this.view = null;
    /** @type {T.StepMessage | null} */
    this.drawnStep = null; // the tree on the screen
    this.theme = this.themeOf(paletteOf(kit.palettes));
    this.sizes = this.measured();
    watchLook(ended, () => this.refresh(), Object.values(this.elements));
  }

  /** @param {T.Palette} palette @returns {Theme} */
  themeOf(palette) {
    return { palette, ...resolve({ tree: this.kit.tree }, palette) };
  }

  // Sizes are measured once and not while drawing: between two changes of the page each measurement costs a layout of the whole page.
  measured() {
    const { root, tree, decision, timeline } = this.elements;
    const letter = letterOf(root);
    const sizeOf = (/** @type {HTMLElement} */ { clientWidth: width, clientHeight: height }) => ({ width, height, letter });
    return { root: sizeOf(root), tree: sizeOf(tree), decision: sizeOf(decision), timeline: sizeOf(timeline) };
  }

  // Draws anew where colours or sizes are others now.
  refresh() {
    const palette = paletteOf(this.kit.palettes);
    const sizes = this.measured();
    const isRecoloured = palette !== this.theme.palette;
    if (!isRecoloured && JSON.stringify(sizes) === JSON.stringify(this.sizes)) return;
    if (isRecoloured) this.theme = this.themeOf(palette);
    const { width } = this.sizes.root;
    this.sizes = sizes;
    if (!sizes.root.width) this.decision.stop(); // in a hidden tab
    this.redraw();
    if (sizes.root.width !== width) this.onResize();
  }

  begin() {
    this.view = null;
    this.timeline.begin();
  }

  /** @param {T.StepMessage} step */
  add(step) {
    this.timeline.add(step);
  }

  /** The run is over. */
  finish() {
    this.timeline.finish();
  }

  /** @param {T.StepMessage} step */
  isDrawn(step) {
    return this.drawnStep === step;
  }

  /** Ends what moves by itself: the race that is run once more. */
  settle() {
    this.decision.stop();
    this.decision.render();
  }

  redraw() {
    if (this.view) void this.draw(this.view);
  }

  /** @param {View} view */
  async draw(view) {
    const { step, focus, story, scene } = view;
    const { decision } = decisionInView(step, focus);
    this.view = view;
    if (!this.sizes.root.width) return; // in a hidden tab; drawn when it is shown and so has a size
    this.timeline.draw(story, scene, this.sizes.timeline);
    await Promise.all([
      this.sizes.tree.width && this.tree.draw(story, this.sizes.tree, this.theme),
      this.sizes.decision.width && this.decision.draw(step, decision, this.sizes.decision, this.theme),
    ]);
    this.drawnStep = step;
    this.move(story, scene);
  }

  /** Moves what moves in a scene of the step drawn. @param {T.Story} story @param {T.Scene} scene */
  move(story, scene) {
    if (this.drawnStep !== story.step) return;
    const { decision, vertex } = decisionInView(story.step, this.view?.focus ?? null);
    if (this.sizes.tree.width) this.tree.show(story, scene, vertex);
    if (this.view) this.decision.show(story, scene, decision);
  }
}

/** On a phone there is room for one picture: two buttons show the tree or the race. The style sheet does it by `data-picture`. */
export class PictureSwitch {
  /** @param {HTMLElement} root the player. */
  constructor(root) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll(".ersd-switch [data-picture]")]);
    root.querySelector(".ersd-switch")?.addEventListener("click", (event) => {
      const button = around(event, "[data-picture]");
      if (button) this.show(button.dataset.picture === "race" ? "race" : "tree");
    });
  }

  /** @param {"tree" | "race"} picture */
  show(picture) {
    this.root.dataset.picture = picture;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.picture === picture));
  }
}
