// Where the time goes: the steps around the one in view as two lanes, draft and target, beside the same tokens without a draft; and what each
// guess saves and costs.

/** @import * as T from "../types" */
import { formatFactor } from "../figures/cost_ratio.js";
import { count, fill } from "../base/format.js";
import { find } from "../base/dom.js";
import { decimal } from "../base/numbers.js";
import { html, nothing, render } from "../lit-html.js";
import { guessTable } from "./guesses.js";
import { ladder } from "./ladder.js";
import { layoutOf } from "./layout.js";
import { lanes } from "./picture.js";

/** The section of a player. What is folded away is not drawn. */
export class Lanes {
  /** @param {HTMLElement} details @param {T.Kit} kit */
  constructor(details, kit) {
    this.details = /** @type {HTMLDetailsElement} */ (details);
    this.box = find(details, ".ersd-lanes-box");
    this.kit = kit;
    this.words = kit.lanes;
    this.isSameText = false;
    /** @type {T.Ladder | null} */
    this.ladder = null;
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.index = 0;
    /** @type {T.Guesses | undefined} */
    this.guesses = undefined;
    /** @type {T.Predrafting | null} */
    this.predrafting = null;
    this.isOver = false;
    details.addEventListener("toggle", () => this.show());
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin({ exact, ladder: rungs }, steps) {
    this.ladder = rungs;
    this.isSameText = exact.kind === "same-text";
    this.steps = steps;
    this.index = 0;
    this.guesses = undefined;
    this.predrafting = null;
    this.isOver = false;
    if (!this.details.open) render(nothing, this.box); // nothing of another run is seen when it opens
  }

  /** @param {T.EndMessage | undefined} message of a run that came to its end */
  finish(message) {
    this.guesses = message?.guesses;
    this.predrafting = message?.predrafting ?? null;
    this.isOver = true;
  }

  /** @param {T.PanelView} view */
  draw({ index }) {
    this.index = index;
    this.show();
  }

  show() {
    const newest = this.steps.at(-1);
    if (!this.details.open || !newest) return;
    const { words } = this;
    const hasDraft = newest.speedup.basis !== null;
    const alone = hasDraft ? newest.speedup.alone : null;
    const layout = layoutOf(this.steps, this.index, alone, this.predrafting);
    this.details.dataset.steps = layout.slots.map(({ step }) => step.index + 1).join(" ");
    const wholeAhead = this.predrafting?.whole ?? "";
    const run = { hasDraft, isSameText: this.isSameText, alone, whole: this.whole(newest.speedup), wholeAhead };
    const parts = html`<p class="ersd-lanes-headline" .textContent=${this.headline(newest, hasDraft)}></p>
      ${this.ladder ? ladder(this.ladder, this.steps, this.index) : nothing}
      ${layout.slots.length ? html`${lanes(layout, run, words)}${this.legend(hasDraft)}${this.sums(layout, alone)}` : nothing}
      ${this.predrafting ? this.ahead(this.predrafting) : nothing} ${hasDraft ? this.pays() : nothing}`;
    render(parts, this.box);
  }

  /** Why the run is faster or slower than without a draft. @param {T.StepMessage} newest @param {boolean} hasDraft */
  headline({ speedup }, hasDraft) {
    const { words } = this;
    if (!hasDraft) return words.no_draft;
    if (speedup.why) return `${speedup.why}.`;
    return this.steps.length < 2 ? words.waiting : words.no_times;
  }

  /** The speed of all steps, to stand beside that of a few. @param {T.Speedup} speedup */
  whole({ factor, over }) {
    if (factor === null) return "";
    return `${fill(this.isOver ? this.words.whole : this.words.so_far, { factor: formatFactor(factor) })}, ${over}`;
  }

  /** @param {boolean} hasDraft */
  legend(hasDraft) {
    const hasAhead = this.predrafting !== null;
    const isShown = { call: hasDraft, ahead: hasAhead, verify: true, accept: true, waits: hasDraft, gained: true, outcome: hasAhead };
    const keys = Object.entries(isShown).flatMap(([key, shown]) => (shown ? [key] : []));
    return html`<p class="ersd-legend ersd-lanes-legend">
      ${keys.map((key) => html`<span class=${`ersd-key ${key}`} .textContent=${this.words[`key_${key}`]}></span>`)}
    </p>`;
  }

  /** The sums that the ends stand for, of the printed times of the steps. @param {import("./layout.js").Layout} layout @param {number | null} alone */
  sums({ slots, sums, tokens, plain, factor, ahead }, alone) {
    const { words } = this;
    const [first, last] = [slots[0], slots[slots.length - 1]].map(({ step }) => step.index + 1);
    const parts = {
      draft: decimal(sums.draft, 1),
      verify: decimal(sums.verify, 1),
      accept: decimal(sums.accept, 1),
      sum: decimal(sums.all, 1),
    };
    const sum = fill(sums.draft ? words.sum : words.sum_without, parts);
    const calls = slots.reduce((all, { step }) => all + step.draft_calls, 0);
    const perCall = sums.draft && calls ? { draft: parts.draft, calls, ms: decimal(sums.draft / calls, 2) } : null;
    const each = perCall ? `; ${fill(words.per_call, perCall)}` : "";
    const sentences = [`${fill(first === last ? words.step : words.steps, { first, last })}: ${sum}${each}.`];
    if (plain !== null && factor !== null) {
      const values = { tokens: count(tokens, "token"), alone: alone ?? 0, sum: decimal(plain, 1) };
      sentences.push(`${words.without}: ${fill(words.plain_sum, values)}; ${values.sum} ÷ ${parts.sum} = ${formatFactor(factor)}.`);
    }
    if (ahead) {
      const values = { ...parts, wait: decimal(ahead.wait, 1), sum: decimal(ahead.all, 1) };
      sentences.push(`${words.ahead_while}: ${fill(words.ahead_sum, values)}.`);
    }
    if (!this.index) sentences.push(words.first);
    return html`<p class="ersd-lanes-note" .textContent=${sentences.join(" ")}></p>`;
  }

  /** Drafting while the target verifies, the whole run. @param {T.Predrafting} predrafting */
  ahead({ headline, sentences, note }) {
    return html`<section class="ersd-guesses">
      <h3 .textContent=${this.words.ahead_while}></h3>
      <p class="ersd-guesses-headline" .textContent=${headline}></p>
      ${sentences.map((sentence) => html`<p .textContent=${sentence}></p>`)}
      <p class="ersd-lanes-note" .textContent=${note}></p>
    </section>`;
  }

  pays() {
    const { guesses, words, kit } = this;
    if (guesses) return guessTable(guesses, words, kit.numbers);
    const why = this.isOver ? words.pays_stopped : words.pays_waiting;
    return html`<section class="ersd-guesses">
      <h3 .textContent=${words.pays}></h3>
      <p .textContent=${why}></p>
    </section>`;
  }
}
