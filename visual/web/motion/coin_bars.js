// Bars of probabilities in motion: a row per token with p over q, and their overlap min(p, q) marked. Widths are transforms.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { Decision } from "../base/types.js" */
/** @import { BarValues } from "../decision/bar_values.js" */
import { make } from "../base/dom.js";
import { shorten } from "../base/format.js";
import { number } from "../base/numbers.js";

const FEWEST = 3;
const DIGITS = 3; // enough for most of the quotients under the bars
const ROW = 18; // pixels
const NARROW_ROW = 26; // where its numbers stand one below the other
/** Below this width, in pixels, the layout is narrow. */
export const NARROW = 300;
const PHONE = 430;

/** @typedef {{ row: number, element: HTMLElement, light: HTMLElement, sign: HTMLElement, draft: HTMLElement, target: HTMLElement, both: HTMLElement, numbers: HTMLElement }} Bars */

/** The bars of the rows that matter. */
export class CoinBars {
  /**
   * @param {Decision} decision
   * @param {{ width: number, height: number }} room pixels
   * @param {Kit} kit
   */
  constructor(decision, { width, height }, kit) {
    this.decision = decision;
    this.kit = kit;
    this.isNarrow = width < NARROW;
    this.letters = lettersOf(width);
    this.most = Math.max(FEWEST, Math.floor(height / (this.isNarrow ? NARROW_ROW : ROW)));
    const rows = decision.p.map((_, row) => row);
    /** @type {Bars[]} */
    this.bars = rows.map((row) => this.row(row));
    this.element = make("div", `ersd-both${this.isNarrow ? " narrow" : ""}`);
    this.element.append(...this.bars.map(({ element }) => element));
    /** @type {BarValues | null} */
    this.written = null;
    this.listed = "";
  }

  /**
   * Shows the wanted rows, most important first, and then the largest, as many as fit.
   *
   * @param {(number | undefined)[]} wanted
   * @param {(number[] | null)[]} columns values by row, for the largest.
   */
  list(wanted, columns) {
    if (this.listed === wanted.join()) return;
    this.listed = wanted.join();
    const size = (/** @type {number} */ row) => Math.max(...columns.map((column) => column?.[row] ?? 0));
    const largest = this.decision.p.map((_, row) => row).sort((one, other) => size(other) - size(one));
    const rows = [...wanted, ...largest].filter((row) => row !== undefined && row >= 0);
    const shown = new Set([...new Set(rows)].slice(0, this.most));
    for (const { row, element } of this.bars) element.hidden = !shown.has(row);
  }

  /**
   * @param {number} row
   * @returns {Bars}
   */
  row(row) {
    const { decision, kit } = this;
    const element = make("div", "row");
    element.dataset.row = String(row);
    const light = make("i", "light");
    const name = make("span", "name", shorten(decision.names[row], this.letters));
    const field = make("div", "field");
    const [target, draft, both] = ["target", "draft", "both"].map((side) => make("i", side));
    field.append(target, draft, both);
    const numbers = make("span", "numbers");
    const sign = make("b", decision.marks[row], kit.marks[decision.marks[row]].sign);
    const lit = make("span", "sign");
    lit.append(sign);
    element.append(light, lit, name, field, numbers);
    return { row, element, light, sign: lit, draft, target, both, numbers };
  }

  /**
   * The bars between two moments.
   *
   * @param {BarValues} before
   * @param {BarValues} after
   * @param {number} share of the way from one to the other.
   */
  seek(before, after, share) {
    const scale = this.decision.scale ?? 1;
    for (const { row, draft, target, both } of this.bars) {
      const q = before.draft?.[row] ?? 0;
      const p = before.target[row] + share * (after.target[row] - before.target[row]);
      draft.style.transform = `scaleX(${Math.min(1, q / scale)})`;
      target.style.transform = `scaleX(${Math.min(1, p / scale)})`;
      both.style.transform = `scaleX(${Math.min(1, p / scale, q / scale)})`;
    }
  }

  /**
   * Writes the numbers when they have changed.
   *
   * @param {BarValues} sides
   */
  write(sides) {
    if (this.written === sides) return;
    this.written = sides;
    for (const { row, numbers } of this.bars) {
      const q = sides.draft ? make("span", "draft", `q ${number(sides.draft[row], this.kit.numbers, DIGITS)}`) : make("span");
      numbers.replaceChildren(make("span", "target", `p ${number(sides.target[row], this.kit.numbers, DIGITS)}`), q);
    }
  }

  /**
   * Shows the signs of decided rows.
   *
   * @param {(row: number) => boolean} isDecided
   */
  reveal(isDecided) {
    for (const { row, sign } of this.bars) sign.style.opacity = isDecided(row) ? "1" : "0";
  }

  /**
   * Opacity of each side.
   *
   * @param {number} draft
   * @param {number} target
   */
  appear(draft, target) {
    for (const bars of this.bars) {
      bars.draft.style.opacity = String(draft);
      for (const one of bars.numbers.querySelectorAll("span")) one.style.opacity = String(one.className === "draft" ? draft : target);
    }
  }

  /**
   * Highlights rows.
   *
   * @param {(number | undefined)[]} rows
   */
  point(...rows) {
    for (const one of this.bars) one.light.style.opacity = rows.includes(one.row) ? "1" : "0";
  }
}

/**
 * Most characters of a name.
 *
 * @param {number} width pixels
 */
function lettersOf(width) {
  if (width < NARROW) return 7;
  return width < PHONE ? 8 : 11;
}
