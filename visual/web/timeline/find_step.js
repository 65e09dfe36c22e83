// Find a step: a button for each kind of bookmarked step; pressed again it goes to the next one.

/** @import { Find, Kit } from "../base/kit_types.js" */
/** @import { Landmarks } from "../base/types.js" */
import { make } from "../base/dom.js";

/** @typedef {{ find: Find, button: HTMLButtonElement, count: HTMLElement }} Place a button, and the element with its number of steps */

/** The row of buttons. */
export class FindStep {
  /**
   * @param {HTMLElement} bar empty.
   * @param {Kit} kit
   * @param {(index: number) => void} go
   */
  constructor(bar, kit, go) {
    this.kit = kit;
    this.go = go;
    this.nearness = "";
    this.index = -1; // the step in view
    /** @type {Landmarks[]} */
    this.steps = [];
    /** @type {Place[]} */
    this.places = kit.find.finds.map((find) => {
      const [button, count] = [make("button", "", find.label), make("b")];
      button.type = "button";
      button.dataset.find = find.id;
      button.append(" ", count);
      button.addEventListener("click", () => this.next(find));
      bar.append(button);
      return { find, button, count };
    });
    // a mouse click must not leave the focus on a button, or space would press that button again
    bar.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** @param {string} kind of the run. */
  begin(kind) {
    this.nearness = this.kit.kinds[kind].nearness;
    this.steps = [];
    this.mark();
  }

  /** @param {Landmarks} step */
  add(step) {
    this.steps.push(step);
  }

  /** @param {number} index the step in view. */
  draw(index) {
    this.index = index;
    this.mark();
  }

  /**
   * The steps of a kind, in the order in which the button visits them.
   *
   * @param {Find} find
   */
  found({ id }) {
    const indices = [...this.steps.keys()];
    if (id === "gap") {
      const gaps = this.steps.map(({ gap }) => gap ?? Infinity);
      const nearest = indices.filter((index) => gaps[index] < Infinity).sort((one, other) => gaps[one] - gaps[other]);
      return nearest.slice(0, this.kit.find.nearest);
    }
    if (id !== "path") return indices.filter((index) => this.steps[index][id]);
    const longest = Math.max(1, ...this.steps.map(({ path }) => path));
    return indices.filter((index) => this.steps[index].path === longest);
  }

  /** @param {Find} find */
  next(find) {
    const found = this.found(find);
    const here = found.indexOf(this.index);
    // from a found step to the next one, from elsewhere to the next in the text; near ties are sorted by their gap
    const later = find.id === "gap" ? -1 : found.findIndex((index) => index > this.index);
    const place = here >= 0 ? (here + 1) % found.length : Math.max(0, later);
    if (found.length) this.go(found[place]);
  }

  mark() {
    for (const { find, button, count } of this.places) {
      const found = this.found(find);
      const here = found.indexOf(this.index);
      count.textContent = here >= 0 && found.length > 1 ? `${here + 1}/${found.length}` : String(found.length);
      count.style.minWidth = `${found.length > 1 ? 2 * String(found.length).length + 1 : 1}ch`; // of 12/19: no button moves from step to step
      button.disabled = found.length === 0;
      button.toggleAttribute("data-here", here >= 0);
      const help = find.id === "gap" && this.nearness ? `${find.help} (${this.nearness})` : find.help;
      button.title = found.length || !this.steps.length ? help : find.none;
    }
  }
}
