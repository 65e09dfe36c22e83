// The one text that all runs of a comparison write, and one token of it, which is framed in all strips: who guessed it, and who did not.

/** @import * as T from "../types" */
import { around } from "../base/dom.js";
import { boxed, classes, draw } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";
import { withLineBreaks } from "../panels/running_text.js";

/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1 };
const LABEL = "Text; left and right go from token to token, framed in every strip";

export class OneText {
  /**
   * @param {HTMLElement} box empty
   * @param {HTMLElement} line says who guessed the token framed
   * @param {(words: string) => void} say announces it
   * @param {() => void} onFrame another token is framed
   */
  constructor(box, line, say, onFrame) {
    this.box = box;
    this.line = line;
    this.say = say;
    this.onFrame = onFrame;
    /** @type {T.Compare.OneTextBegin | null} */
    this.message = null;
    /** @type {string[]} */
    this.tokens = [];
    /** @type {T.Compare.Lane[]} */
    this.lanes = [];
    /** @type {number | null} */
    this.framed = null;
    for (const type of ["pointerover", "click"])
      box.addEventListener(type, (event) => {
        const token = around(event, "[data-token]");
        if (token) this.frame(Number(token.dataset.token));
      });
    box.addEventListener("keydown", (event) => {
      const by = KEYS[event.key];
      if (!by || event.shiftKey || !this.tokens.length || !around(event, ".ersd-shared")) return;
      event.preventDefault(); // elsewhere these keys go from call to call
      this.frame((this.framed ?? -1) + by);
      this.say(this.line.textContent ?? "");
    });
  }

  /** @param {T.Compare.CompareBegin} message */
  begin({ one_text: message }) {
    this.message = message;
    this.tokens = [];
    this.framed = null;
    this.draw();
  }

  /** @param {string[]} tokens the text so far @param {T.Compare.Lane[]} lanes */
  update(tokens, lanes) {
    this.tokens = tokens;
    this.lanes = lanes;
    this.draw();
  }

  /** All runs are over: a token is framed that only some sources have guessed, unless a reader has framed one. */
  finish() {
    const telling = this.tokens.findIndex((_, token) => token >= this.tokens.length / 3 && new Set(this.drafting(token)).size > 1);
    if (this.framed === null && this.message && telling >= 0) this.frame(telling);
  }

  /** Who guessed a token, of the runs that draft. @param {number} token */
  drafting(token) {
    return this.lanes.filter(({ drafts }) => drafts).map((lane) => authorOf(lane, token));
  }

  /** @param {number} token from 0 */
  frame(token) {
    if (!this.message) return;
    this.framed = Math.max(0, Math.min(this.tokens.length - 1, token));
    this.draw();
    this.onFrame();
  }

  draw() {
    const { message, tokens, framed } = this;
    draw(this.line, message && framed !== null ? boxed(this.words(framed)) : nothing);
    draw(this.box, message ? this.text(message, tokens) : nothing);
  }

  /** @param {T.Compare.OneTextBegin} message @param {string[]} tokens */
  text({ prompt, exact, method, why }, tokens) {
    const differing = new Set(this.lanes.map(({ text }) => text?.first));
    const spans = tokens.map((token, place) => {
      const look = classes("ersd-token", place === this.framed && "framed", differing.has(place) && "differs");
      return html`<span class=${look} data-token=${place}>${withLineBreaks(token)}</span>`;
    });
    return html`<p class="ersd-shared" tabindex="0" role="group" aria-label=${LABEL} dir="auto" translate="no">
        <span class="ersd-prompt" .textContent=${prompt}></span>${spans}
      </p>
      <p class="ersd-whoever">
        <b class="ersd-promise" data-exact=${exact.kind} .textContent=${exact.words}></b>
        <span .textContent=${why}></span> <small .textContent=${method}></small>
      </p>`;
  }

  /** Who guessed a token. @param {number} token */
  words(token) {
    const names = (/** @type {string} */ author) =>
      this.lanes.filter((lane) => lane.drafts && authorOf(lane, token) === author).map(({ name }) => name);
    const [guessed, added, other] = [names("draft"), names("target"), names("other")];
    const text = (this.tokens[token] ?? "").replaceAll("\n", "↵").trim();
    return [
      `Token ${token + 1}, “${text || "␣"}”:`,
      guessed.length ? `guessed by ${guessed.join(", ")}.` : "guessed by none.",
      added.length ? `Added by the target itself: ${added.join(", ")}.` : "",
      other.length ? `Another text there: ${other.join(", ")}.` : "",
    ].join(" ");
  }
}

/**
 * Who wrote a token of a run: its draft or its target; "other" in another text, "" where it has not been written yet.
 * @param {T.Compare.Lane} lane
 * @param {number} token
 */
function authorOf({ counts, own, text }, token) {
  if (text?.first !== null && text?.first !== undefined && token >= text.first) return "other";
  let end = 0;
  const call = counts.findIndex((tokens) => (end += tokens) > token);
  if (call < 0) return "";
  return token < end - own[call] ? "draft" : "target";
}
