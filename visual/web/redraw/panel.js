// Redraw: the step in view at another temperature or k. Sliders for temperature and k, what their stops would give, and the ways back and on.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { count, fill } from "../base/format.js";
import { isPlain } from "../base/keys.js";
import { drawIn } from "../base/templates.js";
import { nothing, render } from "../lit-html.js";
import { drawBands, outcomeOf } from "./bands.js";
import { redraw } from "./redraw.js";
import { recordedShape, shapesOf } from "./shape.js";
import { ROOT } from "../tree/items.js";

const MAX_CHARACTERS = 8000; // of an address that servers take (visual/ui/links.py)
const MAX_STOPS = 64; // of a slider whose stops are all computed beforehand

/** The box of a player that takes the place of its stepper. */
export class RedrawPanel {
  /** @param {HTMLElement} root the player @param {T.Kit} kit @param {(redrawAt: T.RedrawAt | null) => void} onChoice @param {AbortSignal} ended */
  constructor(root, kit, onChoice, ended) {
    this.root = root;
    this.kit = kit;
    this.words = kit.redraw.words;
    this.box = find(root, ".ersd-redraw");
    this.button = find(root, ".ersd-redraw-open");
    this.onChoice = onChoice;
    const slider = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (find(this.box, `[data-of=${name}] input`));
    this.sliders = { temperature: slider("temperature"), k: slider("k") };
    this.run = find(this.box, ".ersd-redraw-run");
    this.run.hidden = root.closest(".workbench") === null; // a saved file has nothing that runs it
    /** @type {T.BeginMessage | undefined} */
    this.first = undefined;
    /** @type {T.RankSequence | undefined} */
    this.ranks = undefined;
    this.isOver = false;
    this.isOpening = false; // by its button, and it is not drawn yet
    /** @type {T.StepMessage | undefined} */
    this.step = undefined; // that the rest is about
    /** @type {((k: number) => number[][]) | null} */
    this.shapeWith = null;
    /** @type {Map<string, T.Redrawn>} */
    this.known = new Map();
    /** @type {T.RedrawAt | null} */
    this.redrawAt = null;
    for (const input of Object.values(this.sliders)) input.addEventListener("input", () => this.choose());
    this.button.addEventListener("click", () => this.open());
    find(this.box, ".ersd-redraw-back").addEventListener("click", () => onChoice(null));
    this.run.addEventListener("click", () => this.runIt());
    this.listen(ended);
  }

  /** @param {T.BeginMessage} message */
  begin(message) {
    this.first = message;
    this.ranks = undefined;
    this.isOver = false;
    this.step = undefined;
    this.draw({ redrawAt: null, redrawn: null });
  }

  /** @param {T.EndMessage | undefined} message of a run that came to its end */
  finish(message) {
    this.ranks = message?.ranks;
    this.isOver = true;
    this.step = undefined;
  }

  /** Temperature and k of the run. @returns {T.RedrawAt} */
  get recorded() {
    const { temperature, draft_tokens: k } = /** @type {T.BeginMessage} */ (this.first).settings;
    return { temperature: Number(temperature), k };
  }

  get temperatures() {
    return [...new Set([...this.kit.redraw.temperatures, this.recorded.temperature])].sort((one, other) => one - other);
  }

  open() {
    this.isOpening = true;
    this.onChoice(this.recorded);
  }

  /** Gives the focus to the first control, once the box is there. */
  enter() {
    const { temperature, k } = this.sliders;
    const controls = [temperature, k, find(this.box, ".ersd-redraw-back")];
    if (this.isOpening) controls.find((control) => !control.matches(":disabled"))?.focus({ preventScroll: true });
    this.isOpening = false;
  }

  choose() {
    const { temperature, k } = this.sliders;
    this.onChoice({ temperature: this.temperatures[Number(temperature.value)], k: Number(k.value) + 1 });
  }

  /**
   * The step as it would be.
   * @param {T.StepMessage[]} steps of the run
   * @param {number} index
   * @param {T.RedrawAt} redrawAt
   * @returns {T.Redrawn | null} null: as it was
   */
  redrawn(steps, index, redrawAt) {
    this.take(steps, index);
    const { temperature, k } = this.recorded;
    return redrawAt.temperature === temperature && redrawAt.k === k ? null : this.at(redrawAt);
  }

  /** @param {T.StepMessage[]} steps @param {number} index */
  take(steps, index) {
    if (this.step === steps[index]) return;
    this.step = steps[index];
    this.known.clear();
    this.shapeWith = this.first && !this.first.redraw ? shapesOf(steps, index, this.first.settings, this.ranks) : null;
  }

  /** @param {T.RedrawAt} redrawAt @returns {T.Redrawn} */
  at(redrawAt) {
    const [step, key] = [/** @type {T.StepMessage} */ (this.step), `${redrawAt.temperature} ${redrawAt.k}`];
    const shape = redrawAt.k === this.recorded.k ? recordedShape(step.tree) : this.shapeWith?.(redrawAt.k);
    const known = this.known.get(key) ?? redraw(step, shape ?? recordedShape(step.tree), this.recorded.temperature, redrawAt, this.kit);
    this.known.set(key, known);
    return known;
  }

  /** Esc leads back, wherever the focus is. @param {AbortSignal} ended */
  listen(ended) {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const isMeant = event.key === "Escape" && isPlain(event) && !event.defaultPrevented && this.box.offsetParent;
      if (isMeant && !document.querySelector("dialog[open]")) this.onChoice(null);
    };
    document.addEventListener("keydown", onKey, { signal: ended });
  }

  /** Shows the box for the step of `redrawn`, or hides it. @param {Pick<T.PanelView, "redrawAt" | "redrawn">} view */
  draw({ redrawAt, redrawn }) {
    const isOpen = redrawAt !== null;
    const hadFocus = this.box.contains(document.activeElement);
    this.redrawAt = redrawAt;
    this.box.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    this.root.classList.toggle("redrawn", isOpen);
    if (hadFocus && !isOpen) this.button.focus({ preventScroll: true });
    if (!redrawAt) return;
    const step = /** @type {T.StepMessage} */ (this.step);
    const { recorded, words, temperatures } = this;
    const ks = Array.from({ length: recorded.k }, (_, place) => place + 1);
    this.drawSlider("temperature", temperatures, redrawAt, this.whyNoTemperature(step));
    this.drawSlider("k", ks, redrawAt, this.whyNoK());
    const tokens = (redrawn?.step ?? step).text.length;
    const isWhole = !redrawn?.why;
    this.box.dataset.tokens = String(tokens);
    this.box.dataset.certain = String(isWhole);
    const goesOn = redrawn?.isSameText === false ? words.other_text : "";
    drawIn(this.box, {
      ".ersd-redraw-tag": fill(words.step, { step: step.index + 1 }),
      "[data-shows=tokens]": `${isWhole ? "" : "≥ "}${count(tokens, "token")}`,
      "[data-shows=recorded]": fill(words.tokens, { recorded: step.text.length }),
      "[data-shows=why]": redrawn?.why ? `${redrawn.why} ${words.needs_run}` : goesOn || (redrawn ? words.same_text : ""),
    });
    this.enter();
  }

  /** @param {T.StepMessage} step @returns {string} empty where there is one */
  whyNoTemperature({ decisions }) {
    return this.first?.redraw || (decisions[ROOT].others ? "" : this.words.old);
  }

  whyNoK() {
    if (this.first?.redraw) return this.first.redraw;
    if (this.shapeWith) return "";
    if (this.first?.settings.topology === "specinfer") return this.words.branching;
    return this.isOver ? this.words.unknown_shape : this.words.wait;
  }

  /** @param {"temperature" | "k"} name @param {number[]} stops @param {T.RedrawAt} redrawAt @param {string} why it is off */
  drawSlider(name, stops, redrawAt, why) {
    const input = this.sliders[name];
    const slider = find(this.box, `[data-of=${name}]`);
    const bands = find(slider, ".ersd-bands");
    input.max = String(stops.length - 1);
    input.value = String(stops.indexOf(redrawAt[name]));
    input.disabled = Boolean(why) || stops.length < 2;
    input.setAttribute("aria-valuetext", String(redrawAt[name]));
    const recorded = fill(this.words.recorded, { value: this.recorded[name] });
    drawIn(slider, { output: String(redrawAt[name]), "label > span": recorded, ".ersd-redraw-not": why });
    bands.hidden = Boolean(why);
    if (why || stops.length > MAX_STOPS) render(nothing, bands);
    else {
      const outcomes = stops.map((stop) => outcomeOf(this.at({ ...redrawAt, [name]: stop }), this.words));
      drawBands(bands, outcomes, stops.indexOf(this.recorded[name]));
    }
  }

  runIt() {
    if (!this.first || !this.redrawAt) return;
    const link = linkOf(this.first, this.redrawAt, this.step?.index ?? 0);
    if (link) location.assign(link);
    else drawIn(this.box, { "[data-shows=why]": this.words.too_long });
  }
}

/**
 * The address at which the page runs the settings of a run with another temperature and k, and shows the same step; empty: it would be too long.
 * @param {T.BeginMessage} run
 * @param {T.RedrawAt} redrawAt
 * @param {number} index of the step
 */
function linkOf({ prompt, models, settings }, { temperature, k }, index) {
  const link = new URL(location.pathname, location.origin);
  const values = { prompt, models, ...settings, temperature, draft_tokens: k, step: index + 1 };
  for (const [name, value] of Object.entries(values)) link.searchParams.set(name, String(value));
  if (document.body.classList.contains("dark")) link.searchParams.set("__theme", "dark");
  return link.href.length > MAX_CHARACTERS ? "" : link.href;
}
