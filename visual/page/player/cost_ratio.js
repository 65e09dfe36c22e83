// The choice of what a target call costs, in draft levels.

/** @import { Elsewhere } from "./types.js" */
import { make } from "./dom.js";
import { decimal } from "./numbers.js";

/** A menu of places where a target call costs more than here. */
export class CostRatio {
  /**
   * @param {HTMLSelectElement} menu
   * @param {() => void} onChange told that another place was chosen.
   */
  constructor(menu, onChange) {
    this.menu = menu;
    /** @type {Elsewhere[]} */
    this.places = [];
    menu.addEventListener("change", onChange);
  }

  /** @param {Elsewhere[]} places */
  begin(places) {
    const labels = places.map(({ label }) => label);
    if (labels.join() !== this.places.map(({ label }) => label).join()) {
      const chosen = this.menu.selectedIndex - this.places.length; // counted from the end: only the first is not there in every run
      this.menu.replaceChildren(...labels.map((label) => make("option", "", label)));
      this.menu.selectedIndex = Math.max(0, this.places.length ? chosen + places.length : 0);
    }
    this.places = places;
  }

  /** The place chosen: its index. */
  get index() {
    return this.menu.selectedIndex;
  }

  get place() {
    return /** @type {Elsewhere | undefined} */ (this.places[this.index]);
  }
}

/**
 * How many times as fast, as it is written.
 *
 * @param {number | null} factor null: not known.
 */
export const times = (factor) => (factor === null ? "–" : decimal(factor, factor < 9.995 ? 2 : 1));
