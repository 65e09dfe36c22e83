// What several parts of the page draw with lit-html: text of models and users, sentences with their tokens, and controls that keep the focus.
// Words that may change are bound as `.textContent`: a browser's translator replaces the text nodes that lit-html would go on writing to.

import { find } from "./dom.js";
import { bare, TOKEN } from "./format.js";
import { html, nothing, render } from "../lit-html.js";

/** A class attribute. @param {(string | false | undefined)[]} names */
export const classes = (...names) => names.filter(Boolean).join(" ") || nothing;

/** Words of the page beside other elements. @param {string} words */
export const plain = (words) => words && html`<span .textContent=${words}></span>`;

/** Text that a model or a user wrote: of any direction, and not for a browser's translator. @param {string} text @param {string} [className] */
export const foreign = (text, className) => html`<bdi class=${className ?? nothing} translate="no" .textContent=${text}></bdi>`;

/** A token in a box, without its quotation marks. @param {string} quoted */
export const tokenBox = (quoted) => foreign(bare(quoted), "ersd-tok");

/** A sentence with its tokens in boxes. @param {string} words */
export const boxed = (words) => withTokens(words, tokenBox);

/** A sentence with its tokens as they are written, in their quotation marks. @param {string} words */
export const unboxed = (words) => withTokens(words, (quoted) => foreign(quoted));

/** @param {string} words @param {(quoted: string) => unknown} templateOf */
function withTokens(words, templateOf) {
  const parts = words.split(new RegExp(`(${TOKEN})`, "u"));
  return parts.map((part, place) => (place % 2 ? templateOf(part) : plain(part)));
}

const CONTROLS = "a[href], button, input, select, textarea, [tabindex]";

/**
 * As `render`. If a control in the container had the focus, the one that is now in its place gets it: of controls that share one tab stop the
 * one that is the stop.
 * @param {HTMLElement} container
 * @param {unknown} template
 */
export function draw(container, template) {
  const controls = () => /** @type {HTMLElement[]} */ ([...container.querySelectorAll(CONTROLS)]);
  const place = container.contains(document.activeElement) ? controls().findIndex((control) => control === document.activeElement) : -1;
  render(template, container);
  if (place < 0) return;
  const now = controls();
  const next = now.find((control) => control.getAttribute("tabindex") === "0") ?? now[Math.min(place, now.length - 1)];
  (next ?? /** @type {HTMLElement | null} */ (container.closest("[tabindex]")))?.focus({ preventScroll: true });
}

/**
 * Fills parts of an element, by selector: with a text, or with a template; each part always with the one or always with the other.
 * @param {Element} root
 * @param {Record<string, unknown>} parts
 */
export function drawIn(root, parts) {
  for (const [selector, content] of Object.entries(parts)) {
    const part = find(root, selector);
    if (typeof content === "string") part.textContent = content;
    else render(content, part);
  }
}

/** Fills a menu. @param {HTMLSelectElement} menu @param {Record<string, string>} labels by value @param {string} chosen */
export function drawMenu(menu, labels, chosen) {
  const entries = Object.entries(labels).map(([value, label]) => html`<option .value=${value} .textContent=${label}></option>`);
  render(entries, menu);
  menu.value = chosen;
}

/** Heads of columns. @param {string[]} texts */
export const headsOf = (texts) => texts.map((text) => html`<th scope="col" .textContent=${text}></th>`);

/** @param {unknown} heads @param {unknown} lines */
export const tableOf = (heads, lines) =>
  html`<table>
    <thead>
      <tr>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${lines}
    </tbody>
  </table>`;

/** Cells of a line. @param {string[]} texts */
export const cellsOf = (texts) => texts.map((text) => html`<td .textContent=${text}></td>`);
