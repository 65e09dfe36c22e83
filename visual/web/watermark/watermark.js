// Whose race was this: the section of a player about the clocks of its text, and of any text that a reader tests.

/** @import * as T from "../types" */
import { around, find } from "../base/dom.js";
import { fill } from "../base/format.js";
import { isPlain } from "../base/keys.js";
import { html, nothing, render } from "../lit-html.js";
import { TestForm } from "./form.js";
import { clockLegend, markedText, runningSums, saidOf, sumChart } from "./picture.js";
import { allClocks, reasons } from "./reasons.js";

/** @typedef {import("./picture.js").Marked} Marked */

/** What is folded away is not drawn. */
export class WatermarkPanel {
  /** @param {HTMLElement} details @param {T.Kit} kit */
  constructor(details, kit) {
    this.details = /** @type {HTMLDetailsElement} */ (details);
    this.kit = kit;
    this.words = kit.watermark.words;
    this.box = find(details, ".ersd-watermark-box");
    this.reasons = /** @type {HTMLDetailsElement} */ (find(details, ".ersd-watermark-reasons"));
    this.all = /** @type {HTMLDetailsElement} */ (find(details, ".ersd-watermark-all"));
    const form = /** @type {HTMLFormElement} */ (find(details, "form"));
    form.hidden = details.closest(".workbench") === null; // a saved file has nobody to ask
    this.form = new TestForm(form, kit.watermark, (...answer) => this.receive(...answer));
    /** @type {T.BeginMessage | undefined} */
    this.first = undefined;
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.until = 0; // steps that the reader has seen
    this.drawn = ""; // how many of how many
    /** @type {Marked | null} */
    this.own = null;
    /** @type {Marked | null} */
    this.tested = null;
    /** @type {{ id: string, index: number } | null} */
    this.current = null; // token that is pointed at
    for (const each of [this.details, this.reasons, this.all]) each.addEventListener("toggle", () => this.show());
    this.on = { point: this.point.bind(this), key: this.key.bind(this) };
  }

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin(message, steps) {
    this.first = message;
    Object.assign(this, { steps, until: 0, drawn: "", own: null, tested: null, current: null });
    this.details.hidden = true;
    render(nothing, this.box);
  }

  /** @param {T.PanelView} view while a run plays, its later tokens are not given away */
  draw({ counted }) {
    const until = counted ? counted.index + 1 : 0;
    const drawn = `${until} of ${this.steps.length}`;
    if (drawn === this.drawn) return;
    if (until !== this.until) this.current = null;
    Object.assign(this, { until, drawn, own: null });
    this.details.hidden = !this.steps[0].clocks; // coins
    this.show();
  }

  /** This run's text as far as the reader is. @returns {Marked | null} */
  ownText() {
    const steps = this.steps.slice(0, this.until);
    const parts = steps.flatMap(({ clocks }) => clocks ?? []);
    const last = parts.at(-1);
    if (!last || !this.first) return null;
    const clocks = parts.flatMap((part) => part.clocks);
    const texts = steps.flatMap(({ text }) => text.map((token) => token.text));
    const band = parts
      .filter(({ sum }) => sum.count)
      .map(({ sum }) => /** @type {[number, number, number]} */ ([sum.count, sum.low, sum.high]));
    const title = this.until < this.steps.length ? fill(this.words.this_far, { step: this.until }) : this.words.this;
    return { id: "this", title, texts, clocks, ...runningSums(clocks), band, sum: last.sum, changed: [], note: "" };
  }

  show() {
    const { kit, words, first } = this;
    if (!this.details.open || !first) return;
    if (!this.own) {
      this.own = this.ownText();
      const { seed, keys } = first.settings;
      const start = this.steps[0]?.clocks?.start ?? 0;
      if (this.own)
        this.form.follow({ text: this.own.texts.join(""), seed: String(seed), start: String(start), keys }, first.models, this.isNew());
    }
    const { own, tested, current } = this;
    if (!own) {
      render(html`<p class="ersd-watermark-note" .textContent=${words.none}></p>`, this.box);
      return;
    }
    const texts = tested ? [own, tested] : [own];
    const pointed = texts.find(({ id }) => id === current?.id) ?? null;
    const token = pointed && current ? { text: pointed, index: current.index } : null;
    const parts = html`<p class="ersd-watermark-note">
        <b .textContent=${first.exact.words}></b> <span .textContent=${words.nothing}></span>
      </p>
      <div class="ersd-watermark-texts">
        ${texts.map((text) => markedText(text, text === pointed && current ? current.index : -1, kit, this.on))}
        <p class="ersd-watermark-said" aria-live="polite" .textContent=${token ? saidOf(token.text, token.index, kit) : words.hint}></p>
        ${clockLegend(kit, texts)}
      </div>
      ${sumChart(texts, token, kit)}`;
    render(parts, this.box);
    const p = this.steps.slice(0, this.until).flatMap(({ clocks }) => clocks?.p ?? []);
    if (this.reasons.open) render(reasons(own, p, first.settings.keys, kit), find(this.reasons, "div"));
    if (this.all.open) render(texts.map(allClocks), find(this.all, "div"));
  }

  /** Is this the first text of another run? */
  isNew() {
    const isNew = this.details.dataset.run !== this.first?.run;
    this.details.dataset.run = this.first?.run ?? "";
    return isNew;
  }

  /** @param {T.TextOfClocks} answer @param {import("./form.js").Fields} asked @param {import("./form.js").Change | null} change */
  receive(answer, asked, change) {
    const { words } = this;
    const keys = fill(words[`by_${asked.keys}`], { start: asked.start.trim() });
    const title = fill(words.tested, { seed: asked.seed.trim(), keys });
    const changed = change ? tokensAt(answer.texts, change.at, change.length) : [];
    const note = [change?.said, this.splitNote(answer.texts)].filter(Boolean).join(" ");
    this.tested = { ...answer, id: "tested", title, ...runningSums(answer.clocks), changed, note };
    this.current = null;
    this.show();
    find(this.box, "[data-text=tested]").scrollIntoView({ block: "nearest" });
  }

  /** How this run's text is split into tokens otherwise than it was written. @param {string[]} texts */
  splitNote(texts) {
    const own = this.own?.texts ?? [];
    const place = texts.findIndex((text, index) => text !== own[index]);
    if (texts.join("") !== own.join("") || (place < 0 && texts.length === own.length)) return "";
    const values = { count: texts.length, own: own.length, number: (place < 0 ? texts.length : place) + 1 };
    return fill(texts.length === own.length ? this.words.split_same : this.words.split, values);
  }

  /** @param {Event} event over a token */
  point(event) {
    const token = around(event, "[data-token]");
    const id = around(event, "[data-text]")?.dataset.text;
    if (!token || !id) return;
    this.current = { id, index: Number(token.dataset.token) };
    this.show();
  }

  /** @param {KeyboardEvent} event in a text */
  key(event) {
    const move = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    const id = around(event, "[data-text]")?.dataset.text;
    const text = id === "tested" ? this.tested : this.own;
    if (move === undefined || !text || !id || event.shiftKey || !isPlain(event)) return;
    event.preventDefault(); // the player leaves such a key alone
    const from = this.current?.id === id ? this.current.index : -1;
    this.current = { id, index: Math.max(0, Math.min(text.texts.length - 1, from + move)) };
    this.show();
  }
}

/** The tokens that have these characters, or for none the one that follows. @param {string[]} texts @param {number} at @param {number} length */
function tokensAt(texts, at, length) {
  let end = 0;
  const ends = texts.map((text) => (end += text.length));
  const isIn = (/** @type {number} */ index) => ends[index] > at && (index ? ends[index - 1] : 0) < at + Math.max(1, length);
  return texts.flatMap((_, index) => (isIn(index) ? [index] : []));
}
