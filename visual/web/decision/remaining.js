// What remains of the target's probabilities at a try. `stage`: the try in view, from 0; the number of tries: after all of them; null: as decided.

/** @import * as T from "../types" */

/** Arrival times of the tokens in a race. @param {T.Decision} decision @param {number[]} chances */
export function arrivals(decision, chances) {
  return chances.map((chance, row) => (decision.clock ? decision.clock[row] / chance : Infinity));
}

/** The same in the draft's race; null where the draft has no clocks, or was not run. @param {T.Decision} decision */
export const draftArrivals = (decision) =>
  decision.clock && decision.q && decision.scale === undefined ? arrivals(decision, decision.q) : null;

/** Rejections before a stage. @param {T.Decision} decision @param {number | null} stage */
function rejectionsBefore({ tries, left }, stage) {
  if (!tries) return stage === null ? (left?.length ?? 0) : 0; // a sequence is cut once
  return tries.slice(0, stage ?? tries.length).filter(({ accepted }) => !accepted).length;
}

/**
 * By row; p where nothing was taken from it, null where what remains is not known.
 * @param {T.Decision} decision
 * @param {number | null} stage
 * @returns {number[] | null}
 */
export function remainingAt(decision, stage) {
  const rejections = rejectionsBefore(decision, stage);
  if (!rejections) return decision.p;
  const residual = decision.left?.find(({ after }) => after === rejections);
  if (!residual) return null;
  const { p, mass } = residual;
  if (!p) return decision.p;
  return mass === null ? null : p.map((value, row) => Math.min(decision.p[row], value * mass));
}
