// A decision without clocks or coins in motion: the draft's side comes, then the target's, then what was chosen lights up.

/** @import { Kit } from "./kit_types.js" */
/** @import { StepMessage } from "./types.js" */
import { CoinBars } from "./coin_bars.js";
import { make } from "./dom.js";
import { sidesOf } from "./sides.js";

const HEAD = 18;
const DRAFT = 0.3; // shares of the whole: when each side has come
const TARGET = 0.6;

/** Draws a choice at any moment. */
export class ChoiceScene {
  /**
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ side: "draft" | "target" | "both", width: number, height: number }} room
   * @param {Kit} kit
   */
  constructor(step, vertex, { side, height }, kit) {
    const decision = step.decisions[vertex];
    this.side = side;
    this.held = side === "draft" ? 1 : 0.92;
    this.seconds = side === "both" ? 2.2 : 1.4;
    this.tries = 0;
    this.words = decision.say;
    const now = sidesOf(decision, kit.kinds[decision.kind], null);
    const zero = decision.p.map(() => 0);
    this.drafted = { ...now, target: zero };
    this.decided = now;
    this.hasDraft = now.draft !== null;
    this.bars = new CoinBars(decision, height - HEAD, kit);
    this.bars.list([decision.chosen, ...Object.values(decision.row_of)]);
    this.bars.write(now);
    this.element = make("div", "ersd-coins");
    this.element.append(make("p", "head", this.hasDraft ? "target p over draft q" : "target p"), this.bars.element);
  }

  /** @param {number} fraction */
  seek(fraction) {
    const from = this.side === "both" && this.hasDraft ? DRAFT : 0;
    const target = this.side === "draft" ? 0 : Math.min(1, Math.max(0, (fraction - from) / (TARGET - from)));
    const isLit = this.side !== "draft" && fraction >= TARGET;
    this.bars.seek(this.drafted, this.decided, target);
    this.bars.appear(this.side === "target" ? 1 : Math.min(1, fraction / DRAFT), target);
    this.bars.reveal(() => isLit);
    this.bars.point(isLit ? this.bars.decision.chosen : undefined);
  }
}
