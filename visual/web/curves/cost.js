// What a target call costs, in draft calls: a slider for any cost, and buttons for pairs and machines whose costs are known.

/** @import { Elsewhere } from "../base/types.js" */
/** @import { Calls } from "./types.js" */
import { find, make, refill } from "../base/dom.js";

const [LEAST, MOST] = [0.5, 100]; // ends of the slider, which is logarithmic
const FULL = 100;

/** The controls of the cost. */
export class Cost {
  /**
   * @param {HTMLElement} root of `curves-cost`.
   * @param {() => void} onChange
   */
  constructor(root, onChange) {
    const [number, slider] = [...root.querySelectorAll("input")];
    this.root = root;
    this.number = number;
    this.slider = slider;
    this.buttons = find(root, ".curves-places");
    this.note = find(root, ".curves-cost-note");
    this.onChange = onChange;
    /** @type {Elsewhere[]} */
    this.places = [];
    /** @type {Calls} */
    this.calls = [[1, 1]];
    slider.addEventListener("input", () => this.set(LEAST * (MOST / LEAST) ** (Number(slider.value) / FULL)));
    number.addEventListener("change", () => this.type());
  }

  /** @param {Elsewhere[]} places the first is chosen. */
  begin(places) {
    this.places = places;
    const buttons = places.map((place) => {
      const button = make("button", "", place.label);
      button.type = "button";
      button.addEventListener("click", () => this.choose(place));
      return button;
    });
    refill(this.buttons, ...buttons);
    if (places.length) this.choose(places[0], false);
  }

  /**
   * @param {Elsewhere} place
   * @param {boolean} isNew
   */
  choose(place, isNew = true) {
    this.show(place.calls, `${place.source[0].toUpperCase()}${place.source.slice(1)}.`);
    for (const button of this.buttons.children)
      button.setAttribute("aria-pressed", String(button === this.buttons.children[this.places.indexOf(place)]));
    if (isNew) this.onChange();
  }

  type() {
    const value = Number(this.number.value);
    const [least, most] = [Number(this.number.min), Number(this.number.max)];
    const isRight = this.number.value !== "" && value >= least && value <= most;
    this.number.setAttribute("aria-invalid", String(!isRight));
    if (isRight) this.set(value);
    else
      this.note.textContent = `The cost must be a number from ${least} to ${most}, got “${this.number.value}”. It stays ${this.calls[0][1]}.`;
  }

  /** @param {number} ratio the same for every size of tree. */
  set(ratio) {
    this.show([[1, Number(ratio.toPrecision(3))]], "Any target call costs this, however many tokens it scores: nearly so on a GPU.");
    for (const button of this.buttons.children) button.setAttribute("aria-pressed", "false");
    this.onChange();
  }

  /**
   * @param {Calls} calls
   * @param {string} words
   */
  show(calls, words) {
    const [[, ratio]] = calls;
    this.calls = calls;
    this.number.value = String(ratio);
    this.number.setAttribute("aria-invalid", "false");
    this.slider.value = String((FULL * Math.log(ratio / LEAST)) / Math.log(MOST / LEAST));
    this.note.textContent = `${words} Accepted tokens stay those of the measured pair. Speed-up = (1 + accepted) · cost of a call for one token ÷ (cost of the call for the tree + its levels, a draft call each), for each k with the fastest depth.`;
  }
}
