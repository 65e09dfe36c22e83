// "Does it pay for me?": a view of the tab. The fields of the sidebar go to the server (visual/server/tabs/pays.py); the answer is drawn here.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { Questions } from "../base/questions.js";
import { cellsOf, drawIn, headsOf, plain } from "../base/templates.js";
import { html } from "../lit-html.js";
import { Engine } from "./engine.js";
import { paysPicture } from "./pays_picture.js";

/** The view, without what it shares with the others. */
export class Pays {
  /**
   * @param {HTMLElement} root of the tab's stage.
   * @param {HTMLElement} fields of the sidebar.
   * @param {T.Curves.PaysKit} kit
   * @param {{ change: () => void, answer: () => void }} on
   * @param {AbortSignal} ended
   */
  constructor(root, fields, kit, on, ended) {
    this.root = root;
    this.on = on;
    this.engine = new Engine(fields, kit.fields, on.change, ended);
    /** @type {T.Curves.PaysAnswer | null} */
    this.answer = null;
    this.refused = ""; // why there is no answer
    /** @type {Questions<Record<string, string>, T.Curves.PaysAnswer | T.Curves.PaysRefusal>} */
    this.questions = new Questions(
      kit.address,
      (answer) => this.receive(answer),
      (refused) => this.receive({ refused, field: "" }),
    );
  }

  ask() {
    this.questions.ask(this.engine.values);
  }

  /** @param {T.Curves.PaysAnswer | T.Curves.PaysRefusal} answer */
  receive(answer) {
    const isRefused = "refused" in answer;
    this.answer = isRefused ? null : answer;
    this.refused = isRefused ? answer.refused : "";
    this.engine.mark(isRefused ? answer.field : "");
    this.root.toggleAttribute("data-unanswered", isRefused);
    this.on.answer();
  }

  /** @returns {[string, string]} */
  get headline() {
    if (this.answer) return [this.answer.words.headline, this.answer.words.sentence];
    return this.refused ? ["No answer yet", this.refused] : ["", ""];
  }

  /** Draws what only this view has. @param {HTMLElement} table */
  draw(table) {
    if (!this.answer) return;
    const { words, k, changes } = this.answer;
    find(this.root, ".curves-figure").classList.toggle("slower", !k);
    drawIn(this.root, {
      ".curves-figure": html`<b .textContent=${words.figure}></b> ${plain(words.range)}<span .textContent=${words.measure}></span>`,
      ".curves-inputs": words.inputs,
    });
    drawIn(table, {
      thead: html`<tr>
        ${headsOf(["What would change the answer", "best k", "speed"])}
      </tr>`,
      tbody: changes.map(
        ({ what, k: best, speed }) =>
          html`<tr>
            <th scope="row" .textContent=${what}></th>
            ${cellsOf([best, speed])}
          </tr>`,
      ),
    });
  }

  /** @param {T.Curves.Point[]} points @param {T.Curves.CurvesKit} kit @param {T.Size} size */
  picture(points, kit, size) {
    return this.answer && paysPicture(this.answer, this.dots(this.answer, points), kit, size);
  }

  /**
   * Speeds from measured acceptance: of the log, or of direct runs of the pair.
   * @param {T.Curves.PaysAnswer} answer
   * @param {T.Curves.Point[]} points
   */
  dots({ speedups, tokens, errors }, points) {
    const perToken = (/** @type {number} */ k) => speedups[k - 1] / tokens[k - 1]; // of a chain of k, whatever it accepts
    const dot = (/** @type {number} */ k, /** @type {number} */ mean, /** @type {number | null} */ error) => ({
      k,
      speed: mean * perToken(k),
      error: error === null ? null : 2 * error * perToken(k),
    });
    if (this.engine.isLogged) return errors.map((error, index) => dot(index + 1, tokens[index], error));
    const own = points.filter(({ curve, temperature }) => curve === "sequence" && temperature === this.engine.line?.temperature);
    return own.map(({ k, accepted: { mean, error } }) => dot(k, 1 + mean, error));
  }

  /** The numbers as CSV. */
  csv() {
    const { speedups = [], tokens = [], errors = [], tree, logged = 0 } = this.answer ?? {};
    const rows = speedups.map((speed, index) => {
      const error = errors[index] ?? null;
      const doubt = error === null ? "" : Number(((error * speed) / tokens[index]).toPrecision(4));
      return [index + 1, tokens[index], speed, doubt, index < logged ? "given" : "continued", tree?.speedups[index]];
    });
    return `${[["k", "tokens per call", "speed-up", "standard error", "rates", "tree (estimate)"], ...rows].map((row) => row.join(",")).join("\n")}\n`;
  }
}
