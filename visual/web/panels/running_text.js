// The text of a run at the step in view: accepted tokens, the target's own tokens, and what is still to come.
// Whatever a model or a user wrote is set as text, never as HTML.

/** @import * as T from "../types" */
import { around, make } from "../base/dom.js";
import { count } from "../base/format.js";

/** A box of text that grows with the steps. */
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
    /** @type {HTMLElement[][]} */
    this.spans = []; // by step
    /** @type {HTMLElement | undefined} */
    this.shown = undefined; // the last token of the step in view
    /** @type {HTMLElement | undefined} */
    this.prompt = undefined;
    box.addEventListener("scroll", () => this.mark(), { passive: true });
    box.addEventListener("click", (event) => {
      const span = around(event, "[data-at]");
      if (span) onStep(Number(span.dataset.at));
    });
  }

  /** @param {string} prompt @param {T.BeginMessage["fed"]} fed */
  begin(prompt, fed) {
    this.spans = [];
    this.prompt = withLineBreaks(make("span", "ersd-prompt"), prompt);
    this.box.replaceChildren(this.prompt);
    this.fed?.replaceChildren(...(fed ? [fedPrompt(fed)] : []));
  }

  /** @param {T.StepMessage} step */
  add({ text }) {
    const spans = text.map((token) => tokenSpan(token, this.spans.length));
    this.spans.push(spans);
    this.box.append(...spans);
  }

  /**
   * @param {number} index the last step that is seen.
   * @param {boolean} isShown is it the step in view? Else that one still plays.
   */
  draw(index, isShown) {
    this.spans.forEach((spans, step) => {
      for (const span of spans) {
        span.classList.toggle("here", isShown && step === index);
        span.classList.toggle("later", step > index);
      }
    });
    this.shown = this.spans[index]?.at(-1) ?? this.prompt;
  }

  /** Puts what a step would have written in the place of what it wrote. @param {number} index @param {T.Redrawn | null} redrawn null: as it was */
  redraw(index, redrawn) {
    for (const span of this.box.querySelectorAll(".what-if")) span.remove();
    for (const spans of this.spans) for (const span of spans) span.classList.remove("replaced");
    if (!redrawn) return;
    const tokens = redrawn.step.text.map((token) => tokenSpan(token, index));
    if (redrawn.why) tokens.push(Object.assign(make("span", "ersd-token unknown", "?"), { title: redrawn.why }));
    for (const span of tokens) span.classList.add("what-if");
    for (const span of this.spans[index]) span.classList.add("replaced");
    this.spans[index][0].before(...tokens);
    this.shown = tokens.at(-1);
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
    const end = [...(this.shown?.getClientRects() ?? [])].at(-1);
    if (!end) return;
    const { box } = this;
    const line = parseFloat(getComputedStyle(box).lineHeight);
    const row = Math.floor(((end.top + end.bottom) / 2 - box.getBoundingClientRect().top + box.scrollTop) / line);
    box.scrollTop = Math.max(0, (row + 1) * line - box.clientHeight);
  }
}

/** The prompt as the models read it. @param {NonNullable<T.BeginMessage["fed"]>} fed */
function fedPrompt({ text, tokens }) {
  const whole = make("details", "ersd-fed");
  const code = Object.assign(make("code", "", text), { dir: "auto", translate: false });
  whole.append(make("summary", "", `The prompt as fed: ${count(tokens, "token")}`), code);
  whole.title = "the prompt as the models read it, its special tokens written out";
  return whole;
}

/** @param {T.TextToken} token @param {number} step */
function tokenSpan({ text, source, near_tie: nearTie, hover }, step) {
  const span = withLineBreaks(make("span", `ersd-token ${source}${nearTie ? " near-tie" : ""}`), text);
  span.title = hover;
  span.dataset.at = String(step);
  return span;
}

/**
 * Sets a text, its line breaks in elements for which the style sheet draws ↵. The space before a word stands in one of its own, or a word
 * that begins a line would leave its colour at the end of the line above.
 * @param {HTMLElement} element
 * @param {string} text
 */
function withLineBreaks(element, text) {
  const kinds = { "\n": "ersd-break", " ": "ersd-gap" };
  const parts = text.split(/(\n|^ (?=\S))/).filter(Boolean);
  element.append(...parts.map((part) => (part in kinds ? make("i", kinds[/** @type {keyof typeof kinds} */ (part)], part) : part)));
  return element;
}
