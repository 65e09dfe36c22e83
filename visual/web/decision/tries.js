// The list of coins under the picture: a row per try, or, where a sequence is decided as a whole, a row per drafted token.

/** @import * as T from "../types" */
import { around, foreign, make, refill } from "../base/dom.js";
import { count, isolated } from "../base/format.js";
import { digitsApart, number } from "../base/numbers.js";

/**
 * Rows that are shown before the others are asked for. Present has large letters.
 * @param {boolean} isSequence its rows are lower
 */
function most(isSequence) {
  if (document.documentElement.dataset.view) return 1;
  return isSequence ? 8 : 5;
}

/** @typedef {{ name: string, coin: number, limit: number, isKept: boolean, words: string, title: string, vertex: number }} Coin */

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
    /** @type {number | null} */
    this.held = null; // the try that was clicked
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
    const shown = pointed ?? this.held;
    for (const button of this.list.querySelectorAll("[data-try]")) {
      const place = Number(/** @type {HTMLElement} */ (button).dataset.try);
      button.classList.toggle("shown", place === shown);
      button.setAttribute("aria-pressed", String(place === this.held));
    }
    if (!this.isSequence) this.on.pick(shown);
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision */
  draw(step, decision) {
    const source = step.block ?? decision;
    this.isSequence = step.block !== undefined;
    if (source === this.source && this.most === most(this.isSequence)) return;
    this.source = source;
    this.most = most(this.isSequence);
    this.held = null;
    const coins = this.coinsOf(step, decision);
    this.list.classList.remove("open");
    this.list.classList.toggle("sequence", this.isSequence);
    this.list.hidden = this.heading.hidden = coins.length === 0;
    const first = this.isSequence
      ? count(coins.length, "coin")
      : `${coins.length} ${coins.length === 1 ? "try" : "tries"}, ${count(coins.length, "coin")}`;
    const rest = this.isSequence ? "one for each guess" : "a guess is kept if its coin lands in the filled part";
    this.heading.replaceChildren(make("b", "", first), ` ${rest}`);
    const last = this.isSequence ? (step.block?.kept ?? 0) - 1 : coins.findIndex(({ isKept }) => isKept);
    const isShort = coins.length <= this.most + 1; // the line that asks for one more is as high as that one
    this.shown = isShort ? coins.length : this.most - Number(last >= this.most && this.most > 1); // the coin that decided is always seen
    const rows = coins.map((coin, place) => this.row(coin, place, last));
    if (this.isSequence && last < coins.length - 1) rows[last]?.classList.add("cut");
    const between =
      last < this.shown
        ? []
        : [
            { from: last + 1, to: coins.length },
            { from: this.shown, to: last },
          ];
    const hidden = between.length ? between : [{ from: this.shown, to: coins.length }];
    for (const { from, to } of hidden) if (from < to) rows.splice(from, 0, more(from + 1, to));
    refill(this.list, ...rows);
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
    return (decision.tries ?? []).map(({ vertex, coin, ratio, accepted, short, say }) => {
      return { name: tree.names[vertex], coin, limit: Math.min(1, ratio), isKept: accepted, words: short, title: say, vertex };
    });
  }

  /**
   * @param {Coin} coin
   * @param {number} place
   * @param {number} last the coin that decided
   */
  row({ name, coin, limit, isKept, words, title, vertex }, place, last) {
    const state = isKept ? "accepted" : "rejected";
    const button = make("button", state);
    button.type = "button";
    Object.assign(button.dataset, { try: place, vertex });
    button.title = isolated(title);
    button.classList.toggle("decides", place === last);
    button.classList.toggle("below", isKept && coin < limit);
    const track = make("span", "ersd-track");
    track.style.setProperty("--keep", String(limit));
    track.style.setProperty("--coin", String(coin));
    button.append(
      make("b", "", String(place + 1)),
      make("i", "", this.kit.signs[state]),
      foreign(name, "name"),
      track,
      make("small", "", words),
    );
    const item = make("li", place >= this.shown && place !== last ? "later" : "");
    item.append(button);
    return item;
  }

  /**
   * Shows the coins that have fallen.
   * @param {number} fallen
   * @param {boolean} isScored keep probabilities are known
   */
  reveal(fallen, isScored) {
    for (const button of this.list.querySelectorAll("[data-try]")) {
      button.parentElement?.classList.toggle("unfallen", Number(/** @type {HTMLElement} */ (button).dataset.try) >= fallen);
      button.parentElement?.classList.toggle("unscored", !isScored);
    }
    this.list.classList.toggle("ersd-unseen", !isScored);
    this.heading.classList.toggle("ersd-unseen", !isScored);
  }
}

/**
 * The row that stands for hidden ones and opens them.
 * @param {number} first number of a coin
 * @param {number} last
 */
function more(first, last) {
  const item = make("li", "ersd-more");
  const button = make("button", "", first === last ? `… coin ${first}` : `… coins ${first}–${last}`);
  button.type = "button";
  item.append(button);
  return item;
}

/** @param {Event} event @returns {number | null} */
function tryOf(event) {
  const button = around(event, "[data-try]");
  return button ? Number(button.dataset.try) : null;
}
