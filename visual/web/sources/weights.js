// Which source guesses: the weight of every source before each step of the run, and the one that was chosen.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { classes, headsOf, tableOf } from "../base/templates.js";
import { html, svg } from "../lit-html.js";

/** @typedef {T.StepMessage & { routing: T.Routing }} Routed a step with a choice of sources */

/** @param {T.BeginMessage} run @param {T.StepMessage[]} steps received @param {T.PanelView} view @param {Record<string, string>} words */
export function weights({ exact }, steps, { index, isFinished, scene }, words) {
  const step = steps[index];
  const routed = steps.filter(isRouted);
  if (!routed.length) return html`<p .textContent=${fill(words.nothing, { step: index + 1 })}></p>`;
  const past = steps.slice(0, index + 1).filter(isRouted);
  const { names } = routed[0].routing;
  const known = past.at(-1)?.routing; // where nothing was drafted, the choice before
  const shown = steps.slice(0, scene.isOver ? undefined : index + 1); // while it plays, what comes is not given away
  const rows = names.map((name, source) => {
    const isChosen = isRouted(step) && step.routing.chosen === source;
    const count = past.filter(({ routing }) => routing.chosen === source).length;
    return html`<tr class=${classes(isChosen && "chosen")}>
      <th scope="row"><i aria-hidden="true" .textContent=${isChosen ? "▸" : ""}></i><span .textContent=${name}></span></th>
      <td class="weights">${barsOf(shown, steps.length, source, index)}</td>
      <td><b .textContent=${known ? known.weights[source].toFixed(2) : "–"}></b></td>
      <td class="more" .textContent=${isRouted(step) && isFinished ? step.routing.losses[source] : "–"}></td>
      <td class="more" .textContent=${fill(words.times, { chosen: count, steps: past.length })}></td>
    </tr>`;
  });
  const heads = html`<td></td>
    <td class="weights" .textContent=${fill(words.steps, { last: steps.length })}></td>
    ${headsOf([words.weight, words.loss, words.chosen])}`;
  return html`<p class="ersd-sources-now" .textContent=${choiceOf(step, index, words)}></p>
    ${tableOf(heads, rows)}
    <p class="ersd-sources-note">
      <span class="ersd-key weight" .textContent=${words.key_weight}></span>
      <span class="ersd-key chosen" .textContent=${words.key_chosen}></span>
      <span class="why" .textContent=${exact.kind === "same-text" ? words.note : words.note_coins}></span>
    </p>`;
}

/** @param {T.StepMessage} step @returns {step is Routed} */
const isRouted = (step) => step.routing !== undefined;

/** @param {T.StepMessage} step @param {number} index @param {Record<string, string>} words */
function choiceOf(step, index, words) {
  if (!isRouted(step)) return fill(words.nothing, { step: index + 1 });
  const { names, weights: all, chosen } = step.routing;
  const isTie = all.filter((weight) => weight === all[chosen]).length > 1;
  return fill(isTie ? words.tie : words.now, { step: index + 1, source: names[chosen] });
}

/**
 * The weights of a source, a bar a step: dark where it was chosen, pale behind the step in view.
 * @param {T.StepMessage[]} shown @param {number} count steps that there is room for @param {number} source @param {number} index of the step in view
 */
function barsOf(shown, count, source, index) {
  const [chosen, others, later] = [[""], [""], [""]];
  shown.forEach((step, place) => {
    if (!isRouted(step)) return;
    const past = step.routing.chosen === source ? chosen : others;
    (place > index ? later : past).push(`M${place} 1V${(1 - step.routing.weights[source]).toFixed(3)}h1V1z`);
  });
  return html`<svg viewBox=${`0 0 ${count} 1`} preserveAspectRatio="none" aria-hidden="true">
    ${svg`<path class="later" d=${later.join("")} /><path class="weight" d=${others.join("")} /><path class="chosen" d=${chosen.join("")} />
    <rect class="here" x=${index} y="0" width="1" height="1" vector-effect="non-scaling-stroke" />`}
  </svg>`;
}
