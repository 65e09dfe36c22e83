// The first trials as blocks, green where a guess was accepted: a click shows that trial.

/** @import * as T from "../types" */
import { draw, plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";

const BLOCK = 12; // pixels, with its gap
const LABELLED = 10; // every tenth block has its number

/** @type {{ id: string, label: string, is: (rank: number) => boolean }[]} */
const BOOKMARKS = [
  { id: "later", label: "Saved by a later guess", is: (rank) => rank > 1 },
  { id: "none", label: "No guess accepted", is: (rank) => rank < 0 },
  { id: "first", label: "First guess accepted", is: (rank) => rank === 1 },
];
const KEY = html`<span><b class="accepted">✓ green</b>: a guess was accepted, <b class="target">★ blue</b>: the target’s own token</span>`;

export class Strip {
  /** @param {HTMLElement} list @param {HTMLElement} summary @param {HTMLElement} bookmarks @param {(trial: number) => void} onTrial */
  constructor(list, summary, bookmarks, onTrial) {
    this.list = list;
    this.summary = summary;
    this.bookmarks = bookmarks;
    this.onTrial = onTrial;
    this.drawn = "";
  }

  /** @param {T.Lab.Counts} counts @param {number} trial */
  draw({ ranks, trials }, trial) {
    const shown = ranks.slice(0, Math.max(10, Math.floor(this.list.clientWidth / BLOCK)));
    const key = `${shown.join()}|${trial}`;
    if (key === this.drawn) return;
    this.drawn = key;
    const blocks = shown.map((rank, place) => this.block(rank, place, place === trial));
    draw(this.list, blocks);
    const which = trials > shown.length ? `the first ${shown.length} of ${trials.toLocaleString("en")}` : `all ${shown.length}`;
    render([plain(`${which}; `), KEY], this.summary);
    const jumps = BOOKMARKS.map(({ id, label, is }) => {
      const places = ranks.flatMap((rank, place) => (is(rank) ? [place] : []));
      const next = places.find((place) => place > trial) ?? places.at(0); // from the start again after the last
      const jump = () => next !== undefined && this.onTrial(next);
      return html`<button type="button" data-bookmark=${id} ?disabled=${next === undefined} @click=${jump} .textContent=${label}></button>`;
    });
    render(jumps, this.bookmarks);
  }

  /** @param {number} rank @param {number} place @param {boolean} isHere */
  block(rank, place, isHere) {
    const label = `Trial ${place + 1}: ${rank > 0 ? `guess ${rank} accepted` : "no guess accepted"}`;
    const number = (place + 1) % LABELLED === 0 || isHere ? plain(String(place + 1)) : nothing;
    return html`<li>
      <button
        type="button"
        class=${rank > 0 ? "accepted" : "target"}
        data-trial=${place}
        tabindex=${isHere ? 0 : -1}
        aria-label=${label}
        aria-current=${isHere ? "true" : nothing}
        @click=${() => this.onTrial(place)}
      ></button>
      ${number}
    </li>`;
  }
}
