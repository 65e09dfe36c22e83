// The first trials as blocks, green where a guess was accepted: a click shows that trial.

/** @import * as T from "../types" */
import { around, make, refill } from "../base/dom.js";

const BLOCK = 12; // pixels, with its gap
const LABELLED = 10; // every tenth block has its number

/** @typedef {{ id: string, label: string, is: (rank: number) => boolean }} Bookmark */

/** @type {Bookmark[]} */
export const BOOKMARKS = [
  { id: "later", label: "Saved by a later guess", is: (rank) => rank > 1 },
  { id: "none", label: "No guess accepted", is: (rank) => rank < 0 },
  { id: "first", label: "First guess accepted", is: (rank) => rank === 1 },
];

/** Draws the blocks and the bookmarks beside them. */
export class Strip {
  /** @param {HTMLElement} list @param {HTMLElement} summary @param {HTMLElement} bookmarks @param {(trial: number) => void} onTrial */
  constructor(list, summary, bookmarks, onTrial) {
    this.list = list;
    this.summary = summary;
    this.bookmarks = bookmarks;
    /** @type {number[]} */
    this.ranks = [];
    this.trial = 0;
    this.drawn = "";
    list.addEventListener("click", (event) => {
      const block = around(event, "[data-trial]");
      if (block) onTrial(Number(block.dataset.trial));
    });
    bookmarks.replaceChildren(
      ...BOOKMARKS.map(({ id, label }) => {
        const button = make("button", "", label);
        button.type = "button";
        button.dataset.bookmark = id;
        return button;
      }),
    );
    bookmarks.addEventListener("click", (event) => {
      const id = around(event, "[data-bookmark]")?.dataset.bookmark;
      const found = id === undefined ? null : this.next(id);
      if (found !== null) onTrial(found);
    });
  }

  /**
   * The next such trial after the one in view, from the start again after the last.
   * @param {string} id of a bookmark.
   */
  next(id) {
    const is = BOOKMARKS.find((bookmark) => bookmark.id === id)?.is ?? (() => false);
    const places = this.ranks.flatMap((rank, place) => (is(rank) ? [place] : []));
    return places.find((place) => place > this.trial) ?? places.at(0) ?? null;
  }

  /** @param {T.Lab.Counts} counts @param {number} trial */
  draw({ ranks, trials }, trial) {
    this.trial = trial;
    const room = Math.max(10, Math.floor(this.list.clientWidth / BLOCK));
    this.ranks = ranks;
    const shown = ranks.slice(0, room);
    const key = `${shown.join()}|${trial}`;
    if (key === this.drawn) return;
    this.drawn = key;
    refill(this.list, ...shown.map((rank, place) => this.block(rank, place)));
    const kinds = make("span");
    kinds.append(make("b", "accepted", "✓ green"), ": a guess was accepted, ", make("b", "target", "★ blue"), ": the target’s own token");
    this.summary.replaceChildren(
      `${trials > shown.length ? `the first ${shown.length} of ${trials.toLocaleString("en")}` : `all ${shown.length}`}; `,
      kinds,
    );
    for (const button of this.bookmarks.querySelectorAll("button")) button.disabled = this.next(button.dataset.bookmark ?? "") === null;
  }

  /** @param {number} rank @param {number} place */
  block(rank, place) {
    const item = make("li");
    const block = make("button", rank > 0 ? "accepted" : "target");
    block.type = "button";
    block.dataset.trial = String(place);
    block.tabIndex = place === this.trial ? 0 : -1;
    block.setAttribute("aria-label", `Trial ${place + 1}: ${rank > 0 ? `guess ${rank} accepted` : "no guess accepted"}`);
    if (place === this.trial) block.setAttribute("aria-current", "true");
    item.append(block);
    if ((place + 1) % LABELLED === 0 || place === this.trial) item.append(make("span", "", String(place + 1)));
    return item;
  }
}
