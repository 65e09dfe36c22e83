// The glossary: explains a symbol or term on hover, focus and tap. The table comes with the kit; terms.js lists all of it.

/** @import * as T from "../types" */
import { around } from "../base/dom.js";
import { TOKEN } from "../base/format.js";
import { draw, plain, tokenBox } from "../base/templates.js";
import { html, render } from "../lit-html.js";
import { offerTerms, paperOf } from "./terms.js";

const GAP = 6; // pixels between a term and its explanation
const EDGE = 8; // pixels that stay free at the edges of the window
const POINT = /^[.,;:)]+/;

export class Glossary {
  /** @param {HTMLElement} root the player. @param {T.Term[]} terms @param {AbortSignal} ended */
  constructor(root, terms, ended) {
    this.root = root;
    this.terms = terms;
    this.known = new Map(terms.flatMap((term) => term.signs.map((sign) => [sign, term])));
    const signs = [...this.known.keys()].sort((one, other) => other.length - one.length).map(literal);
    // a sign is a word of its own; what stands in quotation marks is a token
    this.pattern = new RegExp(`(?:${TOKEN})|(?<![\\p{L}\\p{N}_])(${signs.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
    this.tip = root.appendChild(document.createElement("div"));
    Object.assign(this.tip, { className: "ersd-tip", id: `${root.dataset.player}-tip`, role: "tooltip", hidden: true });
    this.listen(ended);
    offerTerms();
  }

  /** @param {AbortSignal} ended */
  listen(ended) {
    const { root, tip } = this;
    for (const event of ["pointerover", "focusin", "click"]) {
      root.addEventListener(event, (happened) => {
        const term = around(happened, "[data-term]");
        if (term) this.explain(term);
        else if (event !== "focusin" && !around(happened, ".ersd-tip")) this.hide();
      });
    }
    root.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && tip.contains(event.relatedTarget))) this.hide();
    });
    root.addEventListener("pointerleave", () => this.hide());
    document.addEventListener("scroll", () => this.hide(), { capture: true, signal: ended });
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" || event.key === "?") this.hide();
    };
    document.addEventListener("keydown", onKey, { signal: ended });
  }

  /** Writes a sentence. @param {HTMLElement} element @param {string} words */
  write(element, words) {
    draw(element, this.marked(words));
  }

  /** A sentence with its tokens in boxes and its terms marked, each term once. @param {string} words */
  marked(words) {
    const parts = [];
    const met = new Set();
    let from = 0;
    for (const found of words.matchAll(this.pattern)) {
      const [whole, sign] = found;
      const term = this.known.get(sign);
      if (sign !== undefined && (!term || met.has(term))) continue;
      met.add(term);
      const end = found.index + whole.length;
      const [point] = (term && POINT.exec(words.slice(end))) ?? [""];
      parts.push(plain(words.slice(from, found.index)), term ? this.button(term, sign, point) : tokenBox(whole));
      from = end + point.length;
    }
    return [...parts, plain(words.slice(from))];
  }

  /** @param {T.Term} term @param {string} words @param {string} point punctuation after it, which could otherwise begin a line */
  button({ id }, words, point) {
    const button = html`<button
      type="button"
      class="ersd-term"
      data-term=${id}
      aria-describedby=${this.tip.id}
      .textContent=${words}
    ></button>`;
    return point ? html`<span class="ersd-together">${button}${plain(point)}</span>` : button;
  }

  /** @param {HTMLElement} element the term as it stands on the page. */
  explain(element) {
    const term = this.terms.find(({ id }) => id === element.dataset.term);
    if (!term) return;
    render(html`<b .textContent=${term.name}></b> ${plain(term.sentence)} ${paperOf(term)}`, this.tip);
    this.tip.hidden = false;
    // below the term, or above it where there is no room: never over it
    const { left, top, bottom } = element.getBoundingClientRect();
    const { width, height } = this.tip.getBoundingClientRect();
    const isBelow = bottom + GAP + height < window.innerHeight - EDGE;
    this.tip.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - EDGE - width))}px`;
    this.tip.style.top = `${isBelow ? bottom + GAP : top - GAP - height}px`;
  }

  hide() {
    this.tip.hidden = true;
  }
}

/** @param {string} sign */
const literal = (sign) => sign.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
