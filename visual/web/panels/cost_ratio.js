// The choice of what a target call costs, in draft levels.

/** @import { Elsewhere } from "../base/types.js" */
import { make } from "../base/dom.js";
import { decimal } from "../base/numbers.js";

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
 * What a target call that scores so many tokens costs, in draft levels: as `Place.call` of ersd/costs.py.
 *
 * @param {Elsewhere["calls"]} calls
 * @param {number} tokens
 */
function costOf(calls, tokens) {
  const [[, single]] = calls;
  if (calls.length === 1) return single;
  const place = calls.findIndex(([measured], at) => at > 0 && tokens <= measured);
  const last = place < 0 ? calls.length - 1 : place;
  const [[few, less], [many, more]] = [calls[last - 1], calls[last]];
  return Number(Math.max(single, less + ((more - less) * (tokens - few)) / (many - few)).toPrecision(3));
}

/**
 * How many times as fast as one by one, by ersd/theory/speed.py, and the formula with its figures: it comes out for who checks it.
 *
 * @param {Elsewhere["calls"]} calls what target calls cost.
 * @param {number} perCall tokens per call, as they are written, and so the draft levels a call.
 * @param {number} levels
 * @param {number} scored tokens scored a call.
 */
export function reckoned(calls, perCall, levels, scored) {
  const [[, ratio]] = calls;
  const tree = costOf(calls, scored);
  const formula = `= ${decimal(perCall, 2)} · ${ratio} / (${tree} + ${decimal(levels, 2)} draft levels a call)`;
  return { factor: (perCall * ratio) / (tree + levels), formula };
}

/**
 * How many times as fast, as it is written.
 *
 * @param {number | null} factor null: not known.
 */
export const times = (factor) => (factor === null ? "–" : decimal(factor, factor < 9.995 ? 2 : 1));
