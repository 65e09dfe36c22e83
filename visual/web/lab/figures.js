// Is it exact, and how much is accepted: two numbers with their gauges.

/** @import { Charts, Counts } from "./types.js" */
import { find } from "../base/dom.js";
import { scaleOf } from "./probabilities.js";

/**
 * @param {HTMLElement} box
 * @param {Counts} counts
 * @param {Charts} charts
 * @param {{ isSequence: boolean, drafts: boolean }} of
 */
export function drawFigures(box, { tv, chance, is_off: isOff, accepted, trials }, { theory, limit }, { isSequence, drafts }) {
  const [distance, acceptance] = [find(box, ".lab-tv"), find(box, ".lab-accepted")];
  find(distance, "b").textContent = tv.toFixed(3);
  find(distance, ".of").textContent = `by chance ${chance[0].toFixed(3)}–${chance[1].toFixed(3)}`;
  distance.classList.toggle("off", isOff);
  const full = Math.max(chance[1] * 2, scaleOf([tv, chance[1]]));
  const at = (/** @type {number} */ value) => String(Math.min(1, value / full));
  for (const [name, value] of Object.entries({ low: chance[0], high: chance[1], tv })) distance.style.setProperty(`--${name}`, at(value));
  acceptance.hidden = !drafts;
  find(acceptance, "b").textContent = accepted.toFixed(isSequence ? 2 : 3);
  const isTooGood = limit !== null && trials > 1 && accepted > limit + 0.02;
  const most = limit === null ? "" : `${isSequence ? "tokens; " : ""}at most ${limit.toFixed(isSequence ? 2 : 3)} if exact`;
  find(acceptance, ".of").textContent = theory === null ? most : `theory ${theory.toFixed(3)}`;
  acceptance.classList.toggle("off", isTooGood);
  const end = isSequence ? Math.max(accepted, limit ?? 0) * 1.25 || 1 : 1;
  acceptance.style.setProperty("--accepted", String(Math.min(1, accepted / end)));
  acceptance.style.setProperty("--theory", String(Math.min(1, (theory ?? limit ?? 0) / end)));
  acceptance.classList.toggle("unknown", theory === null && limit === null);
}
