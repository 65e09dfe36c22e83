// The text of a lesson: title, sentences, what to try, what to take away, sources, and the lessons before and after it.

/** @import * as T from "../types" */
import { find, make } from "../base/dom.js";
import { boxed } from "../panels/token_boxes.js";

/**
 * All but its sentences, which are drawn once its opening question is answered.
 * @param {HTMLElement} root of the tab
 * @param {T.Learn.Learning} data
 * @param {number} index of the lesson
 */
export function drawLesson(root, { lessons, labels }, index) {
  const { title, action, takeaway, sources } = lessons[index];
  const part = (/** @type {string} */ name) => find(root, `.learn-${name}`);
  part("over").textContent = labels.lesson_of.replace("{n}", String(index + 1)).replace("{of}", String(lessons.length));
  part("title").textContent = title;
  part("sentences").replaceChildren();
  part("action").textContent = action;
  part("takeaway").textContent = takeaway;
  part("sources").textContent = `${labels.sources}: ${sources.join("; ")}`;
  const [previous, next] = ["previous-lesson", "next-lesson"].map((way) => find(root, `[data-go=${way}]`));
  previous.hidden = index === 0;
  if (index > 0) previous.textContent = `◀ ${index} ${lessons[index - 1].short}`;
  const isLast = index === lessons.length - 1;
  next.textContent = `${isLast ? labels.guess : `${index + 2} ${lessons[index + 1].short}`} ▶`;
}

/** @param {HTMLElement} root of the tab @param {T.Learn.Lesson} lesson */
export function drawSentences(root, { sentences }) {
  find(root, ".learn-sentences").replaceChildren(
    ...sentences.map(({ words }, at) => {
      const item = make("li");
      item.dataset.sentenceAt = String(at);
      item.append(...boxed(words));
      return item;
    }),
  );
}
