// What there is to see of a source of guesses: which of several was chosen, or which tokens can be guessed. It is a section of the player, and
// stands below the menu of sources as well.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { nothing, render } from "../lit-html.js";
import { vocabulary } from "./vocabulary.js";
import { weights } from "./weights.js";

/** @type {Record<string, typeof weights>} by source */
const PICTURES = { routed: weights, frequent: vocabulary };

export class SourcePanel {
  /** @param {HTMLElement} details @param {T.Kit} kit @param {HTMLElement | null} place below the menu of sources; null: there is none */
  constructor(details, kit, place) {
    this.details = /** @type {HTMLDetailsElement} */ (details);
    this.box = find(details, ".ersd-sources-box");
    this.place = place;
    this.words = kit.sources;
    /** @type {T.BeginMessage | undefined} */
    this.run = undefined;
    /** @type {T.StepMessage[]} */
    this.steps = [];
    /** @type {T.PanelView | undefined} */
    this.view = undefined;
    details.addEventListener("toggle", () => this.show());
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin(message, steps) {
    const { source } = message.settings;
    Object.assign(this, { run: message, steps, view: undefined });
    this.details.hidden = !(source in PICTURES && message.used.includes("source"));
    if (!this.details.hidden) {
      find(this.details, "h2").textContent = this.words[`title_${source}`];
      find(this.details, "summary span").textContent = this.words[`about_${source}`];
    }
    for (const box of [this.box, this.place]) if (box) render(nothing, box);
  }

  /** @param {T.PanelView} view */
  draw(view) {
    this.view = view;
    this.show();
  }

  show() {
    if (!this.view || !this.run || this.details.hidden) return;
    const picture = PICTURES[this.run.settings.source](this.run, this.steps, this.view, this.words);
    if (this.place) render(picture, this.place);
    if (this.details.open) render(picture, this.box);
  }
}
