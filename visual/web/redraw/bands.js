// The band under a slider: what each of its stops would give, neighbours of the same outcome together.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { html, nothing, render } from "../lit-html.js";

const MIN_LABELLED = 0.25; // share of the slider from which a band has room for its words

/** @typedef {{ kind: "same" | "other" | "run", words: string }} Outcome */

/** @param {T.Redrawn} redrawn @param {Record<string, string>} words @returns {Outcome} */
export function outcomeOf({ kept, why, isSameText }, words) {
  if (why) return { kind: "run", words: words.run };
  if (!isSameText) return { kind: "other", words: words.other };
  return { kind: "same", words: fill(words.kept, { count: kept }) };
}

/** @param {HTMLElement} element @param {Outcome[]} outcomes by stop @param {number} recorded the stop of the recording */
export function drawBands(element, outcomes, recorded) {
  /** @type {{ outcome: Outcome, from: number, stops: number }[]} */
  const bands = [];
  outcomes.forEach((outcome, stop) => {
    const last = bands.at(-1);
    if (last && last.outcome.kind === outcome.kind && last.outcome.words === outcome.words) last.stops += 1;
    else bands.push({ outcome, from: stop, stops: 1 });
  });
  const end = Math.max(1, outcomes.length - 1);
  element.style.setProperty("--recorded", String(recorded / end));
  const parts = bands.map(({ outcome: { kind, words }, from, stops }) => {
    const [left, right] = [Math.max(0, from - 0.5) / end, Math.min(end, from + stops - 0.5) / end];
    const label = right - left >= MIN_LABELLED ? html`<i .textContent=${words}></i>` : nothing;
    return html`<span class=${kind} style="left: ${100 * left}%; width: ${100 * (right - left)}%">${label}</span>`;
  });
  render(parts, element);
}
