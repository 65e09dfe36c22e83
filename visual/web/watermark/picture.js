// A text coloured by its clocks, and the running sums of clocks within the band of other texts.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { number } from "../base/numbers.js";
import { ticksUpTo } from "../lanes/layout.js";
import { html, nothing, svg } from "../lit-html.js";

const DIGITS = 3;
const APART = 6; // percent of the chart’s height between the sums at its right

/** Tokens of a text that are shown: a browser takes seconds to lay out more. All are tested. */
export const MAX_SHOWN = 3000;

/**
 * @typedef {object} Marked a text and its clocks; `texts`, `clocks` and `sums` are columns by token
 * @property {string} id
 * @property {string} title
 * @property {string[]} texts
 * @property {(number | null)[]} clocks
 * @property {number[]} sums of the clocks up to each
 * @property {number[]} counts clocks tested up to each
 * @property {[number, number, number][]} band
 * @property {T.ClockSum} sum
 * @property {number[]} changed tokens where the text was changed
 * @property {string} note
 */

/**
 * Running sums beside the columns.
 * @param {(number | null)[]} clocks
 */
export function runningSums(clocks) {
  let [sum, count] = [0, 0];
  const sums = clocks.map((clock) => (sum += clock ?? 0));
  const counts = clocks.map((clock) => (count += Number(clock !== null)));
  return { sums, counts };
}

/**
 * A text in which each token's ground is its clock.
 * @param {Marked} text
 * @param {number} current token that is pointed at; -1: none
 * @param {T.Kit} kit
 * @param {{ point: (event: Event) => void, key: (event: KeyboardEvent) => void }} on
 */
export function markedText({ id, title, texts, clocks, sum, changed, note }, current, kit, on) {
  const { levels } = kit.watermark;
  const tokens = texts.slice(0, MAX_SHOWN).map((text, index) => {
    const clock = clocks[index];
    const level = clock === null ? "none" : levels.filter((from) => clock >= from).length;
    const marks = `${index === current ? "here" : ""} ${changed.includes(index) ? "changed" : ""}`;
    return html`<span class=${marks} data-level=${level} data-token=${index} .textContent=${index ? text : text.trimStart()}></span>`;
  });
  const sign = sum.headline.slice(0, 1);
  return html`<section class="ersd-marked" data-text=${id}>
    <h3><i class=${`ersd-watermark-line ${id}`}></i><span .textContent=${title}></span></h3>
    <div
      class="ersd-marked-text"
      role="group"
      aria-label=${title}
      tabindex="0"
      dir="auto"
      translate="no"
      @pointerover=${on.point}
      @click=${on.point}
      @keydown=${on.key}
    >
      <p>${tokens}</p>
      ${texts.length > MAX_SHOWN ? html`<p .textContent=${fill(kit.watermark.words.more, { count: (texts.length - MAX_SHOWN).toLocaleString("en") })}></p>` : nothing}
    </div>
    <p class=${`ersd-watermark-verdict ${sum.is_recognised ? "recognised" : ""}`}>
      <b aria-hidden="true" .textContent=${sign}></b> <span .textContent=${sum.headline.slice(1).trim()}></span>
    </p>
    <p class="ersd-watermark-says" .textContent=${sum.says}></p>
    ${note ? html`<p class="ersd-watermark-says" .textContent=${note}></p>` : nothing}
  </section>`;
}

/** Only keys of what is in the texts. @param {T.Kit} kit @param {Marked[]} texts */
export function clockLegend({ watermark: { words, levels } }, texts) {
  const isChanged = texts.some(({ changed }) => changed.length);
  const isUntested = texts.some(({ clocks }) => clocks.includes(null));
  const steps = levels.map((from, level) => html`<span data-level=${level} .textContent=${`< ${from}`}></span>`);
  return html`<p class="ersd-watermark-legend">
    <span .textContent=${words.key_clock}></span>
    <span class="ersd-watermark-scale">${steps}<span data-level=${levels.length} .textContent=${words.key_above}></span></span>
    <span .textContent=${words.key_small}></span>
    ${isUntested ? html`<span data-level="none" .textContent=${words.key_untested}></span>` : nothing}
    ${isChanged ? html`<span class="ersd-watermark-changed" .textContent=${words.key_changed}></span>` : nothing}
  </p>`;
}

/**
 * The sums against the number of clocks, both linear.
 * @param {Marked[]} texts this run's first
 * @param {{ text: Marked, index: number } | null} current token that is pointed at
 * @param {T.Kit} kit
 */
export function sumChart(texts, current, { watermark: { words } }) {
  const widest = texts.reduce((one, other) => (other.sum.count > one.sum.count ? other : one));
  const across = Math.max(1, widest.sum.count);
  const up = Math.max(1, widest.sum.high, ...texts.map(({ sums }) => sums.at(-1) ?? 0));
  const [x, y] = [(/** @type {number} */ count) => (100 * count) / across, (/** @type {number} */ sum) => 100 - (100 * sum) / up];
  const at = (/** @type {[number, number]} */ [count, sum]) => `${x(count).toFixed(2)},${y(sum).toFixed(2)}`;
  const band = [
    ...widest.band.map(([count, low]) => at([count, low])),
    ...widest.band.map(([count, , high]) => at([count, high])).reverse(),
  ];
  const lines = texts.map(({ id, sums, counts }) => {
    const points = [at([0, 0]), ...sums.map((sum, index) => at([counts[index], sum]))];
    return svg`<polyline class=${`line ${id}`} points=${points.join(" ")} vector-effect="non-scaling-stroke" />`;
  });
  const said = texts.map(({ title, sum }) =>
    fill(words.chart, { count: sum.count, name: title, sum: sum.total, low: Math.round(sum.low), high: Math.round(sum.high) }),
  );
  const dot = current && { left: x(current.text.counts[current.index]), top: y(current.text.sums[current.index]) };
  const heights = texts.map(({ sums }) => y(sums.at(-1) ?? 0));
  const [own, other = own] = heights;
  const apart = Math.max(0, APART - Math.abs(own - other)) / 2; // each gives way by half
  const ends = texts.map(({ id, sum, title }, place) => {
    const top = heights[place] + (place > 0 === other >= own ? apart : -apart) * (texts.length - 1);
    return html`<span class=${`end ${id}`} style=${`top: ${top.toFixed(2)}%`} title=${title} .textContent=${sum.total}></span>`;
  });
  return html`<section class="ersd-watermark-sums">
    <h3 .textContent=${words.sum}></h3>
    <p .textContent=${words.sum_note}></p>
    <div class="ersd-watermark-chart" role="img" aria-label=${said.join(". ")}>
      ${ticksUpTo(up).map((tick) => html`<span class="tick up" style=${`top: ${y(tick).toFixed(2)}%`} .textContent=${String(tick)}></span>`)}
      ${ticksUpTo(across).map((tick) => html`<span class="tick along" style=${`left: ${x(tick).toFixed(2)}%`} .textContent=${String(tick)}></span>`)}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <polygon class="others" points=${[at([0, 0]), ...band].join(" ")} />
        <line class="mean" x1="0" y1="100" x2=${x(across)} y2=${y(across)} vector-effect="non-scaling-stroke" />
        ${lines}
      </svg>
      ${ends} ${dot ? html`<i class="dot" style=${`left: ${dot.left}%; top: ${dot.top}%`}></i>` : nothing}
    </div>
    <p class="ersd-watermark-axis" .textContent=${words.axis}></p>
    <p class="ersd-watermark-keys">
      ${texts.map(({ id }) => html`<span><i class=${`ersd-watermark-line ${id}`}></i><span .textContent=${words[`line_${id}`]}></span></span>`)}
      <span><i class="ersd-watermark-line others"></i><span .textContent=${words.line_others}></span></span>
      <span><i class="ersd-watermark-line mean"></i><span .textContent=${words.line_mean}></span></span>
    </p>
  </section>`;
}

/** What is said of the token that is pointed at. @param {Marked} text @param {number} index @param {T.Kit} kit */
export function saidOf({ texts, clocks, sums }, index, { watermark: { words }, numbers }) {
  const values = { token: `“${texts[index].trim() || "↵"}”`, number: index + 1, sum: sums[index].toFixed(2) };
  const clock = clocks[index];
  return clock === null ? fill(words.untested, values) : fill(words.token, { ...values, clock: number(clock, numbers, DIGITS) });
}
