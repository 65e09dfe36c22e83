// The bars one pulls: a row per token, the draft's probability to the left, the target's to the right, each with a handle and a field.

import { around } from "../base/dom.js";
import { isolate } from "../base/format.js";
import { isPlain } from "../base/keys.js";
import { foreign } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";
import { formatProbability, read, scaleOf, withValue } from "./probabilities.js";

/** @import * as T from "../types" */
/** @typedef {"p" | "q"} Side */

const STEP = 0.01; // of the arrow keys
const PAGE = 0.05;
const NAMES = { q: "draft probability q", p: "target probability p" };

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
    /** @type {T.Lab.Counts | null} */
    this.counts = null;
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
    this.names = names;
    this.values = { p, q };
    if (!this.pulled) this.full = scaleOf([...p, ...q]);
    const rows = names.map((_, token) => this.row(token));
    render(rows, this.list);
    for (const field of /** @type {Iterable<HTMLInputElement>} */ (this.list.querySelectorAll("[aria-invalid=true]"))) {
      if (field === document.activeElement) continue;
      const { side, token } = barOf(field);
      field.value = formatProbability(this.values[side][token]);
      field.setAttribute("aria-invalid", "false");
    }
  }

  /** @param {number} token */
  row(token) {
    const name = this.names[token];
    const [q, p] = /** @type {const} */ (["q", "p"]).map((side) => this.half(side, token));
    const long = (/** @type {number} */ value) => Math.min(1, value / this.full);
    const { kept = [], own = [], trials = 1 } = this.counts ?? {};
    const [accepted, others] = [kept[token] ?? 0, own[token] ?? 0];
    const came = `--kept: ${long(accepted / trials)}; --own: ${long(others / trials)}`;
    const lengths = `--q: ${long(this.values.q[token])}; --p: ${long(this.values.p[token])}; ${came}`;
    const share = this.counts ? ((accepted + others) / trials).toFixed(3) : "";
    return html`<li class="lab-row" style=${lengths}>
      ${q.field}${q.track}<b class="lab-name">${foreign(name)}</b>${p.track}${p.field}<output .textContent=${share}></output>
    </li>`;
  }

  /** @param {Side} side @param {number} token */
  half(side, token) {
    const value = this.values[side][token];
    const label = `${NAMES[side]} of ${isolate(this.names[token])}`;
    const words = formatProbability(value);
    const field = html`<input
      class="lab-value"
      inputmode="decimal"
      aria-label=${label}
      data-side=${side}
      data-token=${token}
      .value=${words}
    />`;
    const fills = side === "p" ? html`<i class="kept"></i><i class="own"></i>` : nothing;
    const track = html`<span class="lab-pull" data-side=${side} data-token=${token}>
      <span class="lab-bar ${side}">${fills}</span>
      <span
        class="lab-handle"
        tabindex="0"
        role="slider"
        aria-label=${label}
        aria-valuemin="0"
        aria-valuemax="1"
        aria-valuenow=${value}
        aria-valuetext=${words}
        data-side=${side}
        data-token=${token}
      ></span>
    </span>`;
    return { field, track };
  }

  /** What came out, within the target's bars; for screens that have no room for the third column. @param {T.Lab.Counts} counts */
  fill(counts) {
    this.counts = counts;
    this.draw(this.names, this.values.p, this.values.q);
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
    this.pulled = { ...barOf(handle), handle, track: track.getBoundingClientRect() };
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
    const { side, token } = barOf(handle);
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
    const { side, token } = barOf(field);
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

/** Which bar a field or a handle is of. @param {HTMLElement} control */
const barOf = ({ dataset: { side, token } }) => ({ side: /** @type {Side} */ (side), token: Number(token) });
