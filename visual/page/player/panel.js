// Which decision belongs to a vertex. A vertex opens the decision about its children; the lists of decisions lead to the one about itself.

/** @import { Panel, StepMessage } from "./types.js" */

/**
 * @typedef {object} Choice  what a reader chose in a step
 * @property {number} vertex
 * @property {boolean} about  the decision about the vertex itself, not the one about its children
 */

/**
 * @typedef {object} Decision  the decision in view
 * @property {Panel} panel
 * @property {number} at  the visited vertex at which it was made, about its children
 * @property {number | null} subject  the child it is shown for; null: it is shown for itself
 */

/**
 * The decision to show. Where nothing was decided about a vertex's children it is the one about the vertex, and where the walk never
 * came near it, the one about the vertex above it at which the walk turned elsewhere: there always is one.
 *
 * @param {StepMessage} step
 * @param {Choice | null} choice null: none, so the last decision about drafted tokens.
 * @returns {Decision}
 */
export function decisionOf({ panels, decided, tree }, choice) {
  const { vertex, about } = choice ?? { vertex: decided, about: false };
  if (!about && panels[vertex]) return { panel: panels[vertex], at: vertex, subject: null };
  let subject = vertex;
  while (!panels[tree.parents[subject]]) subject = tree.parents[subject];
  const at = tree.parents[subject];
  return { panel: panels[at], at, subject };
}

/**
 * The decision that chose or passed over a vertex.
 *
 * @param {StepMessage} step
 * @param {number} vertex
 * @returns {Panel | null} null where its parent was not visited.
 */
export function decisionAbout(step, vertex) {
  return step.panels[step.tree.parents[vertex]] ?? null;
}
