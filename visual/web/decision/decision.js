// Which decision belongs to a node. A click on a node opens the decision about its children; the lists open the decision about itself.

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
