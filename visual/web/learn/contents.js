// The contents: the lessons, which one is open and which are done.

/** @import * as T from "../types" */
import { find, make, refill } from "../base/dom.js";

/**
 * @param {HTMLElement} root of the tab
 * @param {T.Learn.Learning} data
 * @param {{ done: Set<number>, index: number }} of which lesson is open; -1: a page
 */
export function drawContents(root, { lessons, labels }, { done, index }) {
  find(root, ".learn-done").textContent = labels.done.replace("{n}", String(done.size));
  find(root, ".learn-progress i").style.width = `${(100 * done.size) / lessons.length}%`;
  refill(
    find(root, ".learn-toc"),
    ...lessons.map(({ short }, at) => {
      const item = make("li");
      const button = make("button", done.has(at) ? "done" : "");
      button.type = "button";
      button.dataset.lessonAt = String(at);
      if (at === index) button.setAttribute("aria-current", "true");
      button.append(make("i", "", done.has(at) ? "✓" : String(at + 1)), short);
      item.append(button);
      return item;
    }),
  );
}
