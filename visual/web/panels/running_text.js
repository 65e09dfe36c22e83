// The text of a run at the step in view: accepted tokens, the target's own tokens, and what is still to come.
// Whatever a model or a user wrote is set as text, never as HTML.

/** @import * as T from "../types" */
import { around } from "../base/dom.js";
import { count } from "../base/format.js";
import { classes, plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";

/** @type {Record<string, string>} */
const GAPS = { "\n": "ersd-break", " ": "ersd-gap" };

export class RunningText {
  /**
   * @param {HTMLElement} card its `data-more` says where there is more text to scroll to.
   * @param {HTMLElement} box in the card; it scrolls.
   * @param {HTMLElement | null} fed where the prompt as the models read it stands; null: nowhere.
   * @param {(index: number) => void} onStep gets the step whose token was clicked.
   */
  constructor(card, box, fed, onStep) {
    this.fed = fed;
    this.card = card;
    this.box = box;
    this.prompt = "";
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.last = -1; // the last step that is seen
    box.addEventListener("scroll", () => this.mark(), { passive: true });
    box.addEventListener("click", (event) => {
      const span = around(event, "[data-at]");
      if (span) onStep(Number(span.dataset.at));
    });
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin({ prompt, fed }, steps) {
    this.steps = steps;
    this.prompt = prompt;
    this.draw({ index: -1, isFinished: false, redrawn: null });
    if (this.fed) render(fed ? fedPrompt(fed) : nothing, this.fed);
  }

  /** @param {Pick<T.PanelView, "index" | "isFinished" | "redrawn"> & { step?: T.StepMessage }} view */
  draw({ index, isFinished, redrawn, step: inView }) {
    this.last = isFinished ? index : index - 1;
    const before = this.steps.slice(0, Math.max(0, index)).flatMap(({ text }) => text);
    const length = before.reduce((all, { text }) => all + text.length, this.prompt.length);
    const lit = litBy(inView?.copied, length);
    let end = this.prompt.length;
    const steps = this.steps.map(({ text: tokens }, step) => {
      const isReplaced = redrawn !== null && step === index;
      const state = [isFinished && step === index && "here", step > this.last && "later", isReplaced && "replaced"];
      const recorded = tokens.map((token) => tokenSpan(token, step, [...state, lit.at(end, (end += token.text.length))]));
      return isReplaced ? [wouldBe(redrawn, step), recorded] : recorded;
    });
    render([html`<span class="ersd-prompt">${promptParts(this.prompt, lit)}</span>`, steps], this.box);
  }

  /** Marks that there is more text above or below. */
  mark() {
    const { scrollTop, scrollHeight, clientHeight } = this.box;
    const more = [scrollTop > 1 ? "above" : "", scrollTop + clientHeight < scrollHeight - 1 ? "below" : ""].join(" ").trim();
    if (this.card.dataset.more !== more) this.card.dataset.more = more;
  }

  /** Scrolls the box, not the page, to the step in view. */
  scroll() {
    this.bringIntoSight();
    this.mark();
  }

  /** The step's line becomes the last one, and no line is cut in half. */
  bringIntoSight() {
    const { box } = this;
    const seen = [...box.querySelectorAll(`.ersd-prompt, [data-at="${this.last}"]:not(.replaced), .redrawn`)].at(-1);
    const end = [...(seen?.getClientRects() ?? [])].at(-1);
    if (!end) return;
    const line = parseFloat(getComputedStyle(box).lineHeight);
    const row = Math.floor(((end.top + end.bottom) / 2 - box.getBoundingClientRect().top + box.scrollTop) / line);
    box.scrollTop = Math.max(0, (row + 1) * line - box.clientHeight);
  }
}

/**
 * What of the text is lit: guesses that were copied from there, and the words before them, which are those at its end.
 * @param {T.Copied | undefined} copied
 * @param {number} length of the text before the step in view.
 */
function litBy(copied, length) {
  /** @type {[number, number, string][]} */
  const spans = copied
    ? [
        [copied.start - copied.matched, copied.start, "matched"],
        [copied.start, copied.end, "copied"],
        [length - copied.matched, length, "matched"],
      ]
    : [];
  const at = (/** @type {number} */ start, /** @type {number} */ end) => spans.find(([from, to]) => start < to && from < end)?.[2] ?? false;
  return { at, edges: spans.flatMap(([from, to]) => [from, to]) };
}

/** The prompt, cut where something in it is lit. @param {string} prompt @param {ReturnType<typeof litBy>} lit */
function promptParts(prompt, { at, edges }) {
  const inside = edges.filter((edge) => edge > 0 && edge < prompt.length);
  const cuts = [...new Set([0, ...inside, prompt.length])].sort((one, other) => one - other);
  return cuts.slice(1).map((end, place) => {
    const look = at(cuts[place], end);
    const part = withLineBreaks(prompt.slice(cuts[place], end));
    return look ? html`<span class=${look}>${part}</span>` : part;
  });
}

/** The prompt as the models read it. @param {NonNullable<T.BeginMessage["fed"]>} fed */
const fedPrompt = ({ text, tokens }) =>
  html`<details class="ersd-fed" title="the prompt as the models read it, its special tokens written out">
    <summary .textContent=${`The prompt as fed: ${count(tokens, "token")}`}></summary>
    <code dir="auto" translate="no" .textContent=${text}></code>
  </details>`;

/** What a step would have written. @param {T.Redrawn} redrawn @param {number} step */
const wouldBe = ({ step: { text }, why }, step) => [
  text.map((token) => tokenSpan(token, step, ["redrawn"])),
  why ? html`<span class="ersd-token unknown redrawn" title=${why}>?</span>` : nothing,
];

/** @param {T.TextToken} token @param {number} step @param {(string | false)[]} state */
function tokenSpan({ text, source, near_tie: nearTie, hover }, step, state) {
  const names = classes("ersd-token", source, nearTie && "near-tie", ...state);
  return html`<span class=${names} title=${hover} data-at=${step}>${withLineBreaks(text)}</span>`;
}

/**
 * A text with its line breaks in elements for which the style sheet draws ↵. The space before a word stands in one of its own, or a word that
 * begins a line would leave its colour at the end of the line above.
 * @param {string} text
 */
export function withLineBreaks(text) {
  const parts = text.split(/(\n|^ (?=\S))/);
  return parts.map((part) => (part in GAPS ? html`<i class=${GAPS[part]} .textContent=${part}></i>` : plain(part)));
}
