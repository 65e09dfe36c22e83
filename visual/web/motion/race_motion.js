// A decision in motion, over the picture of its bars: a race, falling coins, or a choice that lights up. What it shows depends only on the
// fraction passed to `seek`, so any moment can be shown at any time. At the end it gives way to the bars.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */
import { make } from "../base/dom.js";
import { BlockScene } from "./block_scene.js";
import { ChoiceScene } from "./choice_scene.js";
import { CoinScene } from "./coin_scene.js";
import { RaceScene } from "./race_scene.js";

/**
 * @typedef {object} Scene one decision, to be shown at any moment
 * @property {HTMLElement} element
 * @property {number} seconds how long it takes at speed 1
 * @property {number} tries coins that fall one after the other
 * @property {number} held the fraction at which all is decided, before it gives way to the bars; 1: it does not
 * @property {number} [fallen] the fraction at which the coins of a sequence have fallen: at its later tokens they stay there
 * @property {string} words text alternative
 * @property {(fraction: number) => void} seek
 */

/** Shows decisions in motion, one at a time. */
export class RaceMotion {
  /**
   * @param {HTMLElement} host the picture that it covers; its text alternative is that of the motion while it lasts. The card around it has
   *   the class `covered` while a decision is there, and `in-motion` until it gives way to the bars.
   * @param {Kit} kit
   */
  constructor(host, kit) {
    this.card = host.closest(".ersd-race-card") ?? host;
    this.host = host;
    this.kit = kit;
    this.cover = make("div", "ersd-motion");
    this.cover.hidden = true;
    host.append(this.cover);
    /** @type {Scene | null} */
    this.scene = null;
    this.label = ""; // the picture's own
  }

  /**
   * Shows a decision at its beginning.
   *
   * @param {StepMessage} step
   * @param {number} vertexId a visited vertex.
   * @param {{ side?: "draft" | "target" | "both" }} [options] of a race: the draft's alone, the target's after it, or both in turn.
   * @returns {{ seconds: number, tries: number, held: number, fallen: number, words: string }} as of its scene.
   */
  show(step, vertexId, { side = "both" } = {}) {
    this.clear();
    this.cover.hidden = false;
    this.card.classList.add("covered");
    const { clientWidth: width, clientHeight: height } = this.cover; // the style sheet lets it cover the texts around the picture
    const scene = this.sceneOf(step, vertexId, { side, width, height });
    this.scene = scene;
    this.cover.replaceChildren(scene.element);
    this.label = this.host.getAttribute("aria-label") ?? "";
    this.host.setAttribute("aria-label", scene.words);
    this.seek(0);
    const { seconds, tries, held, fallen = 0, words } = scene;
    return { seconds, tries, held, fallen, words };
  }

  /**
   * The scene for a decision of its kind.
   *
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ side: "draft" | "target" | "both", width: number, height: number }} options
   * @returns {Scene}
   */
  sceneOf(step, vertex, options) {
    const decision = step.decisions[vertex];
    const { axis, list } = this.kit.kinds[decision.kind];
    if (axis === "time") return new RaceScene(step, vertex, options, this.kit);
    if (options.side === "draft") return new ChoiceScene(step, vertex, options, this.kit);
    if (list === "tries" && decision.tries) return new CoinScene(step, vertex, options, this.kit);
    if (list === "sequence" && step.block && !decision.leaf) return new BlockScene(step, vertex, options, this.kit);
    return new ChoiceScene(step, vertex, options, this.kit);
  }

  /** @param {number} fraction of the decision in view, 0 to 1. */
  seek(fraction) {
    if (!this.scene) return;
    const { held } = this.scene;
    this.scene.seek(fraction);
    const isOver = held < 1 && fraction - held > 1e-9;
    this.cover.style.opacity = String(isOver ? (1 - fraction) / (1 - held) : 1);
    this.card.classList.toggle("in-motion", !isOver);
  }

  /** Shows the bars again. */
  clear() {
    if (!this.scene) return;
    if (this.host.getAttribute("aria-label") === this.scene.words) this.host.setAttribute("aria-label", this.label);
    this.scene = null;
    this.cover.hidden = true;
    this.cover.replaceChildren();
    this.card.classList.remove("covered", "in-motion");
  }
}
