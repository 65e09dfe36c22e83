// A strip per run, all on one scale of tokens: a block is a target call, its end the target's own token. Beside it calls and time.

/** @import * as T from "../types" */
import { around } from "../base/dom.js";
import { count } from "../base/format.js";
import { sum } from "../base/numbers.js";
import { boxed, classes } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";

export class Strips {
  /**
   * @param {HTMLElement} list empty
   * @param {(call: number) => void} onCall gets the call clicked, from 1
   * @param {(token: number) => void} onToken gets the token under the pointer, from 0
   */
  constructor(list, onCall, onToken) {
    this.list = list;
    this.onCall = onCall;
    this.most = 1; // tokens of the longest text
    list.addEventListener("pointermove", (event) => {
      const strip = around(event, ".ersd-strip");
      if (!strip) return;
      const { left, width } = strip.getBoundingClientRect();
      onToken(Math.floor(((event.clientX - left) / width) * this.most));
    });
  }

  /** @param {T.Compare.Lane[]} lanes @param {number} position calls made. @param {number | null} framed token that is framed in all strips */
  draw(lanes, position, framed) {
    const { list } = this;
    this.most = Math.max(1, ...lanes.map(({ counts }) => sum(counts)));
    list.style.setProperty("--most", String(this.most));
    list.style.setProperty("--framed", String(framed ?? 0));
    list.classList.toggle("framing", framed !== null);
    const calls = Math.max(1, ...lanes.map(({ counts }) => counts.length));
    const longest = Math.max(1, ...lanes.map(({ row }) => (row?.spent ? row.spent.draft + row.spent.rest : 0)));
    const rows = lanes.map((lane, place) => {
      const { name, counts, row, text } = lane;
      const made = Math.min(position, counts.length);
      return html`<li class=${`ersd-strip-row lane-${place + 1}`}>
        <p class="ersd-lane"><b .textContent=${name}></b><small .textContent=${row ? `${row.per_call} tokens per call` : ""}></small></p>
        <div class="ersd-strip" title=${`${count(sum(counts.slice(0, made)), "token")} in ${count(made, "call")}`}>
          ${this.blocks(lane, made)}
        </div>
        <p class="ersd-calls-made">
          <b .textContent=${row?.calls ?? "–"}></b><span style=${`--share: ${counts.length / calls}`}><span></span></span>
        </p>
        <p class="ersd-took"><b .textContent=${row?.spent?.words ?? "–"}></b>${row?.spent ? timeBar(row.spent, longest) : nothing}</p>
        <p class="ersd-likeness" data-kind=${text?.kind ?? ""}>${boxed(text?.words ?? "")}</p>
      </li>`;
    });
    render(rows, list);
  }

  /**
   * Marked are the calls to come, the last one made, the one with the first token that differs, and the later ones.
   * @param {T.Compare.Lane} lane @param {number} made
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
      const sizes = `--tokens: ${tokens}; --accepted: ${(tokens - own[call]) / Math.max(1, tokens)}; --at: ${first - start}`;
      const onClick = () => this.onCall(call + 1);
      return html`<i class=${look} style=${sizes} title=${title} data-call=${call + 1} @click=${onClick}></i>`;
    });
  }
}

/** @param {T.Compare.Spent} spent @param {number} longest milliseconds of the longest bar */
const timeBar = ({ draft, rest }, longest) =>
  html`<span style=${`--share: ${(draft + rest) / longest}; --drafting: ${draft / Math.max(0.01, draft + rest)}`}
    ><span title=${`guessing ${Math.round(draft)} ms, target calls and choices ${Math.round(rest)} ms`}></span
  ></span>`;
