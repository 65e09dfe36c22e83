// Is it exact, and how much is accepted: two numbers with their gauges.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { scaleOf } from "./probabilities.js";

/**
 * @param {HTMLElement} box
 * @param {T.Lab.Counts} counts
 * @param {T.Lab.Charts} charts
 * @param {{ isSequence: boolean, drafts: boolean, samples: boolean }} of
 */
export function drawFigures(box, { tv, chance, is_off: isOff, accepted, error }, charts, { isSequence, drafts, samples }) {
  const { theory, chance: usual, limit, too_good: isTooGood } = charts;
  const [distance, acceptance] = [find(box, ".lab-tv"), find(box, ".lab-accepted")];
  find(distance, "b").textContent = tv.toFixed(3);
  find(distance, ".lab-tv-from").textContent = samples ? "p" : "max p";
  find(distance, ".of").textContent = `by chance ${chance[0].toFixed(3)}–${chance[1].toFixed(3)}`;
  distance.classList.toggle("off", isOff);
  const full = Math.max(chance[1] * 2, scaleOf([tv, chance[1]]));
  const at = (/** @type {number} */ value) => String(Math.min(1, value / full));
  for (const [name, value] of Object.entries({ low: chance[0], high: chance[1], tv })) distance.style.setProperty(`--${name}`, at(value));
  acceptance.hidden = !drafts;
  const digits = isSequence ? 2 : 3;
  find(acceptance, "b").textContent = accepted.toFixed(digits);
  const range = isSequence && error !== null ? `± ${(2 * error).toFixed(2)}; ` : "";
  const most = limit === null ? "" : `${range}if exact ≤ ${limit.toFixed(digits)}`;
  find(acceptance, ".of").textContent = theory === null ? most : `theory ${theory.toFixed(3)}${byChance(theory, usual)}`;
  acceptance.classList.toggle("off", isTooGood);
  const end = isSequence ? Math.max(accepted, limit ?? 0) * 1.25 || 1 : 1;
  acceptance.style.setProperty("--accepted", String(Math.min(1, accepted / end)));
  acceptance.style.setProperty("--theory", String(Math.min(1, (theory ?? limit ?? 0) / end)));
  const [low, high] = (usual ?? [0, 0]).map((value) => String(value / end));
  acceptance.style.setProperty("--low", low);
  acceptance.style.setProperty("--high", high);
  acceptance.classList.toggle("unknown", theory === null && limit === null);
}

/**
 * How far from theory shares measured in as many trials are; nothing where chance plays no part.
 * @param {number} theory
 * @param {[number, number] | null} range
 */
function byChance(theory, range) {
  const margin = range ? Math.max(range[1] - theory, theory - range[0]).toFixed(3) : "0.000";
  return margin === "0.000" ? "" : ` ± ${margin}`;
}
