// Which decision is shown while a step plays.

/** @import { Scene, Story } from "../story/story.js" */
import { depthOf } from "../tree/depth.js";

/**
 * Index of the visit: the level that is being drafted, the root once it is scored, then where the walk stands.
 *
 * @param {Story} story
 * @param {Scene} scene
 */
export function raceInView({ step, visits }, { phase, calls, visit }) {
  if (phase === "score") return 0;
  if (phase !== "draft") return Math.max(0, visit);
  const reached = visits.filter(({ vertex, decision }) => decision.q && depthOf(step.tree.parents, vertex) <= calls - 1);
  return Math.max(0, reached.length - 1);
}
