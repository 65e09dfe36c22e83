// Which decision belongs to a node, and what remains of the target's probabilities in it. A click on a node opens the decision about its children;
// the lists open the decision about itself.

/** @import * as T from "../types" */

/**
 * @typedef {object} Choice  what a reader chose in a step
 * @property {number} vertex
 * @property {boolean} about  the decision about the node itself, not the one about its children
 */

/**
 * @typedef {object} InView  the decision that a reader sees
 * @property {T.Decision} decision
 * @property {number} vertex  the visited node at which it was made, about its children
 * @property {number | null} subject  the child it is shown for; null: it is shown for itself
 */

/**
 * The decision to show. Where nothing was decided about a node's children, the decision about the node; where the walk never reached
 * it, the decision at which the walk left the path to it. There always is one.
 * @param {T.StepMessage} step
 * @param {Choice | null} choice null: none, so the one where the step opens.
 * @returns {InView}
 */
export function decisionInView({ decisions, walk_end: end, opens_at: opensAt = end, tree }, choice) {
  const { vertex, about } = choice ?? { vertex: opensAt, about: false };
  if (!about && decisions[vertex]) return { decision: decisions[vertex], vertex, subject: null };
  let subject = vertex;
  while (!decisions[tree.parents[subject]]) subject = tree.parents[subject];
  const decidedAt = tree.parents[subject];
  return { decision: decisions[decidedAt], vertex: decidedAt, subject };
}

/**
 * The decision that chose or passed over a node.
 * @param {T.StepMessage} step
 * @param {number} vertex
 * @returns {T.Decision | null} null where its parent was not visited.
 */
export function decisionThatSettled(step, vertex) {
  return step.decisions[step.tree.parents[vertex]] ?? null;
}

/** Rejections before a stage. @param {T.Decision} decision @param {number | null} stage */
function rejectionsBefore({ tries, left }, stage) {
  if (!tries) return stage === null ? (left?.length ?? 0) : 0; // a sequence is cut once
  return tries.slice(0, stage ?? tries.length).filter(({ accepted }) => !accepted).length;
}

/**
 * What remains of p at a try, by row; p where nothing was taken from it, null where what remains is not known.
 * @param {T.Decision} decision
 * @param {number | null} stage the try in view, from 0; the number of tries: after all of them; null: as decided
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
