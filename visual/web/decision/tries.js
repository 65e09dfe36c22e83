// The list of coins under the picture: a row per try, or, where a sequence is decided as a whole, a row per drafted token.

/** @import * as T from "../types" */
import { around } from "../base/dom.js";
import { count, isolated } from "../base/format.js";
import { digitsApart, number } from "../base/numbers.js";
import { classes, draw, foreign, plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";

/** Rows that are shown before the others are asked for. Present has large letters. @param {boolean} isSequence its rows are lower */
function most(isSequence) {
  if (document.documentElement.dataset.view) return 1;
  return isSequence ? 8 : 5;
}

/**
 * @typedef {object} Coin
 * @property {string} name
 * @property {number | null} coin null: it need not be tossed
 * @property {number} limit what it is compared with
 * @property {boolean} isKept
 * @property {string} words
 * @property {string} title
 * @property {number} vertex
 * @property {number} [turn] where the leaves are asked first: when it was asked
 * @property {number} [began] and the limit before what follows it was asked
 */

/** Draws the list and reports the try that a reader points at. */
export class Tries {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} heading
   * @param {T.Kit} kit
   * @param {{ choice: (choice: T.Choice) => void, pick: (stage: number | null) => void }} on
   */
  constructor(list, heading, kit, on) {
    this.list = list;
    this.heading = heading;
    this.kit = kit;
    this.on = on;
    /** @type {unknown} */
    this.source = null; // what the rows were made of
    this.most = 0; // of these letters
    this.shown = 0;
    this.last = -1; // the coin that decided
    this.fallen = Infinity;
    this.isScored = true;
    this.isSequence = false;
    /** @type {Coin[]} */
    this.coins = [];
    /** @type {number | null} */
    this.held = null; // the try that was clicked
    /** @type {number | null} */
    this.pointed = null; // the try that a pointer or the focus is on
    list.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.point(tryOf(event)));
    list.addEventListener("focusin", (event) => this.point(tryOf(event)));
    for (const leaving of ["pointerleave", "focusout"]) list.addEventListener(leaving, () => this.point(null));
    list.addEventListener("click", (event) => this.click(event));
  }

  /** @param {Event} event */
  click(event) {
    if (around(event, ".ersd-more")) {
      this.list.classList.add("open");
      return;
    }
    const place = tryOf(event);
    if (place === null) return;
    const vertex = around(event, "[data-vertex]")?.dataset.vertex;
    if (this.isSequence) this.on.choice({ vertex: Number(vertex), about: true });
    else {
      this.held = this.held === place ? null : place;
      this.point(null);
    }
  }

  /** @param {number | null} pointed */
  point(pointed) {
    this.pointed = pointed;
    this.render();
    if (!this.isSequence) this.on.pick(pointed ?? this.held);
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision */
  draw(step, decision) {
    const source = step.block ?? decision;
    this.isSequence = step.block !== undefined;
    if (source === this.source && this.most === most(this.isSequence)) return;
    this.source = source;
    this.most = most(this.isSequence);
    this.pointed = this.held = null;
    this.coins = this.coinsOf(step, decision);
    const { length } = this.coins;
    this.list.classList.remove("open");
    this.list.classList.toggle("sequence", this.isSequence);
    this.list.hidden = this.heading.hidden = length === 0;
    this.last = this.isSequence ? (step.block?.kept ?? 0) - 1 : this.coins.findIndex(({ isKept }) => isKept);
    const isShort = length <= this.most + 1; // the line that asks for one more is as high as that one
    this.shown = isShort ? length : this.most - Number(this.last >= this.most && this.most > 1); // the coin that decided is always seen
    const tries = this.isSequence ? "" : `${length} ${length === 1 ? "try" : "tries"}, `;
    const rest = this.isSequence ? "one for each guess" : "a guess is kept if its coin lands in the filled part";
    render(html`<b .textContent=${tries + count(length, "coin")}></b> ${plain(rest)}`, this.heading);
    this.render();
  }

  render() {
    const { coins, last, shown } = this;
    const rows = coins.map((coin, place) => this.row(coin, place));
    const between = [
      { from: last + 1, to: coins.length },
      { from: shown, to: last },
    ];
    const hidden = last < shown ? [{ from: shown, to: coins.length }] : between;
    for (const { from, to } of hidden) if (from < to) rows.splice(from, 0, more(from + 1, to));
    draw(this.list, rows);
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision @returns {Coin[]} */
  coinsOf({ tree, block }, decision) {
    if (block) {
      return block.coin.map((coin, vertex) => {
        const limit = block.keep[vertex];
        const digits = digitsApart([coin, limit], this.kit.numbers);
        const [thrown, against] = [coin, limit].map((value) => number(value, this.kit.numbers, digits));
        const isBelow = coin < limit;
        const words =
          isBelow && against.startsWith("<")
            ? `${thrown}, limit ${against}`
            : `${thrown}, ${isBelow ? "" : "not "}below ${against.replace("< ", "")}`;
        return { name: tree.names[vertex], coin, limit, isKept: vertex < block.kept, words, title: tree.why[vertex] ?? "", vertex };
      });
    }
    return (decision.tries ?? []).map(({ vertex, coin, ratio, accepted, short, say, turn, began }) => {
      const limit = Math.min(1, ratio);
      return { name: tree.names[vertex], coin, limit, isKept: accepted, words: short, title: say, vertex, turn, began };
    });
  }

  /** @param {Coin} coin @param {number} place */
  row({ name, coin, limit, isKept, words, title, vertex, turn, began = limit }, place) {
    const { last, held, isSequence, isScored } = this;
    const state = isKept ? "accepted" : "rejected";
    const decides = place === last;
    const look = [
      state,
      decides && "decides",
      coin !== null && isKept && coin < limit && "below",
      coin === null && "untossed",
      place === (this.pointed ?? held) && "shown",
    ];
    const isCut = isSequence && decides && last < this.coins.length - 1;
    const isLater = place >= this.shown && !decides;
    const item = [isLater && "later", isCut && "cut", place >= this.fallen && "unfallen", !isScored && "unscored"];
    const lowered = began === limit ? "" : `; --began: ${began}`;
    const pressed = isSequence ? nothing : String(place === held);
    return html`<li class=${classes(...item)}>
      <button
        type="button"
        class=${classes(...look)}
        data-try=${place}
        data-vertex=${vertex}
        title=${isolated(title)}
        aria-pressed=${pressed}
      >
        <b .textContent=${String((turn ?? place + 1) || "–")}></b><i .textContent=${this.kit.signs[state]}></i>${foreign(name, "name")}
        <span class="ersd-track" style="--keep: ${limit}; --coin: ${coin ?? 0}${lowered}"></span><small .textContent=${words}></small>
      </button>
    </li>`;
  }

  /** Shows the coins that have fallen. @param {number} fallen @param {boolean} isScored keep probabilities are known */
  reveal(fallen, isScored) {
    this.fallen = fallen;
    this.isScored = isScored;
    this.list.classList.toggle("ersd-unseen", !isScored);
    this.heading.classList.toggle("ersd-unseen", !isScored);
    this.render();
  }
}

/** The row that stands for hidden ones and opens them. @param {number} first number of a coin @param {number} last */
function more(first, last) {
  const words = first === last ? `… coin ${first}` : `… coins ${first}–${last}`;
  return html`<li class="ersd-more"><button type="button" .textContent=${words}></button></li>`;
}

/** @param {Event} event @returns {number | null} */
function tryOf(event) {
  const button = around(event, "[data-try]");
  return button ? Number(button.dataset.try) : null;
}
