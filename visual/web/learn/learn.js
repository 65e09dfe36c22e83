// The Learn tab: lessons, whose sentences point into a figure, a question with each, a guessing game and pages for teachers.

/** @import * as T from "../types" */
import { setInAddress } from "../base/kept.js";
import { around, find, turnOff } from "../base/dom.js";
import { fill } from "../base/format.js";
import { fetched } from "../base/questions.js";
import { isForPage } from "../base/keys.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { watchLook } from "../plot/look.js";
import { Lab } from "../lab/lab.js";
import { drawIn } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";
import { drawContents, remember, remembered } from "./contents.js";
import { Figure } from "./figure.js";
import { GuessGame } from "./guess.js";
import { drawLesson, drawSentences, FigureLink } from "./lesson_text.js";
import { Question } from "./question.js";

const PHONE = 860; // pixels, as in the style sheets

/**
 * Starts the tab; the component (visual/ui/tabs/learn.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Learn.LearnKit} kit
 * @param {T.Lab.LabKit} labKit
 */
export async function mount(element, kit, labKit) {
  const parameters = new URLSearchParams(location.search);
  const wanted = parameters.get("language") ?? kit.languages[0];
  const language = kit.languages.includes(wanted) ? wanted : kit.languages[0];
  const response = await fetched(`${kit.address}/${language}`);
  const data = /** @type {T.Learn.Learning} */ (await response.json());
  new Learn(element, data, labKit, language === kit.languages[0] ? "" : language).open(parameters.get("lesson"));
}

class Learn {
  /** @param {HTMLElement} element @param {T.Learn.Learning} data @param {T.Lab.LabKit} labKit @param {string} language "": the usual one */
  constructor(element, data, labKit, language) {
    this.root = find(element, ".ersd-learn");
    this.host = document.getElementById("learn") ?? element; // carries data-lesson, data-sentence, data-score
    this.data = data;
    this.language = language;
    this.index = 0;
    this.sentence = 0;
    this.view = "lesson"; // or guess, script, exercises
    /** @type {Set<number>} */
    this.done = new Set(remembered());
    const { labels } = data;
    for (const part of this.root.querySelectorAll("[data-label]")) {
      part.textContent = labels[/** @type {HTMLElement} */ (part).dataset.label ?? ""] ?? "";
    }
    const lab = new Lab(find(this.root, ".learn-lab"), labKit, kitOfPage(), find(this.root, ".learn-lab"));
    this.question = new Question(this.root, labels, { onReveal: () => this.begin(), onRight: () => this.finish() });
    this.figure = new Figure(this.root, data, lab);
    this.link = new FigureLink(this.root, labels);
    const onScore = (/** @type {number} */ right, /** @type {number} */ answered) => {
      this.host.dataset.score = `${right}/${answered}`;
      const score = fill(labels.score, { right, answered });
      drawIn(this.root, { ".learn-open-guess": html`<b .textContent=${labels.guess}></b><span .textContent=${score}></span>` });
    };
    this.game = new GuessGame(find(this.root, ".learn-guess"), kitOfPage(), data.guesses, labels, onScore);
    this.drawContents();
    const ended = lifetimeOf(this.root);
    this.listen(ended);
    this.fit();
    watchLook(ended, () => this.fit(), [this.root]);
  }

  /** In a room and on a phone one sentence stands at a time, and of the figure only what it is about. */
  fit() {
    this.root.classList.toggle("single", isPresenting() || innerWidth <= PHONE);
  }

  get lesson() {
    return this.data.lessons[this.index];
  }

  /** @param {string | null} wanted from the address: a number from 1, the name of a lesson's figure or of a page */
  open(wanted) {
    if (wanted && ["guess", "script", "exercises"].includes(wanted)) this.show(wanted);
    const found = this.data.lessons.findIndex(({ name }, at) => name === wanted || String(at + 1) === wanted);
    if (this.view === "lesson") this.turnTo(Math.max(0, found));
  }

  /** @param {AbortSignal} ended */
  listen(ended) {
    this.root.addEventListener("click", (event) => {
      const place = around(event, "[data-lesson-at]")?.dataset.lessonAt;
      if (place !== undefined) this.turnTo(Number(place));
      const page = around(event, "[data-open]")?.dataset.open;
      if (page === "contents") this.root.classList.toggle("listed");
      else if (page) this.show(page);
      const way = around(event, "[data-go]")?.dataset.go;
      if (way) this.go(way);
      const said = around(event, "[data-sentence-at]")?.dataset.sentenceAt;
      if (said !== undefined) this.say(Number(said));
      const answer = around(event, "[data-answer-at]")?.dataset.answerAt;
      if (answer !== undefined) this.question.answer(Number(answer));
    });
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      if (!this.root.offsetParent || around(event, ".lab-strip")) return;
      if (event.key === "Escape" && around(event, "#lessons input[type=range]")) this.focusText();
      else if (!isForPage(event) || !this.press(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey, { signal: ended });
  }

  /**
   * A lecturer's keys: digits and G open lessons and the game from anywhere, H gives the keys to the handle, until Escape.
   * @param {string} key
   * @returns {boolean} whether it meant something
   */
  press(key) {
    const way = { ArrowRight: "next", ArrowLeft: "previous", PageDown: "next", PageUp: "previous" }[key];
    if (/^\d$/.test(key)) this.turnTo((Number(key) + 9) % 10);
    else if (key === "g" || key === "G") this.show("guess");
    else if (this.view === "guess") return this.game.press(key);
    else if (this.view !== "lesson") return false;
    else if (way) this.go(way);
    else if (key === "h" || key === "H") this.focusHandle();
    else return this.question.press(key);
    return true;
  }

  focusHandle() {
    const handles = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".learn-figure input[type=range]")]);
    handles.find((handle) => handle.checkVisibility())?.focus();
  }

  /** @param {string} way */
  go(way) {
    if (this.question.isOpen && way === "next") {
      this.question.reveal();
      return;
    }
    const last = this.lesson.sentences.length - 1;
    const step = way.startsWith("next") ? 1 : -1;
    const sentence = this.sentence + step;
    if (!way.endsWith("lesson") && sentence >= 0 && sentence <= last) this.say(sentence);
    else if (this.index + step < this.data.lessons.length) this.turnTo(this.index + step);
    else this.show("guess"); // after the last lesson
  }

  /** @param {number} index */
  turnTo(index) {
    if (index < 0 || index >= this.data.lessons.length) return;
    this.index = index;
    this.show("lesson");
    drawLesson(this.root, this.data, this.index);
    this.link.show(this.lesson, this.language);
    const isOpen = this.lesson.question.first && (isPresenting() || !this.done.has(index));
    this.question.draw(this.lesson.question, isOpen);
    if (isOpen) this.ask();
    else this.begin();
    find(this.root, ".learn-text").scrollTop = 0;
    if (this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView({ block: "start" }); // a phone scrolls the page
    this.keepFocus();
  }

  /** The question before the lesson. */
  ask() {
    this.figure.clear();
    this.sentence = 0;
    this.host.dataset.sentence = "0";
    drawIn(this.root, { ".learn-dots": nothing });
    this.nameSteps(this.data.labels.reveal);
  }

  /** The lesson, from its first sentence. */
  begin() {
    this.figure.begin(this.lesson);
    this.say(0);
  }

  /** Names the button that goes on; the one that goes back is off at the very beginning. @param {string} next */
  nameSteps(next) {
    const forward = find(this.root, "[data-go=next]");
    forward.textContent = `${next} ▶`;
    const back = /** @type {HTMLButtonElement} */ (find(this.root, "[data-go=previous]"));
    turnOff(back, this.sentence === 0 && this.index === 0, forward);
    back.ariaLabel = this.data.labels.previous_sentence;
  }

  finish() {
    this.done.add(this.index);
    remember([...this.done]);
    this.drawContents();
  }

  // A control that is no longer there, or only keeps its place, hands its focus to what is shown instead.
  keepFocus() {
    const focused = document.activeElement;
    if (!(focused instanceof HTMLElement && this.root.contains(focused)) || focused.checkVisibility({ visibilityProperty: true })) return;
    this.focusText();
  }

  focusText() {
    const parts = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".learn-text, .learn-guess, .learn-page")]);
    parts.find(({ hidden }) => !hidden)?.focus({ preventScroll: true });
  }

  /** @param {string} view */
  show(view) {
    this.view = view;
    this.root.dataset.view = view;
    this.root.classList.remove("listed");
    const isLesson = view === "lesson";
    for (const part of [".learn-text", ".learn-figure"]) find(this.root, part).hidden = !isLesson;
    find(this.root, ".learn-guess").hidden = view !== "guess";
    const page = find(this.root, ".learn-page");
    page.hidden = isLesson || view === "guess";
    if (!page.hidden) page.innerHTML = this.data.pages[view] ?? ""; // from the project's own Markdown, whose HTML is escaped
    for (const code of page.querySelectorAll("code")) code.translate = false;
    this.figure.showPlayer(isLesson);
    this.host.dataset.lesson = isLesson ? String(this.index + 1) : view;
    this.keepAddress();
    this.drawContents();
    this.keepFocus();
  }

  keepAddress() {
    const { lesson = "1" } = this.host.dataset;
    if (new URLSearchParams(location.search).get("tab") === "learn") setInAddress({ lesson: lesson === "1" ? "" : lesson });
  }

  /** @param {number} place */
  say(place) {
    this.sentence = place;
    this.host.dataset.sentence = String(place + 1);
    drawSentences(this.root, this.lesson, place);
    const { labels, lessons } = this.data;
    const isLast = place === this.lesson.sentences.length - 1;
    this.root.classList.toggle("at-end", isLast);
    const onward = this.index === lessons.length - 1 ? labels.guess : labels.next_lesson;
    this.nameSteps(isLast ? onward : labels.next_sentence);
    this.figure.light(this.lesson.sentences[place]);
  }

  drawContents() {
    drawContents(this.root, this.data, this.done, this.view === "lesson" ? this.index : -1);
  }
}

const isPresenting = () => document.documentElement.dataset.view === "lecture";
