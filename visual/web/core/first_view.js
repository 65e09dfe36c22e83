// Which step of a recorded run is shown first.

/** @import { RecordingMessage, StepMessage } from "../base/types.js" */
/** @import { Choice } from "../decision/decision.js" */

/**
 * The view that the recording names, else the step that shows most.
 *
 * @param {StepMessage[]} steps
 * @param {RecordingMessage["view"]} view
 * @returns {{ index: number, choice: Choice | null }}
 */
export function firstView(steps, view) {
  const vertex = view?.vertex ?? null;
  return { index: view?.step ?? richestStep(steps), choice: vertex === null ? null : { vertex, about: false } };
}

/**
 * The step that shows most: many accepted tokens, and a walk that a token of the target's own ended.
 *
 * @param {StepMessage[]} steps
 * @returns {number} its index; -1 without steps.
 */
function richestStep(steps) {
  const scores = steps.map(score);
  return scores.indexOf(Math.max(...scores));
}

/** @param {StepMessage} step */
function score({ bar, decisions, walk_end: walkEnd, tree }) {
  const accepted = Math.min(bar.accepted, 4) + (bar.own ? 0.5 : 0);
  const isDecided = Boolean(decisions[walkEnd]?.q); // it ended with both sides known, not at a leaf
  const isFlat = !tree.parents.some((parent) => tree.parents[parent] >= 0);
  return accepted + (isDecided ? 2 : 0) - (isFlat ? 2 : 0);
}
