// Which step of a run is shown first: the one that a link or a recording names, else the one that shows most.

/** @import * as T from "../types" */
import { ROOT } from "../tree/items.js";

/** The view that a link names, a step and perhaps a node: waits for the step to arrive. */
export class LinkedView {
  constructor() {
    /** @type {{ step?: number, vertex?: number }} */
    this.wanted = {};
  }

  /**
   * The linked view, once its step is the newest one.
   * @param {T.StepMessage[]} steps
   * @returns {{ index: number, choice: T.Choice | null } | null}
   */
  at(steps) {
    const { step, vertex } = this.wanted;
    if (step !== steps.length) return null;
    this.wanted = {};
    const isThere = vertex !== undefined && (vertex === ROOT || vertex in steps[step - 1].tree.names);
    return { index: step - 1, choice: isThere ? { vertex, about: false } : null };
  }
}

/**
 * The view that the recording names, else the step that shows most.
 * @param {T.StepMessage[]} steps
 * @param {T.RecordingMessage["view"]} view
 * @returns {{ index: number, choice: T.Choice | null }}
 */
export function firstView(steps, view) {
  const vertex = view?.vertex ?? null;
  return { index: view?.step ?? richestStep(steps), choice: vertex === null ? null : { vertex, about: false } };
}

/**
 * The step that shows most: many accepted tokens, and a walk that a token of the target's own ended.
 * @param {T.StepMessage[]} steps
 * @returns {number} its index; -1 without steps.
 */
function richestStep(steps) {
  const scores = steps.map(score);
  return scores.indexOf(Math.max(...scores));
}

/** @param {T.StepMessage} step */
function score({ bar, decisions, walk_end: walkEnd, tree }) {
  const accepted = Math.min(bar.accepted, 4) + (bar.own ? 0.5 : 0);
  const isDecided = Boolean(decisions[walkEnd]?.q); // it ended with both sides known, not at a leaf
  const isFlat = !tree.parents.some((parent) => tree.parents[parent] >= 0);
  return accepted + (isDecided ? 2 : 0) - (isFlat ? 2 : 0);
}
