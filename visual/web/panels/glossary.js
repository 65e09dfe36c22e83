// The glossary: explains a symbol or term on hover, focus and tap. The table comes with the kit; terms.js lists all of it.

/** @import * as T from "../types" */
import { around, make, refill } from "../base/dom.js";
import { TOKEN } from "../base/format.js";
import { offerTerms, paperOf } from "./terms.js";
import { tokenBox } from "./token_boxes.js";

const GAP = 6; // pixels between a term and its explanation
const EDGE = 8; // pixels that stay free at the edges of the window
const POINT = /^[.,;:)]+/;

/** Marks terms in texts, and explains them. */
export class Glossary {
  /**
   * @param {HTMLElement} root the player.
   * @param {T.Term[]} terms
   * @param {AbortSignal} ended
   */
  constructor(root, terms, ended) {
    this.root = root;
    this.terms = terms;
    this.known = new Map(terms.flatMap((term) => term.signs.map((sign) => [sign, term])));
    const signs = [...this.known.keys()].sort((one, other) => other.length - one.length).map(literal);
    // a sign is a word of its own; what stands in quotation marks is a token
    this.pattern = new RegExp(`(?:${TOKEN})|(?<![\\p{L}\\p{N}_])(${signs.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
    this.tip = make("div", "ersd-tip");
    this.tip.id = `${root.dataset.player}-tip`;
    this.tip.setAttribute("role", "tooltip");
    this.tip.hidden = true;
    /** @type {WeakMap<HTMLElement, string>} */
    this.written = new WeakMap();
    root.append(this.tip);
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

  /** Writes words with their tokens in boxes and their terms marked; each term once. @param {HTMLElement} element @param {string} words */
  write(element, words) {
    if (this.written.get(element) === words) return; // a term that is pointed at stays
    this.written.set(element, words);
    /** @type {(string | HTMLElement)[]} */
    const parts = [];
    const met = new Set();
    let from = 0;
    for (const found of words.matchAll(this.pattern)) {
      if (found[1] === undefined) {
        parts.push(words.slice(from, found.index), tokenBox(found[0]));
        from = found.index + found[0].length;
        continue;
      }
      const term = this.known.get(found[1]);
      if (!term || met.has(term)) continue;
      met.add(term);
      const button = this.marked(term, found[1]);
      const end = found.index + found[1].length;
      const [point] = POINT.exec(words.slice(end)) ?? [""];
      parts.push(words.slice(from, found.index), point ? together(button, point) : button);
      from = end + point.length;
    }
    refill(element, ...parts, words.slice(from));
  }

  /** Marks the terms in what is written already. @param {Iterable<Element>} elements */
  mark(elements) {
    for (const element of elements)
      if (!element.firstElementChild) this.write(/** @type {HTMLElement} */ (element), element.textContent ?? "");
  }

  /** @param {T.Term} term @param {string} words */
  marked({ id }, words) {
    const button = make("button", "ersd-term", words);
    button.type = "button";
    button.dataset.term = id;
    button.setAttribute("aria-describedby", this.tip.id);
    return button;
  }

  /** @param {HTMLElement} element the term as it stands on the page. */
  explain(element) {
    const term = this.terms.find(({ id }) => id === element.dataset.term);
    if (!term) return;
    this.tip.replaceChildren(make("b", "", term.name), ` ${term.sentence} `, ...paperOf(term));
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

/** A term with the punctuation after it, which could otherwise begin a line. @param {HTMLElement} term @param {string} point */
function together(term, point) {
  const both = make("span", "ersd-together");
  both.append(term, point);
  return both;
}

/** @param {string} sign */
const literal = (sign) => sign.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
