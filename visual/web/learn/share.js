// The way from a lesson to its figure by itself: a link, and a frame for other pages and slides.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";

const HEIGHT = 720; // pixels that every figure fits into where the frame is 800 wide

/** Shows both for the lesson in view. */
export class FigureLink {
  /** @param {HTMLElement} root of the tab @param {Record<string, string>} labels */
  constructor(root, labels) {
    this.labels = labels;
    this.link = /** @type {HTMLAnchorElement} */ (find(root, ".learn-share a"));
    this.frame = /** @type {HTMLInputElement} */ (find(root, ".learn-share input"));
    this.button = find(root, ".learn-share button");
    this.frame.setAttribute("aria-label", labels.figure_frame);
    this.frame.addEventListener("focus", () => this.frame.select());
    this.button.addEventListener("click", () => void this.copy());
  }

  /** @param {T.Learn.Lesson} lesson @param {string} language */
  show({ name, title }, language) {
    const address = new URL(document.baseURI);
    address.search = new URLSearchParams({ figure: name, ...(language && { language }) }).toString();
    address.hash = "";
    this.link.href = address.href;
    const titled = title.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const source = address.href.replaceAll("&", "&amp;");
    this.frame.value = `<iframe src="${source}" title="${titled}" style="width: 100%; height: ${HEIGHT}px; border: 0" loading="lazy"></iframe>`;
    this.button.textContent = this.labels.copy;
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.frame.value);
      this.button.textContent = this.labels.copied;
    } catch {
      this.frame.focus(); // browsers allow the clipboard only on a secure address
      this.button.textContent = this.labels.select;
    }
  }
}
