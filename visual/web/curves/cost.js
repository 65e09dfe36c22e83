// What a target call costs, in draft calls: a slider for any cost, and buttons for pairs and machines whose costs are known.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { draw } from "../base/templates.js";
import { anyCall, placeButtons } from "../figures/cost_ratio.js";

const [LEAST, MOST] = [0.5, 100]; // ends of the slider, which is logarithmic
const FULL = 100;

export class Cost {
  /** @param {HTMLElement} root of `curves-cost` @param {() => void} onChange */
  constructor(root, onChange) {
    const [number, slider] = [...root.querySelectorAll("input")];
    this.number = number;
    this.slider = slider;
    this.buttons = find(root, ".curves-places");
    this.note = find(root, ".curves-cost-note");
    this.onChange = onChange;
    /** @type {T.Elsewhere[]} */
    this.places = [];
    /** @type {T.Elsewhere | null} */
    this.chosen = null; // null: any other cost
    /** @type {T.PlaceCosts} */
    this.costs = anyCall(1);
    this.ratio = 1;
    slider.addEventListener("input", () => this.set(LEAST * (MOST / LEAST) ** (Number(slider.value) / FULL)));
    number.addEventListener("change", () => this.type());
  }

  /** @param {T.Elsewhere[]} places the first is chosen. */
  begin(places) {
    this.places = places;
    if (places.length) this.choose(places[0], false);
    else this.drawButtons();
  }

  /** @param {T.Elsewhere} place @param {boolean} isNew */
  choose(place, isNew = true) {
    this.chosen = place;
    this.show(place, place.ratio, `${place.source[0].toUpperCase()}${place.source.slice(1)}.`);
    if (isNew) this.onChange();
  }

  drawButtons() {
    const isChosen = (/** @type {T.Elsewhere} */ place) => place === this.chosen;
    const buttons = placeButtons(this.places, isChosen, (place) => this.choose(place));
    draw(this.buttons, buttons);
  }

  type() {
    const value = Number(this.number.value);
    const [least, most] = [Number(this.number.min), Number(this.number.max)];
    const isRight = this.number.value !== "" && value >= least && value <= most;
    this.number.setAttribute("aria-invalid", String(!isRight));
    if (isRight) this.set(value);
    else this.note.textContent = `The cost must be a number from ${least} to ${most}, got “${this.number.value}”. It stays ${this.ratio}.`;
  }

  /** @param {number} ratio the same for every size of tree. */
  set(ratio) {
    const rounded = Number(ratio.toPrecision(3));
    this.chosen = null;
    this.show(anyCall(rounded), rounded, "Any target call costs this, however many tokens it scores, and nothing but calls takes time.");
    this.onChange();
  }

  /** @param {T.PlaceCosts} costs @param {number} ratio of a target call for one token to a draft call @param {string} words */
  show(costs, ratio, words) {
    Object.assign(this, { costs, ratio });
    this.drawButtons();
    this.number.value = String(ratio);
    this.number.setAttribute("aria-invalid", "false");
    this.slider.value = String((FULL * Math.log(ratio / LEAST)) / Math.log(MOST / LEAST));
    this.note.textContent = `${words} Accepted tokens stay those of the measured pair. Expected speed-up = (1 + accepted) · time of a token without a draft ÷ (drafting + the call for the tree + accepting), for each k with the fastest depth.`;
  }
}
