// The Curves tab: lines and dots as they are measured, in four views, with the table below and the files.

/** @import * as T from "../types" */
import { resolve } from "../plot/colours.js";
import { around, download, downloadText, find } from "../base/dom.js";
import { lifetimeOf } from "../base/lifetime.js";
import { lookOf, watchLook } from "../plot/look.js";
import { mountPart } from "../base/parts.js";
import { Plot } from "../plot/plotly_adapter.js";
import { Session } from "../core/session.js";
import { keepInAddress, viewIn } from "./address.js";
import { Cost } from "./cost.js";
import { Guess, question } from "./guess.js";
import { imageOf } from "./image.js";
import { Pays } from "../pays/pays.js";
import { picture } from "./picture.js";
import { speedWords } from "./speed.js";
import { Status } from "./status.js";
import { csv, drawTable } from "./table.js";

/**
 * Starts the tab; the component (visual/ui/tabs/curves.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Curves.CurvesKit} kit
 * @param {T.Curves.PaysKit} paysKit
 * @param {{ value: string }} props the component's; `value` is the newest message.
 * @param {(name: "value", changed: () => void) => void} watch
 */
export function mount(element, kit, paysKit, props, watch) {
  const curves = new Curves(element, kit, paysKit);
  const parameters = new URLSearchParams(location.search);
  curves.pays.engine.open(parameters);
  const { receive } = curves.part;
  watch("value", () => receive(props.value));
  receive(props.value);
  mountPart(curves.host, curves.part, curves.ended);
  const { view, problem } = viewIn(parameters);
  if (view) curves.turnTo(view);
  if (problem) curves.status.say(problem, "error");
}

export class Curves {
  /** @param {HTMLElement} element @param {T.Curves.CurvesKit} kit @param {T.Curves.PaysKit} paysKit */
  constructor(element, kit, paysKit) {
    this.kit = kit;
    this.root = find(element, ".ersd-curves");
    this.host = document.getElementById("curves") ?? element; // carries data-state and data-points
    this.bench = this.host.closest(".workbench");
    const part = (/** @type {string} */ selector) => find(this.root, selector);
    const ended = (this.ended = lifetimeOf(this.root));
    this.status = new Status(this.root);
    this.limit = /** @type {HTMLInputElement} */ (part(".curves-limit input"));
    this.plotElement = part(".curves-plot");
    this.plot = new Plot(this.plotElement);
    this.table = part(".curves-table");
    this.cost = new Cost(part(".curves-cost"), () => this.session.request());
    this.guess = new Guess(this.root, () => this.announce());
    this.sources = part(".curves-sources").textContent ?? "";
    const on = { change: () => this.turnTo(this.view), answer: () => this.announce() };
    this.pays = new Pays(this.root, find(this.bench ?? element, ".curves-engine-fields"), paysKit, on, ended);
    /** @type {T.Curves.View} */
    this.view = "accepted";
    /** @type {T.Elsewhere[]} */
    this.places = [];
    /** @type {number[]} */
    this.temperatures = [];
    /** @type {T.Curves.Lines[]} */
    this.lines = [];
    /** @type {T.Curves.Point[]} */
    this.points = [];
    /** @type {T.Curves.Words | null} */
    this.words = null;
    this.models = "";
    this.expected = 0; // points that there will be
    this.session = new Session(this, this.root, ended);
    /** @type {T.RunPart} */
    this.part = {
      receive: (messages) => this.session.receive(messages),
      requested: (stop) => this.session.dispatch({ type: "requested", stop }),
    };
    this.listen(ended);
  }

  /** @param {AbortSignal} ended */
  listen(ended) {
    this.root.addEventListener("click", (event) => {
      const view = around(event, "[data-view-of-curves]")?.dataset.viewOfCurves;
      if (view) this.turnTo(/** @type {T.Curves.View} */ (view));
      const format = around(event, "[data-save]")?.dataset.save;
      if (format) void this.save(format);
    });
    this.limit.addEventListener("change", () => this.session.request());
    watchLook(ended, () => this.session.request(), [this.plotElement]);
  }

  // --- messages ----------------------------------------------------------------------------------------------------------------

  /** @param {T.Curves.Begin} message */
  begin({ models, temperatures, expected, places }) {
    Object.assign(this, { models, temperatures, expected, places, lines: [], points: [], words: null });
    this.cost.begin(places);
    this.offer();
    if (this.guess.state !== "none") this.guess.turn("none");
    this.host.dataset.points = "0";
  }

  /** @param {T.Curves.Lines | T.Curves.Points} message */
  add(message) {
    if (message.type === "lines") {
      this.lines = [...this.lines, message];
      this.offer();
      return;
    }
    this.points = message.points;
    this.words = message.words;
    this.host.dataset.points = String(message.points.length);
    if (message.doing) this.status.report(message, this.expected);
  }

  whereStopped() {
    return `Stopped: ${this.points.length} of ${this.expected} points are there.`;
  }

  /** @param {T.RunStatus} status @param {string} words */
  finish(status, words) {
    this.status.end(words, status === "error" ? "error" : "");
  }

  /** @param {string} words */
  say(words) {
    this.status.say(words);
  }

  get inView() {
    return { steps: [], followsLive: true, skipsPhases: true, seen: null }; // nothing is played
  }

  // --- what is shown -----------------------------------------------------------------------------------------------------------

  /** Offers what is measured to the engine of "Does it pay for me?". */
  offer() {
    this.pays.engine.offer(this.places, this.temperatures, this.lines);
    if (this.view === "pays") this.turnTo("pays");
  }

  /** Draws again, and announces the headline. */
  announce() {
    this.status.announcer.report(this.headline().join(" · "));
    this.session.request();
  }

  /** @param {T.Curves.View} view */
  turnTo(view) {
    if (this.guess.isCovering) this.guess.turn("none");
    this.view = view;
    this.root.dataset.curvesView = view;
    if (this.bench instanceof HTMLElement) this.bench.dataset.curvesView = view;
    for (const button of this.root.querySelectorAll("[data-view-of-curves]")) {
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.viewOfCurves === view));
    }
    keepInAddress(view, this.pays.engine.values);
    if (view === "pays") this.pays.ask();
    this.session.request();
  }

  /** @returns {T.Drawing} */
  get drawing() {
    const { temperatures, lines, points, guess } = this;
    const { costs } = this.cost;
    const view = this.view === "pays" ? "speed" : this.view;
    if (guess.isCovering) return { ...guess.covered(lines), costs };
    return { view, temperatures, lines, points, guess: view === "accepted" ? guess.curve : null, showsLimit: this.limit.checked, costs };
  }

  async draw() {
    const { kit, look } = this;
    const isPays = this.view === "pays";
    const [headline, sentence] = this.headline();
    find(this.root, ".curves-headline").textContent = headline;
    find(this.root, ".curves-sentence").textContent = sentence;
    find(this.root, ".curves-note").textContent = this.note();
    find(this.root, ".curves-sources").textContent = (isPays && this.pays.answer?.words.note) || this.sources;
    find(this.root, "[data-guess=draw]").hidden = !this.lines.length;
    if (isPays) this.pays.draw(this.table);
    else drawTable(this.table, this.drawing, kit);
    const figure = this.figure();
    if (!figure) return;
    const drawn = this.plot.draw(resolve(figure.data, look.palette), resolve({ ...kit.layout, ...figure.layout }, look.palette));
    if (this.guess.isCovering) this.guess.cover(this.plotElement, this.drawing, kit, this.look);
    await drawn;
  }

  /** What is drawn; null while there is nothing, and in a hidden tab. */
  figure() {
    const { look, kit } = this;
    if (!look.width) return null;
    return this.view === "pays" ? this.pays.picture(this.points, kit, look) : picture(this.drawing, kit, look);
  }

  headline() {
    if (this.view === "pays") return this.pays.headline;
    if (!this.lines.length) return [this.session.isRunning ? `Measuring: ${this.models}` : "", ""];
    if (this.view === "speed") return speedWords(this.lines[0], this.kit, this.cost.costs);
    if (this.guess.isCovering) return question(this.lines[0].temperature);
    const [headline, sentence] = this.words?.[this.view] ?? ["", ""];
    const isGuessed = this.view === "accepted" && this.guess.state === "shown";
    return [headline, isGuessed ? this.guess.words(this.lines[0]) : sentence];
  }

  /** What is seen, and how it was found. */
  note() {
    if (this.view === "pays") return this.pays.answer?.words.doubt ?? "";
    if (this.view === "speed")
      return this.lines.length
        ? "Expected from the lines and the costs below, not measured. Rings: the fastest k, where it is not the last."
        : "";
    const note = this.guess.isCovering ? "" : (this.words?.note ?? "");
    return this.view === "next" && this.points.length ? `${note} A bar to both sides: tokens counted together.` : note;
  }

  get look() {
    return lookOf(this.plotElement);
  }

  /** @param {string} format csv, png or svg */
  async save(format) {
    const name = `curves-${this.view}.${format}`;
    if (format === "csv") {
      downloadText(this.view === "pays" ? this.pays.csv() : csv(this.drawing, this.kit), "text/csv", name);
      return;
    }
    const figure = this.figure();
    if (figure) download(await imageOf(figure, this.kit, this.look.palette, /** @type {"png" | "svg"} */ (format)), name);
  }
}
