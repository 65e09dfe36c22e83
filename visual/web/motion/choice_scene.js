// Probabilities in motion, without clocks or coins: the draft's side appears, then the target's, then the chosen token lights up. With
// the draft's side only, the children light up.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */
import { CoinBars } from "./coin_bars.js";
import { make } from "../base/dom.js";
import { barValuesOf } from "../decision/bar_values.js";

const HEAD = 18;
const DRAFT = 0.3; // shares of the whole: when each side has come
const TARGET = 0.6;

/** Draws a choice at a given moment. */
export class ChoiceScene {
  /**
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ side: "draft" | "target" | "both", width: number, height: number }} room
   * @param {Kit} kit
   */
  constructor(step, vertex, { side, width, height }, kit) {
    const decision = step.decisions[vertex];
    const isDraft = side === "draft";
    this.side = side;
    this.held = isDraft ? 1 : 0.92;
    this.seconds = side === "both" ? 2.2 : 1.4;
    this.tries = 0;
    this.words = decision.say;
    // tokens are drawn from Q, whatever the tries at this vertex compared with later
    const sides = barValuesOf(decision, kit.kinds[decision.kind], null);
    const now = isDraft ? { ...sides, draft: decision.q } : sides;
    const zero = decision.p.map(() => 0);
    this.drafted = { ...now, target: zero };
    this.decided = now;
    this.hasDraft = now.draft !== null;
    this.children = Object.values(decision.row_of);
    this.bars = new CoinBars(decision, { width, height: height - HEAD }, kit);
    // the draft does not know what the target will choose
    this.bars.list(isDraft ? this.children : [decision.chosen, ...this.children], isDraft ? [decision.q] : [decision.p, decision.q]);
    this.bars.write(now);
    this.element = make("div", "ersd-coins");
    this.element.append(make("p", "head", this.heading()), this.bars.element);
  }

  heading() {
    if (this.side === "draft") return "draft q at the root · lit: the children";
    return this.hasDraft ? "target p over draft q" : "target p";
  }

  /** @param {number} fraction */
  seek(fraction) {
    const from = this.side === "both" && this.hasDraft ? DRAFT : 0;
    const target = this.side === "draft" ? 0 : Math.min(1, Math.max(0, (fraction - from) / (TARGET - from)));
    const isLit = this.side !== "draft" && fraction >= TARGET;
    this.bars.seek(this.drafted, this.decided, target);
    this.bars.appear(this.side === "target" ? 1 : Math.min(1, fraction / DRAFT), target);
    this.bars.reveal(() => isLit);
    if (this.side === "draft") this.bars.point(...(fraction < DRAFT ? [] : this.children));
    else this.bars.point(isLit ? this.bars.decision.chosen : undefined);
  }
}
