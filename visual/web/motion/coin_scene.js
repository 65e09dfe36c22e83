// The tries of one vertex in motion: a coin falls on the line from 0 to 1; below the limit the token is accepted, else P shrinks to the
// remaining target probability. Residuals come from the trace (`Decision.left`); the scene only moves from one to the next.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage, Try } from "../base/types.js" */
/** @import { BarValues } from "../decision/bar_values.js" */
import { CoinBars, NARROW } from "./coin_bars.js";
import { make } from "../base/dom.js";
import { digitsApart, number } from "../base/numbers.js";
import { captions, barValuesOf } from "../decision/bar_values.js";

const COIN = 84; // pixels, of the line and the words under it
const NARROW_COIN = 94;
const HEAD = 18;
const HELD = 0.94;
/** Shares of a try: the coin has fallen and the verdict appears, P begins to shrink, P has shrunk. */
const LANDS = 0.4;
const SHRINKS = 0.6;
const IS_LEFT = 0.9;
const DRAWN = 0.7; // seconds of the token drawn in the end, in tries
const SECONDS = 1.1; // of a try
const MOST_SECONDS = 9;

/** Draws the tries at a given moment. */
export class CoinScene {
  /**
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ width: number, height: number }} room
   * @param {Kit} kit
   */
  constructor(step, vertex, { width, height }, kit) {
    const decision = step.decisions[vertex];
    this.kit = kit;
    this.isNarrow = width < NARROW;
    this.decision = decision;
    this.kind = kit.kinds[decision.kind];
    /** @type {Try[]} */
    this.made = decision.tries ?? [];
    this.tries = this.made.length;
    this.isAccepted = this.made.some(({ accepted }) => accepted);
    this.length = this.tries + (this.isAccepted ? 0 : DRAWN);
    this.seconds = Math.min(MOST_SECONDS, SECONDS * this.length + 0.3);
    this.held = HELD;
    /** @type {BarValues[]} */
    this.states = Array.from({ length: this.tries + 1 }, (_, place) => barValuesOf(decision, this.kind, place));
    this.rows = this.made.map(({ vertex: child }) => decision.row_of[child]);
    const floor = this.isNarrow ? NARROW_COIN : COIN;
    this.bars = new CoinBars(decision, { width, height: height - floor - HEAD }, kit);
    this.heads = this.states.map((_, place) => make("p", "head", this.heading(place)));
    this.coins = this.made.map(({ coin, ratio }) => coinLine(coin, ratio, "", kit));
    this.verdicts = this.made.map(({ say }) => make("p", "verdict", verdictOf(say)));
    this.element = make("div", `ersd-coins${this.isNarrow ? " narrow" : ""}`);
    this.build();
    this.words = this.made.map(({ say }, place) => `Try ${place + 1}, “${this.nameOf(place)}”: ${say}`).join(" ");
  }

  build() {
    const heads = make("div", "heads");
    heads.append(...this.heads);
    const floor = make("div", "floor");
    floor.append(...this.coins.map(({ element }) => element), ...this.verdicts);
    if (!this.isAccepted) {
      this.drawn = make("p", "verdict", `★ “${this.decision.names[this.decision.chosen] ?? ""}”: ${this.kind.drawn}`);
      floor.append(this.drawn);
    }
    this.element.append(heads, this.bars.element, floor);
  }

  /**
   * The heading of the bars at a try.
   *
   * @param {number} place
   */
  heading(place) {
    const { draft, target } = captions(this.decision, this.kind, place);
    const when = place < this.tries ? `try ${place + 1} of ${this.tries}` : "all rejected";
    return `${when} · ${spaced(target)} over ${spaced(draft)}${this.isNarrow ? "" : " · striped: both"}`;
  }

  /** @param {number} place */
  nameOf(place) {
    const row = this.decision.row_of[this.made[place].vertex];
    return row === undefined ? "" : this.decision.names[row];
  }

  /** @param {number} fraction */
  seek(fraction) {
    const moment = Math.min(this.length, (fraction / HELD) * this.length);
    const place = Math.min(this.tries, Math.floor(moment));
    const isDrawing = place === this.tries && !this.isAccepted;
    const inView = isDrawing ? this.tries : Math.min(place, this.tries - 1);
    const passed = isDrawing ? 1 : Math.min(1, moment - inView);
    this.coins.forEach((coin, one) => coin.seek(one === inView ? passed / LANDS : 0, one === inView));
    this.verdicts.forEach((verdict, one) => show(verdict, one === inView && passed >= LANDS));
    this.heads.forEach((head, one) => show(head, one === inView));
    if (this.drawn) show(this.drawn, isDrawing);
    const one = this.made[inView];
    const after = one && !one.accepted ? this.states[inView + 1] : this.states[inView];
    const shrunk = Math.min(1, Math.max(0, (passed - SHRINKS) / (IS_LEFT - SHRINKS)));
    this.bars.seek(this.states[inView], after, shrunk);
    this.bars.write(shrunk < 1 ? this.states[inView] : after);
    const { p, q, chosen } = this.decision;
    this.bars.list([this.rows[inView], chosen, ...this.rows], [p, q, this.states[this.tries].target]);
    this.bars.point(one ? this.decision.row_of[one.vertex] : this.decision.chosen);
    this.reveal(inView + (passed >= LANDS ? 1 : 0));
  }

  /**
   * Shows the signs of rows: rejected ones after their own try, the others when all is decided.
   *
   * @param {number} decided how many tries are, and one more where a token was drawn in the end.
   */
  reveal(decided) {
    const { row_of: rowOf, marks } = this.decision;
    const isOver = decided >= this.tries + (this.isAccepted ? 0 : 1);
    const rejected = new Set(this.made.slice(0, decided).map(({ vertex }) => rowOf[vertex]));
    this.bars.reveal((row) => isOver || (marks[row] === "rejected" && rejected.has(row)));
  }
}

/**
 * A sentence about a try without its explanation of the symbols, which the headings and the list give.
 *
 * @param {string} say
 */
const verdictOf = (say) => say.replace(/, where .*/, ".");

/** @param {string} words */
const spaced = (words) => words.replaceAll(/\s+/g, " ");

/**
 * @param {HTMLElement} element
 * @param {boolean} isShown
 */
const show = (element, isShown) => {
  element.style.opacity = isShown ? "1" : "0";
};

/**
 * The line from 0 to 1 with a limit, and the coin that falls on it.
 *
 * @param {number} coin
 * @param {number} limit below it is a success; may be more than 1.
 * @param {string} label
 * @param {Kit} kit
 */
export function coinLine(coin, limit, label, kit) {
  const digits = digitsApart([coin, limit], kit.numbers);
  const element = make("div", "coin-line");
  element.style.setProperty("--limit", String(Math.min(1, limit)));
  element.style.setProperty("--coin", String(coin));
  const thrown = make("b", coin < limit ? "yes" : "no");
  const line = make("i", "line");
  line.append(make("i", "below"));
  element.append(make("span", "label", label), line, make("span", "limit", number(limit, kit.numbers, digits)), thrown);
  element.append(make("span", "thrown", `coin ${number(coin, kit.numbers, digits)}`));
  const written = /** @type {HTMLElement} */ (element.lastChild);
  return {
    element,
    /**
     * @param {number} fallen from 0, above the line, to 1, on it.
     * @param {boolean} isShown
     */
    seek(fallen, isShown) {
      const height = Math.max(0, 1 - fallen * fallen); // it falls faster and faster
      show(element, isShown);
      show(thrown, fallen > 0);
      thrown.style.transform = `translateY(${-26 * height}px)`;
      show(written, height === 0);
    },
  };
}
