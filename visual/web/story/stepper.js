// The stepper: the four phases of a step as buttons, each with a bar that fills with the share of the phase that is over.

/** @import * as T from "../types" */
import { around, find, keepFocus } from "../base/dom.js";
import { PHASES } from "./story.js";

const KEEPS = { races: "keep the target’s picks", coins: "keep what coins allow" };

export class Stepper {
  /** @param {HTMLElement} bar @param {T.Kit} kit @param {(phase: T.Phase) => void} onPhase gets the phase clicked. */
  constructor(bar, kit, onPhase) {
    this.kit = kit;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...bar.querySelectorAll("[data-tell]")]);
    this.fills = this.buttons.map((button) => find(button, "i"));
    this.keeps = find(bar, "[data-tell=walk] small");
    keepFocus(bar);
    bar.addEventListener("click", (event) => {
      const button = around(event, "[data-tell]");
      if (button) onPhase(/** @type {T.Phase} */ (button.dataset.tell));
    });
  }

  /** @param {T.BeginMessage} message */
  begin({ kind }) {
    this.keeps.textContent = this.kit.kinds[kind].list ? KEEPS.coins : KEEPS.races;
  }

  /** @param {T.PanelView} view */
  draw({ story, scene }) {
    const { spans } = story;
    const now = PHASES.indexOf(scene.phase);
    this.buttons.forEach((button, place) => {
      button.disabled = !spans.some(({ phase }) => phase === button.dataset.tell);
      button.classList.toggle("over", place < now);
      if (place === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.move(story, scene);
  }

  /** @param {T.Story} _ @param {T.Scene} scene */
  move(_, { phase, progress }) {
    const now = PHASES.indexOf(phase);
    this.fills.forEach((fill, place) => {
      const share = place === now ? progress : Number(place < now);
      fill.style.transform = `scaleX(${share.toFixed(3)})`;
    });
  }
}
