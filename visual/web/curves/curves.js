// The Curves tab: lines and dots as they are measured, in three views, with the table below and the files.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { resolve } from "../base/colours.js";
import { around, bringUp, find, hear } from "../base/dom.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { letterOf, paletteOf, watchLook } from "../base/look.js";
import { CurrentRun } from "../core/current_run.js";
import { Plot } from "../base/plotly_adapter.js";
import { Cost } from "./cost.js";
import { imageOf } from "./image.js";
import { picture } from "./picture.js";
import { speedWords } from "./speed.js";
import { csv, drawTable } from "./table.js";

const PARAMETER = "curve"; // of the address
const VIEWS = /** @type {T.Curves.View[]} */ (["accepted", "next", "speed"]);

/**
 * Starts the tab; the component (visual/ui/curves_tab.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Curves.CurvesKit} kit
 * @param {{ value: string }} props the component's; `value` is the newest message.
 * @param {(name: "value", changed: () => void) => void} watch
 */
export function mount(element, kit, props, watch) {
  const curves = new Curves(element, kit);
  watch("value", () => curves.receive(props.value));
  curves.receive(props.value);
  const asked = /** @type {T.Curves.View | null} */ (new URLSearchParams(location.search).get(PARAMETER));
  if (asked && VIEWS.includes(asked)) curves.turnTo(asked);
  else if (asked !== null) curves.say(`${PARAMETER} must be one of ${VIEWS.join(", ")}, got “${asked}”.`, "error");
}

export class Curves {
  /** @param {HTMLElement} element @param {T.Curves.CurvesKit} kit */
  constructor(element, kit) {
    this.kit = kit;
    this.root = find(element, ".ersd-curves");
    this.host = document.getElementById("curves") ?? element; // carries data-state and data-points
    this.bench = this.host.closest(".workbench");
    const part = (/** @type {string} */ selector) => find(this.root, selector);
    this.announcer = new Announcer(part(".ersd-announcer"));
    this.status = part(".curves-status");
    this.progress = part(".curves-progress");
    this.limit = /** @type {HTMLInputElement} */ (part(".curves-limit input"));
    this.plotElement = part(".curves-plot");
    this.plot = new Plot(this.plotElement);
    this.table = part(".curves-table");
    this.cost = new Cost(part(".curves-cost"), () => this.redraw());
    /** @type {T.Curves.View} */
    this.view = "accepted";
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
    this.run = new CurrentRun();
    this.listen();
    this.mark();
  }

  listen() {
    const ended = lifetimeOf(this.root);
    hear(this.host, "ersd-ask", () => this.awaitRun(), ended);
    hear(this.host, "ersd-told", (messages) => this.receive(messages), ended);
    this.root.addEventListener("click", (event) => {
      const view = around(event, "[data-view-of-curves]")?.dataset.viewOfCurves;
      if (view) this.turnTo(/** @type {T.Curves.View} */ (view));
      const format = around(event, "[data-save]")?.dataset.save;
      if (format) void this.save(format);
    });
    this.limit.addEventListener("change", () => this.redraw());
    watchLook(ended, () => this.redraw(), [this.plotElement]);
  }

  awaitRun() {
    this.run.ask();
    this.mark();
    this.say("Starting …");
    bringUp(this.root);
  }

  // --- messages ----------------------------------------------------------------------------------------------------------------

  /** @param {string} value messages, one on a line; may be empty. */
  receive(value) {
    if (!value) return;
    for (const line of value.split("\n")) this.take(JSON.parse(line));
    this.redraw();
  }

  /** @param {T.Curves.CurvesMessage} message */
  take(message) {
    if (!this.run.accepts(message)) return;
    if (message.type === "begin") {
      const { models, temperatures, expected } = message;
      Object.assign(this, { models, temperatures, expected, lines: [], points: [], words: null });
      this.run.begin(message);
      this.cost.begin(message.places);
      this.host.dataset.points = "0";
      this.mark();
    } else if (message.type === "lines") {
      this.lines = [...this.lines, message];
    } else if (message.type === "points") {
      this.points = message.points;
      this.words = message.words;
      this.host.dataset.points = String(message.points.length);
      if (message.doing) this.report(message);
    } else if (message.type === "stopped") {
      this.finish("stopped", `Stopped: ${this.points.length} of ${this.expected} points are there.`);
    } else if (message.type === "status") this.say(message.words);
    else if (message.type === "error" || message.type === "lost") this.finish("error", message.words);
    else this.finish(message.type === "end" ? "done" : "idle", message.words);
  }

  /** @param {{ done: number, left: number | null, doing: string }} of */
  report({ done, left, doing }) {
    const time = left === null ? "" : ` · ${left < 1 ? "1" : left} s left`;
    this.say(`${this.points.length} of ${this.expected} points${time} · now: ${doing}`);
    this.progress.hidden = false;
    this.progress.style.setProperty("--done", String(done));
  }

  /** @param {T.RunStatus} state @param {string} words */
  finish(state, words) {
    this.progress.hidden = true;
    this.run.finish(state);
    this.mark();
    this.say(words, state === "error" ? "error" : "");
    this.announcer.say(words);
  }

  mark() {
    const { state, isRunning, isAwaited } = this.run;
    this.host.dataset.state = state;
    this.host.toggleAttribute("data-awaited", isAwaited);
    this.bench?.toggleAttribute("data-running", isRunning);
  }

  /** @param {string} words @param {string} kind */
  say(words, kind = "") {
    this.status.textContent = words;
    this.status.dataset.kind = kind;
    if (kind === "error") this.announcer.say(words);
    else this.announcer.report(words);
  }

  // --- what is shown -----------------------------------------------------------------------------------------------------------

  /** @param {T.Curves.View} view */
  turnTo(view) {
    this.view = view;
    this.root.dataset.curvesView = view;
    for (const button of this.root.querySelectorAll("[data-view-of-curves]")) {
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.viewOfCurves === view));
    }
    const address = new URL(location.href);
    if (view === "accepted") address.searchParams.delete(PARAMETER);
    else address.searchParams.set(PARAMETER, view);
    if (address.href !== location.href) history.replaceState(history.state, "", address);
    this.redraw();
  }

  /** @returns {T.Drawing} */
  get drawing() {
    const { view, temperatures, lines, points } = this;
    return { view, temperatures, lines, points, showsLimit: this.limit.checked, costs: this.cost.costs };
  }

  redraw() {
    const { drawing, kit } = this;
    const [headline, sentence] = this.headline();
    find(this.root, ".curves-headline").textContent = headline;
    find(this.root, ".curves-sentence").textContent = sentence;
    find(this.root, ".curves-note").textContent = this.note();
    drawTable(this.table, drawing, kit);
    const { size, palette } = this;
    if (!size.width) return;
    const { data, layout } = picture(drawing, kit, size);
    void this.plot.draw(resolve(data, palette), resolve({ ...kit.layout, ...layout }, palette));
  }

  headline() {
    if (!this.lines.length) return [this.run.isRunning ? `Measuring: ${this.models}` : "", ""];
    if (this.view === "speed") return speedWords(this.lines[0], this.kit, this.cost.costs);
    return this.words?.[this.view] ?? ["", ""];
  }

  /** What is seen, and how it was found. */
  note() {
    if (this.view === "speed")
      return this.lines.length
        ? "Expected from the lines and the costs below, not measured. Rings: the fastest k, where it is not the last."
        : "";
    const note = this.words?.note ?? "";
    return this.view === "next" && this.points.length ? `${note} A bar to both sides: tokens counted together.` : note;
  }

  get size() {
    return { width: this.plotElement.clientWidth, height: this.plotElement.clientHeight, letter: letterOf(this.root) };
  }

  get palette() {
    return paletteOf(kitOfPage().palettes);
  }

  /** @param {string} format csv, png or svg */
  async save(format) {
    const name = `curves-${this.view}.${format}`;
    if (format === "csv") {
      const address = URL.createObjectURL(new Blob([csv(this.drawing, this.kit)], { type: "text/csv" }));
      download(address, name);
      URL.revokeObjectURL(address);
      return;
    }
    download(await imageOf(this.drawing, this.kit, this.size, this.palette, /** @type {"png" | "svg"} */ (format)), name);
  }
}

/** @param {string} address @param {string} name */
function download(address, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
}
