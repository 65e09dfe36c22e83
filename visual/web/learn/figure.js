// The figure beside a lesson: one of its own, the lab, or a recorded step in a player; the part that is spoken of keeps its colour.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { fetched } from "../base/questions.js";
import { whenMounted } from "../base/parts.js";
import { ClocksFigure } from "./clocks.js";
import { drawCalls, drawLeaves, drawMarks, drawTrees } from "./handle_figures.js";

const PLAYER = "learn-player"; // its element, a component beside this one
const FIRST = "first-look";
const MISSING = "The step of this lesson cannot be fetched: open the lesson again in a moment.";
/** @type {Record<string, string>} */
const PHASES = { draft: "draft", score: "score", walk: "walk", append: "text" };
/** @type {Record<string, typeof drawCalls>} */
const WITH_HANDLE = { calls: drawCalls, trees: drawTrees, leaves: drawLeaves, marks: drawMarks };

export class Figure {
  /** @param {HTMLElement} root @param {Pick<T.Learn.Learning, "labels" | "figures">} data @param {T.RaceLab | null} lab */
  constructor(root, data, lab) {
    this.root = root;
    this.data = data;
    this.lab = lab;
    this.own = find(root, ".learn-own");
    this.kind = "";
    this.choice = ""; // of the lesson, for the lab
    this.opened = ""; // what the lab was opened with
    /** @type {T.Learn.Lesson | null} */
    this.lesson = null;
    /** @type {Promise<void>} */
    this.ready = Promise.resolve();
  }

  /** @param {boolean} isLesson */
  showPlayer(isLesson) {
    const shell = document.getElementById("lessons");
    if (shell) shell.dataset.figure = isLesson ? this.kind : "";
  }

  /** Nothing, while a question about it is open. */
  clear() {
    this.lesson = null;
    this.kind = "";
    this.root.dataset.figure = "";
    this.showPlayer(true);
    this.own.replaceChildren();
  }

  /** @param {T.Learn.Lesson} lesson */
  begin(lesson) {
    const { figure, choice, show } = lesson;
    this.lesson = lesson;
    this.kind = figure;
    this.opened = "";
    this.root.dataset.figure = figure;
    this.showPlayer(true);
    const { figures, labels } = this.data;
    this.own.replaceChildren();
    if (figure in WITH_HANDLE) WITH_HANDLE[figure](this.own, figures, labels);
    else if (figure === "clocks") new ClocksFigure(this.own, figures, labels);
    else if (figure === "lab") {
      this.ready = Promise.resolve();
      find(this.root, ".learn-lab").dataset.show = show.join(" ");
      this.choice = choice;
      this.openLab("");
    } else this.ready = this.openRun(choice, () => lesson === this.lesson);
  }

  /**
   * @param {string} choice name of a recorded run and perhaps its step, `standard/4`
   * @param {() => boolean} isWanted still, when it has come
   */
  async openRun(choice, isWanted) {
    const [name, step] = choice.split("/");
    const missing = JSON.stringify({ type: "error", words: MISSING, field: "" });
    const message = await fetched(`gallery/${name || FIRST}`).then(
      (answer) => answer.text(),
      () => missing,
    );
    const player = await whenMounted(PLAYER);
    if (!isWanted()) return;
    player.receive(message);
    if (step) player.go(Number(step));
  }

  /** @param {string} changes of the lesson's choice. What a reader chose stays where a sentence changes nothing. */
  openLab(changes) {
    const asked = new URLSearchParams(this.choice);
    for (const [name, value] of new URLSearchParams(changes)) asked.set(name, value);
    if (asked.toString() === this.opened) return;
    this.opened = asked.toString();
    this.lab?.open(asked);
  }

  /** @param {{ parts: string[], choice: string }} sentence */
  light({ parts, choice }) {
    const isLab = this.kind === "lab";
    const lit = parts.join(" ");
    if (isLab && choice) this.openLab(choice);
    find(this.root, ".learn-lab").dataset.lit = isLab ? lit : "";
    this.own.dataset.lit = lit;
    for (const each of this.own.querySelectorAll("[data-part]")) {
      each.classList.toggle("dim", lit !== "" && !parts.includes(/** @type {HTMLElement} */ (each).dataset.part ?? ""));
    }
    if (this.kind !== "run") return;
    const { lesson } = this;
    void this.ready.then(() => {
      const player = document.getElementById(PLAYER);
      if (!player || lesson !== this.lesson) return;
      player.dataset.lit = lit;
      const phase = PHASES[lit] ?? "text";
      /** @type {HTMLElement | null} */ (player.querySelector(`[data-tell=${phase}]`))?.click();
    });
  }
}
