// The pictures of a player: tree and decision, which Plotly draws, and the timeline. Templates and layouts come once in the kit, each step brings only
// its numbers.

/** @import * as T from "../types" */
import { around, find } from "../base/dom.js";
import { Looks } from "../plot/look.js";
import { decisionInView } from "../decision/decision.js";
import { DecisionPicture } from "../decision/picture.js";
import { Timeline } from "../timeline/timeline.js";
import { TreePicture } from "../tree/tree_picture.js";

/**
 * @typedef {object} View what is drawn
 * @property {T.StepMessage} step
 * @property {T.StepMessage | undefined} before the step before it
 * @property {number} index
 * @property {T.Choice | null} choice what a reader chose in it
 * @property {T.Choice | null} focus the node whose decision is shown: the choice, else where the walk stands
 * @property {T.Story} story
 * @property {T.Scene} scene
 * @property {T.RedrawAt | null} redrawAt what a reader asks of the step; null: nothing
 * @property {T.Redrawn | null} redrawn `step` is not the recorded one; null: it is
 */

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
    const elements = {
      root,
      tree: find(root, ".ersd-tree"),
      decision: find(root, ".ersd-decision-plot"),
      timeline: find(root, ".ersd-timeline"),
    };
    this.tree = new TreePicture(elements.tree, kit, { choice: on.choice, open: () => this.redraw() });
    this.onResize = on.resize;
    this.decision = new DecisionPicture(elements.decision, kit);
    this.timeline = new Timeline(elements.timeline, on.step);
    /** @type {View | null} */
    this.view = null;
    /** @type {T.StepMessage | null} */
    this.drawnStep = null; // the tree on the screen
    this.looks = new Looks(ended, elements, (before) => this.refresh(before));
  }

  /** Draws anew where colours or sizes are others now. @param {Pictures["looks"]["now"]} before */
  refresh(before) {
    const { width } = this.looks.now.root;
    if (!width) this.decision.stop(); // in a hidden tab
    this.redraw();
    if (width !== before.root.width) this.onResize();
  }

  /** @param {T.StepMessage[]} steps of the run; they grow while it goes on */
  begin(steps) {
    this.view = null;
    this.timeline.begin(steps);
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
    const { root, tree, decision, timeline } = this.looks.now;
    this.view = view;
    if (!root.width) return; // in a hidden tab; drawn when it is shown and so has a size
    this.timeline.draw(story, scene, timeline);
    await Promise.all([
      tree.width && this.tree.draw(story, tree),
      decision.width && this.decision.draw(step, decisionInView(step, focus).decision, decision),
    ]);
    this.drawnStep = step;
    this.move(story, scene);
  }

  /** Moves what moves in a scene of the step drawn. @param {T.Story} story @param {T.Scene} scene */
  move(story, scene) {
    if (this.drawnStep !== story.step) return;
    const { decision, vertex } = decisionInView(story.step, this.view?.focus ?? null);
    if (this.looks.now.tree.width) this.tree.show(story, scene, vertex);
    if (this.view) this.decision.show(story, scene, decision);
  }
}

/** On a phone there is room for one picture: two buttons show the tree or the decision. The style sheet does it by `data-picture`. */
export class PictureSwitch {
  /** @param {HTMLElement} root the player. */
  constructor(root) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll(".ersd-switch [data-picture]")]);
    root.querySelector(".ersd-switch")?.addEventListener("click", (event) => {
      const button = around(event, "[data-picture]");
      if (button) this.show(button.dataset.picture === "decision" ? "decision" : "tree");
    });
  }

  /** @param {"tree" | "decision"} picture */
  show(picture) {
    this.root.dataset.picture = picture;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.picture === picture));
  }
}
