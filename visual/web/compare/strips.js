// A strip per method: a stack of blocks per target call, and how far its text agrees with the text compared with.

/** @import * as T from "../types" */
import { around, make } from "../base/dom.js";
import { count } from "../base/format.js";
import { boxed } from "../panels/token_boxes.js";

/** @typedef {{ strip: HTMLElement, figure: HTMLElement, words: HTMLElement, counts: number[], drawn: number }} Row */

/** Draws the strips of a comparison, all on one scale: a block is a token, the target's own on top. */
export class Strips {
  /**
   * @param {HTMLElement} list empty.
   * @param {(call: number) => void} onCall gets the call clicked, from 1.
   */
  constructor(list, onCall) {
    this.list = list;
    /** @type {Row[]} */
    this.rows = [];
    list.addEventListener("click", (event) => {
      const cell = around(event, "[data-call]");
      if (cell) onCall(Number(cell.dataset.call));
    });
  }

  /** @param {T.Compare.CompareBegin["lanes"]} lanes */
  begin(lanes) {
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

  /** @param {T.Compare.Lane[]} lanes */
  update(lanes) {
    lanes.forEach(({ counts, own, text }, place) => {
      const row = this.rows[place];
      for (const tokens of counts.slice(row.drawn)) {
        const call = row.strip.children.length;
        const cell = make("i");
        cell.dataset.call = String(call + 1);
        cell.title = `call ${call + 1}: ${tokens - own[call]} accepted${own[call] ? `, ${own[call]} from the target` : ""}`;
        cell.style.setProperty("--accepted", String(tokens - own[call]));
        cell.style.setProperty("--own", String(own[call]));
        row.strip.append(cell);
      }
      row.drawn = counts.length;
      row.counts = counts;
      row.words.replaceChildren(...boxed(text?.words ?? ""));
      row.words.dataset.kind = text?.kind ?? "";
      this.mark(row, text?.first ?? null);
    });
    this.list.style.setProperty("--most", String(Math.max(1, ...lanes.flatMap(({ counts }) => counts))));
    this.list.style.setProperty("--calls", String(Math.max(1, ...lanes.map(({ counts }) => counts.length))));
  }

  /**
   * Marks the call with the first token that differs, and the later ones.
   * @param {Row} row
   * @param {number | null} first the first token that differs.
   */
  mark({ strip, counts }, first) {
    let written = 0;
    [...strip.children].forEach((cell, call) => {
      const end = written + counts[call];
      cell.classList.toggle("first", first !== null && written <= first && first < end);
      cell.classList.toggle("other", first !== null && first < written);
      written = end;
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
