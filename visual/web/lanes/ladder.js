// Guesses from the target's first layers: how far each draft call climbs, beside the one call that climbs all layers with all guesses; what
// that comes to in the whole run; and from how many tokens a call on it would pay, at this exit and at others.

/** @import * as T from "../types" */
import { count } from "../base/format.js";
import { decimal, sum } from "../base/numbers.js";
import { callOf, draftingOf } from "../figures/cost_ratio.js";
import { html } from "../lit-html.js";

const MAX_COLUMNS = 8;

/** @param {T.Ladder} rungs @param {T.StepMessage[]} steps of the run so far @param {number} index of the step in view */
export function ladder({ exit, layers, place }, steps, index) {
  const step = steps[index];
  if (!step) return html``;
  const climbs = step.draft_calls;
  const shown = Math.min(climbs, MAX_COLUMNS);
  const columns = Array.from({ length: shown }, (_, call) =>
    column(exit, "call", call + 1 < shown || shown === climbs ? `${call + 1}` : `… ${climbs}`),
  );
  const tokens = step.text.length;
  const inAll = (/** @type {number} */ calls, /** @type {number} */ drafts) => calls * layers + drafts * exit;
  const [drafts, written] = [sum(steps.map(({ draft_calls: calls }) => calls)), sum(steps.map(({ text }) => text.length))];
  const all = inAll(steps.length, drafts);
  const label = `${count(climbs, "draft call")} of ${exit} layers, one target call of ${layers}`;
  return html`<section class="ersd-ladder">
    <h3 .textContent=${`The target guesses for itself: a draft call climbs ${exit} of its ${layers} layers`}></h3>
    <div class="ersd-rungs" role="img" aria-label=${label}>
      ${columns}${column(layers, "verify", step.tree.q.length === 1 ? "the one guess" : `all ${step.tree.q.length} guesses together`)}
    </div>
    <p
      .textContent=${`Step ${index + 1}: ${climbs} · ${exit} + ${layers} = ${inAll(1, climbs)} layers one after the other, for ${count(tokens, "token")}; without a draft ${tokens} · ${layers} = ${tokens * layers}.`}
    ></p>
    <p
      .textContent=${`All ${steps.length} steps: ${drafts} · ${exit} + ${steps.length} · ${layers} = ${all} layers for ${count(written, "token")}; without a draft ${written} · ${layers} = ${written * layers}: ${all < written * layers ? "fewer" : "more"}.`}
    ></p>
    <p .textContent=${pays({ exit, layers, place }, steps[steps.length - 1])}></p>
  </section>`;
}

/** Whether the run pays by the costs measured on its machine, and at which exits it could. @param {T.Ladder} rungs @param {T.StepMessage} newest */
export function pays({ exit, layers, place }, { speedup }) {
  if (!speedup.basis) return "";
  const [perCall, levels, scored] = speedup.basis;
  const most = levels + 1; // tokens that a call with so many draft calls can give
  const from = (/** @type {number} */ exits) =>
    (callOf(place, scored) + draftingOf({ ...place, level: (place.level * exits) / exit }, levels, scored)) / place.calls[0][1];
  const gives = `a call gives ${decimal(perCall, 2)} tokens, and pays from ${decimal(from(exit), 2)} on`;
  if (perCall > from(exit)) return `By the costs of the parts of a step here it pays: ${gives}.`;
  const exits = Array.from({ length: layers - 1 }, (_, at) => at + 1);
  const list = exits.map((at) => `${at}: ${decimal(from(at), 2)}`).join(", ");
  const lost = `By the costs of the parts of a step here the whole run loses: ${gives}. Exits by their layers, and from where they pay: ${list}.`;
  // an earlier exit guesses no better than this one
  const possible = exits.filter((at) => at !== exit && from(at) < (at < exit ? perCall : most));
  if (possible.length)
    return `${lost} Only exits after ${possible.join(", ")} layers could pay, if the guesses from there are as good as that takes.`;
  return `${lost} So none pays: an earlier exit guesses no better than this one, and a call with so many draft calls gives at most ${decimal(most, 2)}.`;
}

/** @param {number} layers @param {"call" | "verify"} kind @param {string} name */
const column = (layers, kind, name) =>
  html`<div class=${`ersd-rung ${kind}`}>
    ${Array.from({ length: layers }, () => html`<i></i>`)}
    <span .textContent=${name}></span>
  </div>`;
