// The text of a lesson: title, sentences, what to try, what to take away, sources, the lessons before and after it, and the way to its figure
// by itself: a link, and a frame for other pages and slides.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { fill } from "../base/format.js";
import { boxed, drawIn } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";

const HEIGHT = 720; // pixels that every figure fits into where the frame is 800 wide

/**
 * All but its sentences, which are drawn once its opening question is answered.
 * @param {HTMLElement} root of the tab @param {T.Learn.Learning} data @param {number} index of the lesson
 */
export function drawLesson(root, { lessons, labels }, index) {
  const { title, action, takeaway, sources } = lessons[index];
  const following = lessons[index + 1];
  drawIn(root, {
    ".learn-over": fill(labels.lesson_of, { n: index + 1, of: lessons.length }),
    ".learn-title": title,
    ".learn-sentences": nothing,
    ".learn-action": action,
    ".learn-takeaway": takeaway,
    ".learn-sources": `${labels.sources}: ${sources.join("; ")}`,
    "[data-go=previous-lesson]": index > 0 ? `◀ ${index} ${lessons[index - 1].short}` : "",
    "[data-go=next-lesson]": `${following ? `${index + 2} ${following.short}` : labels.guess} ▶`,
  });
  find(root, "[data-go=previous-lesson]").hidden = index === 0;
}

/** @param {HTMLElement} root of the tab @param {T.Learn.Lesson} lesson @param {number} lit the sentence that is spoken of */
export function drawSentences(root, { sentences }, lit) {
  drawIn(root, {
    ".learn-sentences": sentences.map(
      ({ words }, at) => html`<li class=${at === lit ? "lit" : ""} data-sentence-at=${at}>${boxed(words)}</li>`,
    ),
    ".learn-dots": sentences.map((_, at) => html`<i class=${at === lit ? "here" : ""}></i>`),
  });
}

/** The link and the frame of a lesson's figure. */
export class FigureLink {
  /** @param {HTMLElement} root of the tab @param {Record<string, string>} labels */
  constructor(root, labels) {
    this.labels = labels;
    this.link = /** @type {HTMLAnchorElement} */ (find(root, ".learn-share a"));
    this.frame = /** @type {HTMLInputElement} */ (find(root, ".learn-share input"));
    this.button = find(root, ".learn-share button");
    this.frame.ariaLabel = labels.figure_frame;
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
