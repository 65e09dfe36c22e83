// The menu of target call costs, in draft calls, and the speed-up that follows from the costs of a place.

/** @import * as T from "../types" */
import { decimal } from "../base/numbers.js";
import { html, render } from "../lit-html.js";

/** A menu of model pairs and machines with their target call costs. */
export class CostRatio {
  /** @param {HTMLSelectElement} menu @param {() => void} onChange called when another entry was chosen. */
  constructor(menu, onChange) {
    this.menu = menu;
    /** @type {T.Elsewhere[]} */
    this.places = [];
    menu.addEventListener("change", onChange);
  }

  /** @param {T.Elsewhere[]} places */
  begin(places) {
    const labels = places.map(({ label }) => label);
    if (labels.join() !== this.places.map(({ label }) => label).join()) {
      const chosen = this.menu.selectedIndex - this.places.length; // counted from the end: only the first is not there in every run
      const entries = labels.map((label) => html`<option .textContent=${label}></option>`);
      render(entries, this.menu);
      this.menu.selectedIndex = Math.max(0, this.places.length ? chosen + places.length : 0);
    }
    this.places = places;
  }

  /** The index of the chosen entry. */
  get index() {
    return this.menu.selectedIndex;
  }

  get place() {
    return /** @type {T.Elsewhere | undefined} */ (this.places[this.index]);
  }
}

/**
 * Costs where nothing but calls takes time, and every target call costs the same, in draft calls.
 * @param {number} ratio
 * @returns {T.PlaceCosts}
 */
export const anyCall = (ratio) => ({ calls: [[1, ratio]], level: 1, wider: 0, choice: 0, unit: "" });

/** @param {number} value as it is printed. */
const threeDigits = (value) => Number(value.toPrecision(3));

/**
 * Cost of a target call that scores a number of tokens; as `Place.call` in ersd/costs.py.
 * @param {T.PlaceCosts} costs
 * @param {number} tokens
 */
export function callOf({ calls }, tokens) {
  const [[, single]] = calls;
  if (calls.length === 1) return single;
  const place = calls.findIndex(([measured], at) => at > 0 && tokens <= measured);
  const last = place < 0 ? calls.length - 1 : place;
  const [[few, less], [many, more]] = [calls[last - 1], calls[last]];
  return threeDigits(Math.max(single, less + ((more - less) * (tokens - few)) / (many - few)));
}

/**
 * Cost of drafting for a call that scores a number of tokens; as `Place.drafting` in ersd/costs.py.
 * @param {T.PlaceCosts} costs
 * @param {number} levels
 * @param {number} tokens
 */
export function draftingOf({ level, wider }, levels, tokens) {
  const further = levels ? Math.max(0, levels - 1) * Math.max(0, (tokens - 1) / levels - 1) : 0;
  return threeDigits(levels * level + further * wider);
}

/**
 * Expected speed as a multiple of decoding without a draft (ersd/theory/speed.py), and the formula with its figures, which gives the same
 * value; as `Place.speedup` and `Place.formula` in ersd/costs.py.
 * @param {T.PlaceCosts} costs
 * @param {number} perCall tokens per call, as printed.
 * @param {number} levels draft calls a target call, as printed.
 * @param {number} scored tokens scored a call.
 */
export function speedupAt(costs, perCall, levels, scored) {
  const [[, single]] = costs.calls;
  const [verify, draft] = [callOf(costs, scored), draftingOf(costs, levels, scored)];
  const { choice } = costs;
  const unit = costs.unit && ` ${costs.unit}`;
  const tokens = decimal(perCall, 2);
  const alone = choice ? `(${single} + ${choice})` : `${single}`;
  const accept = choice ? ` + accept ${tokens} · ${choice}` : "";
  return {
    factor: (perCall * (single + choice)) / (verify + draft + perCall * choice),
    formula: `= ${tokens} · ${alone}${unit} / (draft ${draft} + verify ${verify}${accept})${unit}`,
  };
}

/** A speed-up as text. @param {number | null} factor null: not known. */
export const formatFactor = (factor) => (factor === null ? "–" : decimal(factor, factor < 9.995 ? 2 : 1));

/** The sign of a speed-up; none where it is printed as 1. @param {number} factor @returns {"▲" | "▼" | ""} */
export function signOf(factor) {
  if (Number(formatFactor(factor)) === 1) return "";
  return factor < 1 ? "▼" : "▲";
}

/**
 * A button for each place whose costs are known.
 * @param {T.Elsewhere[]} places
 * @param {(place: T.Elsewhere) => boolean} isChosen
 * @param {(place: T.Elsewhere) => void} choose
 */
export const placeButtons = (places, isChosen, choose) =>
  places.map((place) => {
    const { label, source } = place;
    return html`<button
      type="button"
      title=${source}
      aria-pressed=${isChosen(place)}
      @click=${() => choose(place)}
      .textContent=${label}
    ></button>`;
  });
