// Times of a step's calls as bars on one scale of milliseconds: all draft calls, and the target's one.

/** @import { Scene } from "./story.js" */
/** @import { StepMessage } from "../base/types.js" */
import { make } from "../base/dom.js";

/** Draws the bars. */
export class CallBars {
  /** @param {HTMLElement} box empty. */
  constructor(box) {
    this.draft = make("i", "draft");
    this.target = make("i", "target");
    this.draftWords = make("b", "draft");
    this.targetWords = make("b", "target");
    const bars = make("div", "ersd-call-bars");
    bars.append(this.draft, this.target);
    const words = make("p");
    words.append(this.draftWords, this.targetWords);
    box.append(bars, words);
  }

  /**
   * @param {StepMessage} step
   * @param {Scene} scene
   */
  draw({ draft_calls: calls, stats: { times } }, { phase, calls: begun }) {
    if (phase !== "draft" && phase !== "score") return;
    const all = times.draft + times.target || 1;
    const isCalled = phase === "score";
    this.draft.style.width = `${(100 * times.draft) / all}%`;
    this.draft.style.setProperty("--done", String(calls ? begun / calls : 1));
    this.target.style.width = `${(100 * times.target) / all}%`;
    this.target.style.setProperty("--done", isCalled ? "1" : "0");
    this.draftWords.textContent = calls ? `draft: ${calls} call${calls === 1 ? "" : "s"}, ${times.draft.toFixed(1)} ms` : "";
    this.targetWords.textContent = isCalled ? `target: 1 call, ${times.target.toFixed(1)} ms` : "";
  }
}
