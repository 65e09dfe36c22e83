// Which decision belongs to a vertex.

/** @import { Panel, StepMessage } from "./types.js" */

/**
 * The decision to show for a vertex: the one made at it, else, as at the target's own token, the one made about it.
 *
 * @param {StepMessage} step
 * @param {number | null} vertex null: none was chosen, so where the walk ended.
 * @returns {Panel | null} null where nothing was decided.
 */
export function panelOf(step, vertex) {
  if (vertex === null) return step.panels[step.walk_end] ?? null;
  return step.panels[vertex] ?? decisionAbout(step, vertex);
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
