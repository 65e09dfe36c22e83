// The decisions of a step in order, as buttons: keyboard users reach each decision here, also the one about a vertex whose click opens the
// decision about its children.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */
/** @import { Choice, InView } from "./decision.js" */
import { around, make } from "../base/dom.js";

/** Draws the list. */
export class WalkList {
  /**
   * @param {HTMLElement} list
   * @param {Kit} kit
   * @param {(choice: Choice) => void} onChoice gets the decision clicked.
   */
  constructor(list, kit, onChoice) {
    this.list = list;
    this.kit = kit;
    /** @type {StepMessage | null} */
    this.step = null;
    list.addEventListener("click", (event) => {
      const button = around(event, "[data-chose]");
      if (button) onChoice({ vertex: Number(button.dataset.chose), about: true });
    });
  }

  /**
   * @param {StepMessage} step
   * @param {InView} decision the decision in view.
   */
  draw(step, { vertex: seen }) {
    if (this.step !== step) this.replace(step);
    this.step = step;
    for (const button of this.list.querySelectorAll("button")) {
      const isShown = Number(button.dataset.vertex) === seen;
      if (isShown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** @param {number} count decisions made so far; the others are hidden. */
  reveal(count) {
    [...this.list.children].forEach((item, place) => item.classList.toggle("unseen", place >= count));
  }

  /** @param {StepMessage} step */
  replace({ decisions, tree }) {
    // the way goes down the tree, where children have higher numbers than their parents
    const way = Object.keys(decisions).map(Number);
    way.sort((one, other) => one - other);
    const items = way.map((vertex) => {
      const accepted = tree.parents.findIndex((parent, child) => parent === vertex && tree.states[child] === "accepted");
      const chosen = accepted < 0 ? tree.q.length : accepted; // the target's own token is the last
      const state = tree.states[chosen];
      const button = make("button", state, `${this.kit.signs[state]} ${tree.names[chosen]}`);
      button.type = "button";
      button.title = decisions[vertex].say;
      button.dataset.vertex = String(vertex);
      button.dataset.chose = String(chosen);
      const item = make("li");
      item.append(button);
      return item;
    });
    this.list.replaceChildren(...items);
  }

  /** Scrolls the list to the decision in view. */
  scroll() {
    const shown = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
    if (!shown || this.list.scrollWidth <= this.list.clientWidth) return;
    const isSeen = !shown.closest(".unseen"); // else the beginning is, or nothing
    this.list.scrollLeft = isSeen ? shown.offsetLeft - (this.list.clientWidth - shown.offsetWidth) / 2 : 0;
  }
}
