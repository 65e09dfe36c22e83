// The bar of a step's four phases: marks the one in view, writes its caption, and goes to a phase by a click.

/** @import { Phase, Scene, Story } from "./story.js" */
import { around, find } from "../base/dom.js";
import { PHASES } from "./story.js";

/** Draws the bar. */
export class PhaseBar {
  /**
   * @param {HTMLElement} bar
   * @param {(phase: Phase) => void} onPhase gets the phase clicked.
   */
  constructor(bar, onPhase) {
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...bar.querySelectorAll("[data-tell]")]);
    this.place = find(bar, ".ersd-phase-of");
    this.line = find(bar, ".ersd-tale");
    // a mouse click must not leave the focus on a button, or space would press that button again
    bar.addEventListener("mousedown", (event) => {
      if (around(event, "button")) event.preventDefault();
    });
    bar.addEventListener("click", (event) => {
      const button = around(event, "[data-tell]");
      if (button) onPhase(/** @type {Phase} */ (button.dataset.tell));
    });
  }

  /**
   * @param {Story} story
   * @param {Scene} scene
   * @param {string} line
   */
  draw({ spans }, { phase }, line) {
    const now = PHASES.indexOf(phase);
    this.buttons.forEach((button, place) => {
      button.disabled = !spans.some((span) => span.phase === button.dataset.tell);
      button.classList.toggle("over", place < now);
      if (place === now) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.place.textContent = `phase ${now + 1} of ${PHASES.length}`;
    this.line.textContent = line;
  }
}
