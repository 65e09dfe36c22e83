// The menu of target call costs, in draft levels, and the speed-up that follows from a cost.

/** @import { Elsewhere } from "../base/types.js" */
import { make } from "../base/dom.js";
import { decimal } from "../base/numbers.js";

/** A menu of model pairs and machines with their target call costs. */
export class CostRatio {
  /**
   * @param {HTMLSelectElement} menu
   * @param {() => void} onChange called when another entry was chosen.
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

  /** The index of the chosen entry. */
  get index() {
    return this.menu.selectedIndex;
  }

  get place() {
    return /** @type {Elsewhere | undefined} */ (this.places[this.index]);
  }
}

/**
 * Cost of a target call that scores a number of tokens, in draft levels; as `call` in ersd/models/costs.py.
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
 * Speed as a multiple of decoding without a draft (ersd/theory/speed.py), and the formula with its figures, which gives the same value.
 *
 * @param {Elsewhere["calls"]} calls what target calls cost.
 * @param {number} perCall tokens per call, as printed.
 * @param {number} levels draft levels a call, as printed.
 * @param {number} scored tokens scored a call.
 */
export function reckoned(calls, perCall, levels, scored) {
  const [[, ratio]] = calls;
  const tree = costOf(calls, scored);
  const formula = `= ${decimal(perCall, 2)} · ${ratio} / (${tree} + ${decimal(levels, 2)} draft levels a call)`;
  return { factor: (perCall * ratio) / (tree + levels), formula };
}

/**
 * A speed-up as text.
 *
 * @param {number | null} factor null: not known.
 */
export const times = (factor) => (factor === null ? "–" : decimal(factor, factor < 9.995 ? 2 : 1));
