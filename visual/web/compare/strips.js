// A strip per method: its tokens, cut into target calls, and how far they agree with the text compared with.

/** @import { CompareBegin, Lane } from "./types.js" */
import { around, make } from "../base/dom.js";
import { count } from "../base/format.js";

/** @typedef {{ strip: HTMLElement, figure: HTMLElement, words: HTMLElement, counts: number[], drawn: number }} Row */

/** Draws the strips of a comparison, all on one scale. */
export class Strips {
  /**
   * @param {HTMLElement} list empty.
   * @param {(call: number) => void} onCall gets the call clicked, from 1.
   */
  constructor(list, onCall) {
    this.list = list;
    /** @type {Row[]} */
    this.rows = [];
    this.most = 1;
    list.addEventListener("click", (event) => {
      const cell = around(event, "[data-call]");
      if (cell) onCall(Number(cell.dataset.call));
    });
  }

  /**
   * @param {CompareBegin["lanes"]} lanes
   * @param {number} most tokens that fit.
   */
  begin(lanes, most) {
    this.most = most;
    this.rows = lanes.map(() => {
      const [strip, figure, words] = [make("div", "ersd-strip"), make("p", "ersd-calls-made"), make("p", "ersd-likeness")];
      return { strip, figure, words, counts: [], drawn: 0 };
    });
    this.list.replaceChildren(
      ...this.rows.map(({ strip, figure, words }, place) => {
        const item = make("li", `lane-${place + 1}`);
        item.append(make("p", "ersd-lane", lanes[place].name), strip, figure, words);
        return item;
      }),
    );
  }

  /** @param {Lane[]} lanes */
  update(lanes) {
    lanes.forEach(({ counts, text }, place) => {
      const row = this.rows[place];
      for (const tokens of counts.slice(row.drawn)) {
        const cell = make("i");
        cell.dataset.call = String(row.strip.children.length + 1);
        cell.title = `call ${cell.dataset.call}: ${count(tokens, "token")}`;
        row.strip.append(cell);
      }
      row.drawn = counts.length;
      row.counts = counts;
      row.words.textContent = text?.words ?? "";
      row.words.dataset.kind = text?.kind ?? "";
      row.strip.dataset.kind = text?.kind ?? "";
      this.measure(row, text?.first ?? null);
    });
  }

  /** @param {Lane[]} lanes the scale is that of the longest from now on. */
  finish(lanes) {
    const longest = Math.max(...lanes.map(({ counts }) => sum(counts)));
    if (longest > 0) this.most = longest;
    lanes.forEach(({ text }, place) => this.measure(this.rows[place], text?.first ?? null));
  }

  /**
   * Sets the width of every cell, and how much of it agrees with the text compared with.
   *
   * @param {Row} row
   * @param {number | null} first the first token that differs.
   */
  measure({ strip, counts }, first) {
    let written = 0;
    [...strip.children].forEach((child, call) => {
      const cell = /** @type {HTMLElement} */ (child);
      const same = first === null ? 1 : Math.max(0, Math.min(1, (first - written) / counts[call]));
      cell.style.setProperty("--same", String(same));
      cell.style.width = `${(100 * counts[call]) / this.most}%`;
      cell.classList.toggle("first", first !== null && same < 1 && written <= first);
      written += counts[call];
    });
  }

  /** @param {number} position calls made. */
  draw(position) {
    for (const { strip, figure, counts } of this.rows) {
      const made = Math.min(position, counts.length);
      [...strip.children].forEach((cell, call) => {
        cell.classList.toggle("later", call >= made);
        cell.classList.toggle("here", call === made - 1);
      });
      figure.textContent = `${count(sum(counts.slice(0, made)), "token")} in ${count(made, "call")}`;
    }
  }
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
