// The contents: the lessons, which one is open and which are done. Those whose question was answered are, and this browser remembers them.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { fill } from "../base/format.js";
import { store, stored } from "../base/kept.js";
import { draw, drawIn } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";

const DONE = "ersd-lessons-done";

/** @param {HTMLElement} root of the tab @param {T.Learn.Learning} data @param {Set<number>} done @param {number} open the lesson; -1: a page */
export function drawContents(root, { lessons, labels }, done, open) {
  drawIn(root, { ".learn-done": fill(labels.done, { n: done.size }) });
  find(root, ".learn-progress i").style.width = `${(100 * done.size) / lessons.length}%`;
  const items = lessons.map(({ short }, at) => {
    const isDone = done.has(at);
    const current = at === open ? "true" : nothing;
    return html`<li>
      <button type="button" class=${isDone ? "done" : ""} data-lesson-at=${at} aria-current=${current}>
        <i .textContent=${isDone ? "✓" : String(at + 1)}></i><span .textContent=${short}></span>
      </button>
    </li>`;
  });
  draw(find(root, ".learn-toc"), items);
}

/** @returns {number[]} */
export function remembered() {
  try {
    const found = JSON.parse(stored(DONE) ?? "[]");
    return Array.isArray(found) ? found.filter(Number.isInteger) : [];
  } catch {
    return []; // something else wrote there
  }
}

/** @param {number[]} done */
export const remember = (done) => store(DONE, JSON.stringify(done));
