// The card Other trees: cuts the text of a finished ERSD run into the steps of any static tree, without running the models.

/** @import * as T from "../types" */
import { anyCall, formatFactor, placeButtons, speedupAt } from "../figures/cost_ratio.js";
import { find } from "../base/dom.js";
import { decimal } from "../base/numbers.js";
import { draw, drawIn } from "../base/templates.js";
import { html, render } from "../lit-html.js";
import { cut, sizeOf } from "./static_trees.js";

const MARKS = ["calls", "tokens", "k", "topology", "speedup"]; // what the card carries as data-…

export class WhatIf {
  /** @param {HTMLElement} card @param {T.Kit["what_if"]} kit */
  constructor(card, kit) {
    this.card = card;
    this.kit = kit;
    this.why = find(card, ".ersd-why-not");
    this.tree = /** @type {HTMLSelectElement} */ (find(card, "select.ersd-topology"));
    this.k = /** @type {HTMLInputElement} */ (find(card, "input.ersd-k"));
    this.cost = /** @type {HTMLInputElement} */ (find(card, "input.ersd-cost"));
    this.presets = find(card, ".ersd-presets");
    this.text = find(card, ".ersd-cut-text");
    const trees = kit.trees.map(({ id, label }) => html`<option value=${id} .textContent=${label}></option>`);
    const others = kit.others.map(
      ({ label, why }) => html`<option disabled title=${why} .textContent=${`${label}: not available`}></option>`,
    );
    render([trees, others], this.tree);
    this.tree.title = kit.others.map(({ label, why }) => `${label} is not available: ${why}.`).join(" ");
    /** @type {T.PlaceCosts & Partial<T.Elsewhere>} */
    this.costs = anyCall(Number(this.cost.value));
    this.label = ""; // of the place chosen by hand
    this.isChosen = false; // a cost was chosen by hand; until then they are those of the machine of the run
    /** @type {T.BeginMessage | undefined} */
    this.run = undefined;
    /** @type {T.RankSequence | undefined} */
    this.ranks = undefined;
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.isWaiting = false; // for the end of the run, which brings the ranks
    this.k.addEventListener("input", () => this.show());
    this.tree.addEventListener("change", () => this.show());
    this.cost.addEventListener("input", () => this.chooseCost(anyCall(Number(this.cost.value))));
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin(message, steps) {
    this.run = message;
    this.ranks = undefined;
    this.steps = steps;
    this.isWaiting = !message.what_if;
    const { settings, elsewhere, what_if: refusal } = message;
    const most = settings.draft_tokens > this.kit.few ? this.kit.most : this.kit.few;
    this.k.max = String(most);
    this.k.value = String(settings.draft_tokens);
    if (this.kit.trees.some(({ id }) => id === settings.topology)) this.tree.value = settings.topology;
    const known = elsewhere.find(({ label }) => label === this.label);
    this.setCost(known ?? (this.isChosen ? this.costs : elsewhere[0]));
    this.say(refusal || this.kit.words.waiting);
  }

  /** @param {T.EndMessage} [message] without one the run was stopped, or failed */
  finish(message) {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    if (!message) {
      this.say(this.kit.words.cut_short);
      return;
    }
    const { ranks } = message;
    this.ranks = ranks;
    if (!ranks) {
      this.say(this.kit.words.recorded);
      return;
    }
    this.say("");
    this.show();
  }

  /** @param {string} why there is nothing to show; empty where there is. */
  say(why) {
    this.why.textContent = why;
    this.card.dataset.offered = String(!why);
    if (why) this.mark({});
  }

  drawPresets() {
    const isChosen = (/** @type {T.Elsewhere} */ { label }) => label === this.costs.label;
    const buttons = placeButtons(this.run?.elsewhere ?? [], isChosen, (place) => this.chooseCost(place));
    draw(this.presets, buttons);
  }

  /** @param {T.PlaceCosts & Partial<T.Elsewhere>} costs */
  chooseCost(costs) {
    this.isChosen = true;
    this.label = costs.label ?? "";
    this.setCost(costs);
    this.show();
  }

  /** @param {T.PlaceCosts & Partial<T.Elsewhere>} costs of a place, or of the slider. */
  setCost(costs) {
    this.costs = costs;
    const ratio = String(costs.ratio ?? costs.calls[0][1]);
    this.cost.value = ratio;
    this.drawPresets();
    drawIn(this.card, { "[data-shows=ratio]": ratio });
  }

  show() {
    if (!this.run || !this.ranks) return;
    const { branching, sequences } = this.run.settings;
    const choice = { topology: this.tree.value, draft_tokens: Number(this.k.value), branching, sequences };
    const steps = cut(this.ranks, choice);
    const [calls, tokens] = [steps.length, this.ranks.ranks.length];
    const { perCall, factor: speedup, formula } = outcomeOf(steps, this.costs);
    this.drawChoice(choice);
    drawIn(this.card, {
      "[data-shows=calls]": String(calls),
      "[data-shows=now]": `(this run: ${this.steps.length})`,
      "[data-shows=tokens]": String(tokens),
      "[data-shows=per-call]": perCall,
      "[data-shows=speedup]": `${formatFactor(speedup)}×`,
      "[data-shows=formula]": formula,
    });
    this.mark({ calls, tokens, speedup, k: sizeOf(choice), topology: choice.topology });
    this.drawText(steps);
  }

  /** @param {T.TreeChoice} choice */
  drawChoice(choice) {
    const [size, isByBranching] = [sizeOf(choice), choice.topology === "specinfer"];
    this.k.disabled = isByBranching;
    this.k.setAttribute("aria-valuetext", `${size} drafted tokens`);
    let words = String(size);
    if (isByBranching) words += `, by ${choice.branching.join("·")}`;
    else if (size !== choice.draft_tokens) words = `${choice.draft_tokens}, ${size} of them used`;
    drawIn(this.card, { "[data-shows=k]": words });
  }

  /** @param {Record<string, string | number>} data of the card; without a value it has none. */
  mark(data) {
    for (const name of MARKS) {
      if (name in data) this.card.dataset[name] = String(data[name]);
      else delete this.card.dataset[name];
    }
  }

  /** @param {T.Cut[]} steps */
  drawText(steps) {
    const texts = this.steps.flatMap(({ text }) => text);
    let end = 0;
    const bars = steps.map((step, index) => stepOf(texts.slice(end, (end += step.tokens)), step, index));
    render(bars, this.text);
  }
}

/**
 * What is expected of a text that is cut into these steps: tokens per call, speed-up, and the formula of the printed figures.
 * @param {T.Cut[]} steps
 * @param {T.PlaceCosts} costs
 */
export function outcomeOf(steps, costs) {
  const [perCall, levels] = [decimal(meanOf(steps, "tokens"), 2), decimal(meanOf(steps, "levels"), 2)];
  return { perCall, ...speedupAt(costs, Number(perCall), Number(levels), meanOf(steps, "scored")) };
}

/** @param {T.Cut[]} steps @param {"tokens" | "levels" | "scored"} what */
const meanOf = (steps, what) => steps.reduce((sum, step) => sum + step[what], 0) / steps.length;

/** The tokens of one step with its bar under them. @param {T.TextToken[]} texts @param {T.Cut} step @param {number} index */
function stepOf(texts, { tokens, accepted }, index) {
  const help = `step ${index + 1}: ${accepted} accepted${tokens > accepted ? ", 1 from the target" : ""}`;
  const isApart = index && /^\s/.test(texts[0]?.text ?? ""); // a gap where the text has one: none between a word and its punctuation
  const spans = texts.map(({ text }, place) => html`<span class=${place < accepted ? "accepted" : "target"} .textContent=${text}></span>`);
  return html`<span class="ersd-cut-step ${isApart ? "apart" : ""}" title=${help}>${spans}</span>`;
}
