// Draw before reveal: the reader draws how many tokens of a chain are accepted, with the pointer or by keys, while the curves are covered.
// Then they are shown, with the guess among them, and a sentence says how far off it was.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { isPlain } from "../base/keys.js";
import { decimal, sum } from "../base/numbers.js";
import { html, render } from "../lit-html.js";
import { boxOf, K_RANGE, K_TICKS, OVER, scaleOf } from "./axes.js";

const STEPS = /** @type {Record<string, number>} */ ({ ArrowUp: 0.1, ArrowDown: -0.1, PageUp: 1, PageDown: -1 });
const MOVES = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowLeft: -1 });
const GUESSED = "sequence"; // the curve
const STYLE = { label: "your guess", about: "", color: "$leader-ink", symbol: "x", width: 2.5, dash: "dot" };

/** Headline and sentence while the curves are covered. @param {number} temperature @returns {[string, string]} */
export const question = (temperature) => [
  `Your guess: how many tokens of a chain are accepted, at T = ${temperature}?`,
  "In a chain every drafted token continues the one before it. Draw a line over the plot, or use Tab and the arrow keys.",
];

/** How far along the axis of k, from 0 to 1. @param {number} k */
const along = (k) => Math.log(k / K_RANGE[0]) / Math.log(K_RANGE[1] / K_RANGE[0]);

/** A guess and the board that it is drawn on, over the plot. */
export class Guess {
  /** @param {HTMLElement} root of the tab's stage. @param {() => void} onChange it begins, or ends. */
  constructor(root, onChange) {
    this.root = root;
    this.onChange = onChange;
    this.board = find(root, ".curves-board");
    /** @type {"none" | "drawing" | "shown"} */
    this.state = "none";
    this.most = 1; // the upper end of the scale
    /** @type {(number | null)[]} accepted tokens, by the index of K_TICKS. */
    this.values = [];
    this.last = -1; // index that the pointer was at
    this.listen();
  }

  listen() {
    const { board } = this;
    find(this.root, "[data-guess=draw]").addEventListener("click", () => this.turn(this.state === "drawing" ? "shown" : "drawing"));
    find(this.root, "[data-guess=skip]").addEventListener("click", () => this.turn("none"));
    board.addEventListener("pointerdown", (event) => {
      board.setPointerCapture(event.pointerId);
      this.last = -1;
      this.drag(event);
    });
    board.addEventListener("pointermove", (event) => {
      if (board.hasPointerCapture(event.pointerId)) this.drag(event);
    });
  }

  /** @param {Guess["state"]} state */
  turn(state) {
    if (state === "drawing") this.values = K_TICKS.map(() => null);
    if (state === "shown" && !this.isDrawn) return;
    this.state = state;
    this.root.dataset.guess = state;
    this.board.hidden = state !== "drawing";
    const [draw, skip] = ["draw", "skip"].map((name) => find(this.root, `[data-guess=${name}]`));
    const labels = { none: "Draw your guess first", drawing: "Show the curves", shown: "Guess again" };
    draw.textContent = labels[state];
    draw.setAttribute("aria-disabled", "false");
    if (skip === document.activeElement) draw.focus(); // it is about to go
    skip.hidden = state !== "drawing";
    this.onChange();
    this.show();
    if (state === "drawing") this.focus(0);
  }

  /** @param {number} index of a handle */
  focus(index) {
    /** @type {NodeListOf<HTMLElement>} */ (this.board.querySelectorAll("[role=slider]"))[index]?.focus({ preventScroll: true });
  }

  /** Are the curves covered? */
  get isCovering() {
    return this.state === "drawing";
  }

  get isDrawn() {
    return this.values.some((value) => value !== null);
  }

  /** @param {KeyboardEvent} event @param {number} index */
  press(event, index) {
    if (!isPlain(event)) return;
    const { key } = event;
    const value = this.values[index] ?? 0;
    if (key in MOVES) this.focus(index + MOVES[key]);
    else if (key in STEPS) this.set(index, value + STEPS[key]);
    else if (key === "Home" || key === "End") this.set(index, key === "Home" ? 0 : this.most);
    else return;
    event.preventDefault();
    this.show();
  }

  /** Draws from where the pointer was to where it is. @param {PointerEvent} event */
  drag({ clientX, clientY }) {
    const { left, top, width, height } = this.board.getBoundingClientRect();
    const k = K_RANGE[0] * (K_RANGE[1] / K_RANGE[0]) ** ((clientX - left) / width);
    const index = Math.min(K_TICKS.length - 1, Math.max(0, Math.round(Math.log2(k))));
    const value = this.most * OVER * (1 - (clientY - top) / height);
    const [from, start] = this.last < 0 ? [index, value] : [this.last, this.values[this.last] ?? value];
    const way = Math.abs(index - from);
    for (let step = 1; step < way; step += 1) this.set(from + Math.sign(index - from) * step, start + ((value - start) * step) / way);
    this.set(index, value);
    this.last = index;
    this.show();
  }

  /** @param {number} index @param {number} value */
  set(index, value) {
    this.values[index] = Math.round(10 * Math.min(this.most, Math.max(0, value))) / 10;
  }

  /** The values at all of K_TICKS: between two that were drawn on a straight line, beyond them as the nearest. */
  get whole() {
    const drawn = this.values.flatMap((value, index) => (value === null ? [] : [{ index, value }]));
    return K_TICKS.map((_, at) => {
      const before = drawn.findLast(({ index }) => index <= at) ?? drawn[0];
      const after = drawn.find(({ index }) => index >= at) ?? before;
      const part = after.index === before.index ? 0 : (at - before.index) / (after.index - before.index);
      return before.value + (after.value - before.value) * part;
    });
  }

  /** The guess as a curve; null while there is none to be shown. @returns {T.Curve | null} */
  get curve() {
    return this.state === "shown" ? { name: "guess", style: STYLE, x: K_TICKS, y: this.whole } : null;
  }

  /**
   * What is drawn while the curves are covered: an axis, twice as high as the curves, so that it does not give them away.
   * @param {T.Curves.Lines[]} lines
   * @returns {Pick<T.Drawing, "view" | "temperatures" | "lines" | "points" | "guess" | "showsLimit">}
   */
  covered(lines) {
    const top = 2 * Math.max(...lines.flatMap(({ curves }) => Object.values(curves).flatMap(({ accepted }) => accepted)));
    const guess = { name: "guess", style: STYLE, x: K_TICKS, y: [top] };
    return { view: "accepted", temperatures: [lines[0].temperature], lines: [], points: [], guess, showsLimit: false };
  }

  /**
   * Lays the board over the plot.
   * @param {HTMLElement} plot
   * @param {T.Drawing} drawing
   * @param {T.Curves.CurvesKit} kit
   * @param {T.Size} size
   */
  cover(plot, drawing, kit, size) {
    const { left, right, top, bottom } = boxOf(0, 1, kit, size);
    const { style } = this.board;
    style.left = `${plot.offsetLeft + left}px`;
    style.top = `${plot.offsetTop + top}px`;
    style.width = `${right - left}px`;
    style.height = `${bottom - top}px`;
    this.most = scaleOf(drawing, drawing.guess ? [drawing.guess] : []).high;
    this.show();
  }

  show() {
    if (!this.isCovering) return;
    const part = (/** @type {number} */ value) => 100 * (1 - value / (this.most * OVER));
    const points = this.isDrawn ? this.whole.map((value, index) => `${100 * along(K_TICKS[index])},${part(value)}`) : [];
    const handles = K_TICKS.map((k, index) => {
      const value = this.values[index];
      return html`<i
        tabindex="0"
        role="slider"
        class=${value === null ? "" : "drawn"}
        style="left: ${100 * along(k)}%; top: ${part(value ?? 0)}%"
        aria-label="Accepted tokens, ${k} drafted"
        aria-orientation="vertical"
        aria-valuemin="0"
        aria-valuemax=${this.most}
        aria-valuenow=${value ?? 0}
        aria-valuetext=${value ?? "not drawn"}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.press(event, index)}
      ></i>`;
    });
    render(
      html`<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path vector-effect="non-scaling-stroke" d=${points.length ? `M${points.join("L")}` : ""}></path>
        </svg>
        ${handles}`,
      this.board,
    );
    find(this.root, "[data-guess=draw]").setAttribute("aria-disabled", String(!this.isDrawn));
  }

  /** How far off the guess was, a sentence. @param {T.Curves.Lines} lines */
  words({ temperature, curves }) {
    const { accepted } = curves[GUESSED];
    const { whole } = this;
    const off = K_TICKS.map((k, index) => Math.abs(whole[index] - accepted[k - 1]));
    const mean = sum(off) / off.length;
    const [last, k] = [whole[whole.length - 1], K_TICKS[K_TICKS.length - 1]];
    return (
      `Your guess for a chain at T = ${temperature} was off by ${decimal(mean, 1)} accepted tokens on average: ` +
      `with ${k} drafted you drew ${decimal(last, 1)}; ${decimal(accepted[k - 1], 1)} are expected.`
    );
  }
}
