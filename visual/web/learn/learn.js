// The Learn tab: ten lessons, whose sentences point into a figure, a question with each, a guessing game and pages for teachers.

/** @import * as T from "../types" */
import { around, find, make, refill, turnOff } from "../base/dom.js";
import { fetched } from "../base/fetching.js";
import { isForPage } from "../base/keys.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { Lab } from "../lab/lab.js";
import { boxed } from "../panels/token_boxes.js";
import { Figure } from "./figure.js";
import { GuessGame } from "./guess.js";
import { remember, remembered } from "./progress.js";
import { Question } from "./question.js";

/**
 * Starts the tab; the component (visual/ui/learn_tab.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Learn.LearnKit} kit
 * @param {T.Lab.LabKit} labKit
 */
export async function mount(element, kit, labKit) {
  const parameters = new URLSearchParams(location.search);
  const wanted = parameters.get("language") ?? kit.languages[0];
  const language = kit.languages.includes(wanted) ? wanted : kit.languages[0];
  const response = await fetched(`${kit.address}/${language}`);
  new Learn(element, await response.json(), labKit).open(parameters.get("lesson"));
}

class Learn {
  /** @param {HTMLElement} element @param {T.Learn.Learning} data @param {T.Lab.LabKit} labKit */
  constructor(element, data, labKit) {
    this.root = find(element, ".ersd-learn");
    this.host = document.getElementById("learn") ?? element; // carries data-lesson, data-sentence, data-score
    this.data = data;
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
    this.game = new GuessGame(find(this.root, ".learn-guess"), kitOfPage(), data.guesses, labels, (right, answered) => {
      this.host.dataset.score = `${right}/${answered}`;
      find(this.root, ".learn-open-guess").replaceChildren(
        make("b", "", labels.guess),
        make("span", "", labels.score.replace("{right}", String(right)).replace("{answered}", String(answered))),
      );
    });
    this.drawContents();
    this.listen();
  }

  get lesson() {
    return this.data.lessons[this.index];
  }

  /** @param {string | null} wanted from the address: a number from 1, or the name of a page */
  open(wanted) {
    const number = Number(wanted ?? 1);
    if (wanted && ["guess", "script", "exercises"].includes(wanted)) this.show(wanted);
    else this.turnTo(Number.isInteger(number) && number >= 1 && number <= this.data.lessons.length ? number - 1 : 0);
  }

  listen() {
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
      if (!this.root.offsetParent || !isForPage(event) || around(event, ".lab-strip")) return;
      if (this.view === "guess") {
        if (this.game.press(event)) event.preventDefault();
        return;
      }
      if (this.view !== "lesson") return;
      const way = { ArrowRight: "next", ArrowLeft: "previous", PageDown: "next", PageUp: "previous" }[event.key];
      if (way) this.go(way);
      else if (!this.question.press(event.key)) return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey, { signal: lifetimeOf(this.root) });
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
    this.drawLesson(this.lesson);
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
    find(this.root, ".learn-dots").replaceChildren();
    find(this.root, "[data-go=next]").textContent = `${this.data.labels.reveal} ▶`;
    const previous = /** @type {HTMLButtonElement} */ (find(this.root, "[data-go=previous]"));
    turnOff(previous, this.index === 0, find(this.root, "[data-go=next]"));
  }

  /** The lesson, from its first sentence. */
  begin() {
    this.drawSentences();
    this.figure.begin(this.lesson);
    this.say(0);
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
    const address = new URL(location.href);
    if (address.searchParams.get("tab") !== "learn") return;
    const { lesson } = this.host.dataset;
    if (lesson && lesson !== "1") address.searchParams.set("lesson", lesson);
    else address.searchParams.delete("lesson");
    history.replaceState(history.state, "", address);
  }

  /** @param {number} place */
  say(place) {
    this.sentence = place;
    this.host.dataset.sentence = String(place + 1);
    for (const [at, item] of [...find(this.root, ".learn-sentences").children].entries()) item.classList.toggle("lit", at === place);
    const { labels } = this.data;
    const last = this.lesson.sentences.length - 1;
    this.root.classList.toggle("at-end", place === last);
    find(this.root, ".learn-dots").replaceChildren(...this.lesson.sentences.map((_, at) => make("i", at === place ? "here" : "")));
    const next = /** @type {HTMLButtonElement} */ (find(this.root, "[data-go=next]"));
    const isLast = this.index === this.data.lessons.length - 1;
    const onward = isLast ? labels.guess : labels.next_lesson;
    next.textContent = `${place < last ? labels.next_sentence : onward} ▶`;
    const previous = /** @type {HTMLButtonElement} */ (find(this.root, "[data-go=previous]"));
    turnOff(previous, place === 0 && this.index === 0, next);
    previous.setAttribute("aria-label", labels.previous_sentence);
    this.figure.light(this.lesson.sentences[place]);
  }

  /** @param {T.Learn.Lesson} lesson */
  drawLesson({ title, action, takeaway, sources }) {
    const { labels, lessons } = this.data;
    const part = (/** @type {string} */ name) => find(this.root, `.learn-${name}`);
    part("over").textContent = labels.lesson_of.replace("{n}", String(this.index + 1)).replace("{of}", String(lessons.length));
    part("title").textContent = title;
    part("sentences").replaceChildren();
    part("action").textContent = action;
    part("takeaway").textContent = takeaway;
    part("sources").textContent = `${labels.sources}: ${sources.join("; ")}`;
    for (const [way, at] of /** @type {const} */ ([
      ["previous-lesson", this.index - 1],
      ["next-lesson", this.index + 1],
    ])) {
      const button = /** @type {HTMLButtonElement} */ (find(this.root, `[data-go=${way}]`));
      const lesson = lessons[at];
      button.hidden = at < 0;
      if (at === lessons.length) button.textContent = `${labels.guess} ▶`;
      if (lesson) button.textContent = way === "next-lesson" ? `${at + 1} ${lesson.short} ▶` : `◀ ${at + 1} ${lesson.short}`;
    }
  }

  drawSentences() {
    find(this.root, ".learn-sentences").replaceChildren(
      ...this.lesson.sentences.map(({ words }, at) => {
        const item = make("li");
        item.dataset.sentenceAt = String(at);
        item.append(...boxed(words));
        return item;
      }),
    );
  }

  drawContents() {
    const { lessons, labels } = this.data;
    find(this.root, ".learn-done").textContent = labels.done.replace("{n}", String(this.done.size));
    find(this.root, ".learn-progress i").style.width = `${(100 * this.done.size) / lessons.length}%`;
    refill(
      find(this.root, ".learn-toc"),
      ...lessons.map(({ short }, at) => {
        const item = make("li");
        const button = make("button", this.done.has(at) ? "done" : "");
        button.type = "button";
        button.dataset.lessonAt = String(at);
        if (this.view === "lesson" && at === this.index) button.setAttribute("aria-current", "true");
        button.append(make("i", "", this.done.has(at) ? "✓" : String(at + 1)), short);
        item.append(button);
        return item;
      }),
    );
  }
}

const isPresenting = () => document.documentElement.dataset.view === "lecture";
