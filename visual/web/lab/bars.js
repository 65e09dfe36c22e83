// The bars one pulls: a row per token, the draft's probability to the left, the target's to the right, each with a handle and a field.

import { around, foreign, make } from "../base/dom.js";
import { isolate } from "../base/format.js";
import { isPlain } from "../base/keys.js";
import { read, scaleOf, withValue, formatProbability } from "./probabilities.js";

/** @import * as T from "../types" */
/** @typedef {"p" | "q"} Side */

const STEP = 0.01; // of the arrow keys
const PAGE = 0.05;
const NAMES = { q: "draft probability q", p: "target probability p" };

/** Draws the rows and reports changes. */
export class Bars {
  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} note what is wrong with a typed number.
   * @param {(side: Side, values: number[]) => void} onChange
   */
  constructor(list, note, onChange) {
    this.list = list;
    this.note = note;
    this.onChange = onChange;
    /** @type {Record<Side, number[]>} */
    this.values = { p: [], q: [] };
    /** @type {string[]} */
    this.names = [];
    this.full = 1;
    /** @type {{ side: Side, token: number, handle: HTMLElement, track: DOMRect } | null} */
    this.pulled = null;
    list.addEventListener("pointerdown", (event) => this.grab(event));
    list.addEventListener("pointermove", (event) => this.pull(event));
    for (const end of ["pointerup", "pointercancel"]) list.addEventListener(end, () => this.release());
    list.addEventListener("keydown", (event) => this.press(event));
    list.addEventListener("change", (event) => this.type(event));
  }

  /** @param {string[]} names @param {number[]} p @param {number[]} q */
  draw(names, p, q) {
    this.values = { p, q };
    if (names.join("\n") !== this.names.join("\n")) {
      this.names = names;
      this.list.replaceChildren(...names.map((name, token) => row(name, token)));
    }
    if (!this.pulled) this.full = scaleOf([...p, ...q]);
    for (const [token, element] of [...this.list.children].entries()) this.place(/** @type {HTMLElement} */ (element), token);
  }

  /** @param {HTMLElement} element @param {number} token */
  place(element, token) {
    for (const side of /** @type {const} */ (["q", "p"])) {
      const value = this.values[side][token];
      element.style.setProperty(`--${side}`, String(Math.min(1, value / this.full)));
      const field = /** @type {HTMLInputElement} */ (element.querySelector(`input[data-side=${side}]`));
      if (field !== document.activeElement || this.pulled) field.value = formatProbability(value);
      const handle = element.querySelector(`[role=slider][data-side=${side}]`);
      handle?.setAttribute("aria-valuenow", String(value));
      handle?.setAttribute("aria-valuetext", formatProbability(value));
    }
  }

  /** What came out, within the target's bars; for screens that have no room for the third column. @param {T.Lab.Counts} counts */
  fill({ kept, own, trials }) {
    for (const [token, element] of [...this.list.children].entries()) {
      const { style } = /** @type {HTMLElement} */ (element);
      style.setProperty("--kept", String(Math.min(1, kept[token] / trials / this.full)));
      style.setProperty("--own", String(Math.min(1, own[token] / trials / this.full)));
      const share = element.querySelector("output");
      if (share) share.textContent = ((kept[token] + own[token]) / trials).toFixed(3);
    }
  }

  /** @param {PointerEvent} event */
  grab(event) {
    const track = around(event, ".lab-pull");
    if (!track || event.button) return;
    const handle = /** @type {HTMLElement} */ (track.querySelector("[role=slider]"));
    event.preventDefault();
    handle.focus({ preventScroll: true });
    track.setPointerCapture(event.pointerId);
    handle.classList.add("pulled");
    const side = /** @type {Side} */ (handle.dataset.side);
    this.pulled = { side, token: Number(handle.dataset.token), handle, track: track.getBoundingClientRect() };
    this.pull(event);
  }

  /** @param {PointerEvent} event */
  pull(event) {
    if (!this.pulled) return;
    const { side, token, track } = this.pulled;
    const from = side === "q" ? track.right - event.clientX : event.clientX - track.left;
    const share = Math.max(0, Math.min(1, from / track.width));
    this.set(side, token, Math.round(share * this.full * 100) / 100);
  }

  release() {
    if (!this.pulled) return;
    this.pulled.handle.classList.remove("pulled");
    this.pulled = null;
    this.draw(this.names, this.values.p, this.values.q); // the scale may change now
    this.onChange("p", this.values.p);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const handle = around(event, "[role=slider]");
    if (!handle || !isPlain(event)) return;
    const side = /** @type {Side} */ (handle.dataset.side);
    const token = Number(handle.dataset.token);
    const out = side === "q" ? "ArrowLeft" : "ArrowRight";
    const back = side === "q" ? "ArrowRight" : "ArrowLeft";
    const value = this.values[side][token];
    const moved = new Map([
      [out, value + STEP],
      ["ArrowUp", value + STEP],
      [back, value - STEP],
      ["ArrowDown", value - STEP],
      ["PageUp", value + PAGE],
      ["PageDown", value - PAGE],
      ["Home", 0],
      ["End", 1],
    ]).get(event.key);
    if (moved === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.set(side, token, Math.max(0, Math.min(1, Math.round(moved * 100) / 100)));
  }

  /** @param {globalThis.Event} event */
  type(event) {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const side = /** @type {Side} */ (field.dataset.side);
    const token = Number(field.dataset.token);
    const value = read(field.value);
    field.setAttribute("aria-invalid", String(value === null));
    if (value === null) {
      this.note.textContent = `The ${NAMES[side]} of ${isolate(this.names[token])} must be a number from 0 to 1, got “${isolate(field.value.slice(0, 20))}”. It stays ${formatProbability(this.values[side][token])}.`;
      return;
    }
    this.set(side, token, value);
    field.value = formatProbability(value);
  }

  /** @param {Side} side @param {number} token @param {number} value */
  set(side, token, value) {
    this.note.textContent = "";
    if (Math.abs(value - this.values[side][token]) < 1e-9) return;
    this.values = { ...this.values, [side]: withValue(this.values[side], token, value) };
    this.draw(this.names, this.values.p, this.values.q);
    this.onChange(side, this.values[side]);
  }
}

/** @param {string} name @param {number} token */
function row(name, token) {
  const element = make("li", "lab-row");
  const halves = /** @type {const} */ (["q", "p"]).map((side) => {
    const field = make("input", "lab-value");
    field.type = "text";
    field.inputMode = "decimal";
    const label = `${NAMES[side]} of ${isolate(name)}`;
    field.setAttribute("aria-label", label);
    const track = make("span", "lab-pull");
    const bar = make("span", `lab-bar ${side}`);
    if (side === "p") bar.append(make("i", "kept"), make("i", "own"));
    const handle = make("span", "lab-handle");
    handle.tabIndex = 0;
    const marks = { role: "slider", "aria-label": label, "aria-valuemin": "0", "aria-valuemax": "1" };
    for (const [key, value] of Object.entries(marks)) handle.setAttribute(key, value);
    for (const each of [field, track, handle]) Object.assign(each.dataset, { side, token: String(token) });
    track.append(bar, handle);
    return { field, track };
  });
  const [q, p] = halves;
  const heading = make("b", "lab-name");
  heading.append(foreign(name));
  element.append(q.field, q.track, heading, p.track, p.field, make("output"));
  return element;
}
