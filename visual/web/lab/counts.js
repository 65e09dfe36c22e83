// What the trials gave: is it exact, and how much is accepted, as two numbers with their gauges; and what came out, as bars.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { classes, drawIn, foreign } from "../base/templates.js";
import { html, render } from "../lit-html.js";
import { formatProbability, scaleOf } from "./probabilities.js";

/**
 * @param {HTMLElement} box
 * @param {T.Lab.Counts} counts
 * @param {T.Lab.Charts} charts
 * @param {{ isSequence: boolean, drafts: boolean, samples: boolean }} of
 */
export function drawFigures(box, { tv, chance, is_off: isOff, accepted, error }, charts, { isSequence, drafts, samples }) {
  const { theory, chance: usual, limit, too_good: isTooGood } = charts;
  const digits = isSequence ? 2 : 3;
  const range = isSequence && error !== null ? `± ${(2 * error).toFixed(2)}; ` : "";
  const most = limit === null ? "" : `${range}if exact ≤ ${limit.toFixed(digits)}`;
  drawIn(box, {
    ".lab-tv b": tv.toFixed(3),
    ".lab-tv-from": samples ? "p" : "max p",
    ".lab-tv .of": `by chance ${chance[0].toFixed(3)}–${chance[1].toFixed(3)}`,
    ".lab-accepted b": accepted.toFixed(digits),
    ".lab-accepted .of": theory === null ? most : `theory ${theory.toFixed(3)}${byChance(theory, usual)}`,
  });
  const full = Math.max(chance[1] * 2, scaleOf([tv, chance[1]]));
  const end = isSequence ? Math.max(accepted, limit ?? 0) * 1.25 || 1 : 1;
  const [low, high] = usual ?? [0, 0];
  const [distance, acceptance] = [find(box, ".lab-tv"), find(box, ".lab-accepted")];
  place(distance, { low: chance[0], high: chance[1], tv }, full);
  place(acceptance, { low, high, accepted, theory: theory ?? limit ?? 0 }, end);
  distance.classList.toggle("off", isOff);
  acceptance.hidden = !drafts;
  acceptance.classList.toggle("off", isTooGood);
  acceptance.classList.toggle("unknown", theory === null && limit === null);
}

/** Where the marks of a gauge stand. @param {HTMLElement} gauge @param {Record<string, number>} values @param {number} full */
function place({ style }, values, full) {
  for (const [name, value] of Object.entries(values)) style.setProperty(`--${name}`, String(Math.min(1, value / full)));
}

/**
 * How far from theory shares measured in as many trials are; nothing where chance plays no part.
 * @param {number} theory @param {[number, number] | null} range
 */
function byChance(theory, range) {
  const margin = range ? Math.max(range[1] - theory, theory - range[0]).toFixed(3) : "0.000";
  return margin === "0.000" ? "" : ` ± ${margin}`;
}

/**
 * p as an empty outline, filled with the accepted guesses and with the target's own tokens.
 * @param {HTMLElement} list @param {string[]} names @param {number[]} p @param {T.Lab.Counts} counts
 */
export function drawOutput(list, names, p, { kept, own, trials, signs }) {
  const shares = names.map((_, token) => (kept[token] + own[token]) / trials);
  const full = scaleOf([...p, ...shares]);
  const long = (/** @type {number} */ value) => Math.min(1, value / full);
  const of = trials.toLocaleString("en");
  const rows = names.map((name, token) => {
    const [isOften, isRare] = [signs[token] > 0, signs[token] < 0];
    const most = isOften ? p[token] : 1; // green and blue end at p there
    const all = long(Math.min(shares[token], most));
    const green = long(Math.min(kept[token] / trials, most));
    const lengths = `--p: ${long(p[token])}; --kept: ${green}; --all: ${all}; --share: ${long(shares[token])}`;
    const title = `${kept[token].toLocaleString("en")} accepted, ${own[token].toLocaleString("en")} the target’s own, of ${of}`;
    const sign = (isOften && "▲ ") || (isRare && "▼ ") || "";
    return html`<li class=${classes("lab-row", isOften && "often", isRare && "rare")} style=${lengths}>
      <b class="lab-name">${foreign(name)}</b>
      <span class="lab-output" title=${title}><i class="over"></i><i class="own"></i><i class="kept"></i><i class="outline"></i></span>
      <span class="lab-share" .textContent=${`${sign}${shares[token].toFixed(3)}`}></span>
      <span class="lab-wanted" .textContent=${formatProbability(p[token])}></span>
    </li>`;
  });
  render(rows, list);
}
