// A strip per method: a stack of blocks per target call, and how far its text agrees with the text compared with.

/** @import * as T from "../types" */
import { count } from "../base/format.js";
import { boxed, classes } from "../base/templates.js";
import { html, render } from "../lit-html.js";

/** Draws the strips of a comparison, all on one scale: a block is a token, the target's own on top. */
export class Strips {
  /** @param {HTMLElement} list empty @param {(call: number) => void} onCall gets the call clicked, from 1 */
  constructor(list, onCall) {
    this.list = list;
    this.onCall = onCall;
    /** @type {Pick<T.Compare.Lane, "name" | "counts" | "own" | "text">[]} */
    this.lanes = [];
  }

  /** @param {T.Compare.CompareBegin["lanes"]} lanes */
  begin(lanes) {
    this.lanes = lanes.map(({ name }) => ({ name, counts: [], own: [], text: null }));
  }

  /** @param {T.Compare.Lane[]} lanes drawn the next time */
  update(lanes) {
    this.lanes = lanes;
  }

  /** @param {number} position calls made. */
  draw(position) {
    this.list.style.setProperty("--most", String(Math.max(1, ...this.lanes.flatMap(({ counts }) => counts))));
    this.list.style.setProperty("--calls", String(Math.max(1, ...this.lanes.map(({ counts }) => counts.length))));
    const rows = this.lanes.map((lane, place) => {
      const { name, counts, text } = lane;
      const made = Math.min(position, counts.length);
      const figure = `${count(sum(counts.slice(0, made)), "token")} in ${count(made, "call")}`;
      return html`<li class="lane-${place + 1}">
        <p class="ersd-lane" .textContent=${name}></p>
        <div class="ersd-strip">${this.blocks(lane, made)}</div>
        <p class="ersd-calls-made" .textContent=${figure}></p>
        <p class="ersd-likeness" data-kind=${text?.kind ?? ""}>${boxed(text?.words ?? "")}</p>
      </li>`;
    });
    render(rows, this.list);
  }

  /**
   * Marked are the calls to come, the last one made, the one with the first token that differs, and the later ones.
   * @param {Strips["lanes"][number]} lane @param {number} made
   */
  blocks({ counts, own, text }, made) {
    const first = text?.first ?? Infinity;
    let end = 0; // tokens so far
    return counts.map((tokens, call) => {
      const start = end;
      end += tokens;
      const isFirst = start <= first && first < end;
      const look = classes(call >= made && "later", call === made - 1 && "here", isFirst && "first", first < start && "other");
      const title = `call ${call + 1}: ${tokens - own[call]} accepted${own[call] ? `, ${own[call]} from the target` : ""}`;
      const sizes = `--accepted: ${tokens - own[call]}; --own: ${own[call]}`;
      const onClick = () => this.onCall(call + 1);
      return html`<i class=${look} style=${sizes} title=${title} data-call=${call + 1} @click=${onClick}></i>`;
    });
  }
}

/** @param {number[]} numbers */
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
