// The question of a lesson. One that is asked first covers the lesson until a guess is made, or it is revealed; the others come at the end.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { boxed, draw, drawIn, plain } from "../base/templates.js";
import { html } from "../lit-html.js";

const LETTERS = "ABCD"; // keys, too

export class Question {
  /**
   * @param {HTMLElement} root of the tab
   * @param {Record<string, string>} labels
   * @param {{ onReveal: () => void, onRight: () => void }} heard
   */
  constructor(root, labels, heard) {
    this.root = root;
    this.labels = labels;
    this.heard = heard;
    this.isOpen = false; // asked first, and nothing that answers it is on the page yet
    this.isAnswered = false; // rightly, or by being revealed
    this.marks = [""]; // of the answers: right, wrong, or neither
    /** @type {T.Learn.Lesson["question"] | null} */
    this.question = null;
  }

  /** @param {T.Learn.Lesson["question"]} question @param {boolean} isOpen */
  draw(question, isOpen) {
    this.question = question;
    this.isOpen = isOpen;
    this.root.classList.toggle("asking", isOpen);
    this.settle(question.first && !isOpen);
    const section = find(this.root, ".learn-quiz");
    if (question.first) find(this.root, ".learn-sentences").before(section);
    else find(this.root, ".learn-try").after(section);
    this.marks = question.answers.map(() => "");
    this.say("", "");
  }

  /** @param {string} key @returns {boolean} whether it answered, or revealed */
  press(key) {
    const at = LETTERS.indexOf(key.toUpperCase());
    if (this.isAnswered || !find(this.root, ".learn-answers").checkVisibility()) return false;
    if (key === " " && (this.isOpen || this.root.classList.contains("at-end"))) this.reveal();
    else if (key.length === 1 && at >= 0 && at < (this.question?.answers.length ?? 0)) this.answer(at);
    else return false;
    return true;
  }

  /** @param {number} at */
  answer(at) {
    if (!this.question || this.isAnswered) return;
    if (this.isOpen) {
      this.reveal(at);
      return;
    }
    const isRight = at === this.question.right;
    this.marks[at] = isRight ? "right" : "wrong";
    if (isRight) this.say(this.labels.right, this.question.why);
    else this.say(this.labels.wrong, this.labels.again);
    if (isRight) this.settle(true);
    if (isRight) this.heard.onRight();
  }

  /** What follows from the answer is on the page once it is given. @param {boolean} isAnswered */
  settle(isAnswered) {
    this.isAnswered = isAnswered;
    this.root.classList.toggle("unanswered", !isAnswered);
  }

  /** Gives the answer, with a guess or without one, and uncovers the lesson of an opening question. @param {number} [chosen] */
  reveal(chosen) {
    if (!this.question) return;
    const { answers, right, why } = this.question;
    const wasOpen = this.isOpen;
    this.isOpen = false;
    this.settle(true);
    this.root.classList.remove("asking");
    if (chosen !== undefined) this.marks[chosen] = "wrong";
    this.marks[right] = "right";
    if (chosen === undefined) this.say(`${answers[right]}:`, why);
    else this.say(chosen === right ? this.labels.right : this.labels.wrong, why);
    this.heard.onRight();
    if (wasOpen) this.heard.onReveal();
  }

  /** @param {string} verdict @param {string} words */
  say(verdict, words) {
    const { ask = "", answers = [] } = this.question ?? {};
    drawIn(this.root, { ".learn-ask": ask, ".learn-why": [html`<b .textContent=${verdict && `${verdict} `}></b>`, boxed(words)] });
    const buttons = answers.map((answer, at) => {
      const letter = html`<kbd .textContent=${LETTERS[at]}></kbd>`;
      return html`<button type="button" class=${this.marks[at]} data-answer-at=${at}>${letter} ${plain(answer)}</button>`;
    });
    draw(find(this.root, ".learn-answers"), buttons);
  }
}
