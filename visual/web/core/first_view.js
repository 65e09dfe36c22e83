// What of a recorded run is shown first.

/** @import { RecordingMessage, StepMessage } from "../base/types.js" */
/** @import { Choice } from "../decision/decision.js" */

/**
 * What the recording asks for, or else the step that tells most.
 *
 * @param {StepMessage[]} steps
 * @param {RecordingMessage["view"]} view
 * @returns {{ index: number, choice: Choice | null }}
 */
export function firstView(steps, view) {
  const vertex = view?.vertex ?? null;
  return { index: view?.step ?? firstInView(steps), choice: vertex === null ? null : { vertex, about: false } };
}

/**
 * The step that tells most: it has accepted a good deal, and a token of the target's own ended its walk.
 *
 * @param {StepMessage[]} steps
 * @returns {number} its index; -1 without steps.
 */
function firstInView(steps) {
  const worths = steps.map(worth);
  return worths.indexOf(Math.max(...worths));
}

/** @param {StepMessage} step */
function worth({ bar, decisions, walk_end: walkEnd, tree }) {
  const accepted = Math.min(bar.accepted, 4) + (bar.own ? 0.5 : 0);
  const isDecided = Boolean(decisions[walkEnd]?.q); // it ended with both sides known, not at a leaf
  const isFlat = Math.max(...tree.columns) < 3;
  return accepted + (isDecided ? 2 : 0) - (isFlat ? 2 : 0);
}
