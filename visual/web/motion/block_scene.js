// A drafted sequence decided as a whole, in motion: a coin falls for every token, and the sequence is kept up to the last coin below its
// keep probability. Where it is cut, P then shrinks to the remaining target probability.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { Block, StepMessage } from "../base/types.js" */
import { CoinBars, NARROW } from "./coin_bars.js";
import { coinLine } from "./coin_scene.js";
import { make } from "../base/dom.js";
import { shorten } from "../base/format.js";
import { barValuesOf } from "../decision/bar_values.js";

const HEAD = 18;
const ROW = 20; // pixels
const NARROW_ROW = 24;
const WORDY = 360; // pixels from which on headings are whole sentences
const HELD = 0.94;
const SECONDS = 0.5; // of a coin
const CUT = 0.8; // seconds, to see what stays
const LEFT = 1.6; // seconds, to see the remaining target probability

/** Draws the sequence at a given moment. */
export class BlockScene {
  /**
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ width: number, height: number }} room
   * @param {Kit} kit
   */
  constructor(step, vertex, { width, height }, kit) {
    const decision = step.decisions[vertex];
    const block = /** @type {Block} */ (step.block);
    const count = block.coin.length;
    this.held = HELD;
    this.tries = count;
    this.kept = block.kept;
    const left = decision.left ? LEFT : 0;
    this.decided = SECONDS * count + CUT; // seconds
    this.seconds = (this.decided + left) / HELD;
    this.fallen = (SECONDS * count) / this.seconds;
    this.words = decision.say;
    this.decision = decision;
    const isNarrow = width < NARROW;
    const room = Math.max(2, Math.floor((height - HEAD) / (isNarrow ? NARROW_ROW : ROW)));
    const shown = count > room ? room - 1 : count; // more than fit: the tokens around the cut, and a line on which they are
    const first = Math.max(0, Math.min(this.kept - 1, count - shown));
    this.coins = block.coin.map((coin, place) =>
      coinLine(coin, block.keep[place], shorten(step.tree.names[place], isNarrow ? 7 : 11), kit),
    );
    this.signs = block.coin.map((_, place) =>
      make("b", place < this.kept ? "accepted" : "rejected", kit.signs[place < this.kept ? "accepted" : "rejected"]),
    );
    this.sequence = make("div", "sequence");
    this.cut = make("i", "cut"); // above the first token that does not stay
    this.coins.forEach(({ element }, place) => {
      element.append(this.signs[place]);
      if (place === this.kept) element.append(this.cut);
    });
    const words = width < WORDY ? "stay up to the last coin below keep" : "all stay up to the last coin below its keep probability";
    this.sequence.append(make("p", "head", words));
    this.sequence.append(...this.coins.slice(first, first + shown).map(({ element }) => element));
    if (shown < count) this.sequence.append(make("p", "head", `tokens ${first + 1} to ${first + shown} of ${count}`));
    const kind = kit.kinds[decision.kind];
    this.before = { draft: decision.q, target: decision.p, draftBefore: null, targetBefore: null };
    this.after = barValuesOf(decision, kind, null);
    this.bars = new CoinBars(decision, { width, height: height - HEAD }, kit);
    this.bars.list([decision.chosen, ...Object.values(decision.row_of)], [decision.p, decision.q, this.after.target]);
    this.rest = make("div", "rest");
    this.rest.append(
      make("p", "head", `the cut · P shrinks to what is left of it${width < WORDY ? "" : " · striped: both"}`),
      this.bars.element,
    );
    this.element = make("div", `ersd-coins${isNarrow ? " narrow" : ""}`);
    this.element.append(this.sequence, ...(decision.left ? [this.rest] : []));
  }

  /** @param {number} fraction */
  seek(fraction) {
    const moment = fraction * this.seconds;
    const isDecided = moment >= SECONDS * this.tries;
    const isResting = moment > this.decided && Boolean(this.decision.left);
    this.coins.forEach((coin, place) => coin.seek(Math.min(1, Math.max(0, (2 * (moment - SECONDS * place)) / SECONDS)), true));
    for (const sign of [...this.signs, this.cut]) sign.style.opacity = isDecided ? "1" : "0";
    this.sequence.style.opacity = isResting ? "0" : "1";
    this.rest.style.opacity = isResting ? "1" : "0";
    const shrunk = Math.min(1, Math.max(0, (moment - this.decided - 0.4) / 0.6));
    this.bars.seek(this.before, this.after, shrunk);
    this.bars.write(shrunk < 1 ? this.before : this.after);
    this.bars.reveal((row) => shrunk === 1 && row === this.decision.chosen);
    this.bars.point(shrunk === 1 ? this.decision.chosen : undefined);
  }
}
