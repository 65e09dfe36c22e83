// Which decision is shown while a step plays.

/** @import { Scene, Story } from "../story/story.js" */
import { depthOf } from "../tree/depth.js";

/**
 * Index of the visit: the level being drafted, the root once it is scored, then where the walk stands.
 *
 * @param {Story} story
 * @param {Scene} scene
 */
export function raceInView({ step, visits }, { phase, calls, visit }) {
  if (phase === "score") return 0;
  if (phase !== "draft") return Math.max(0, visit);
  // only as far as the walk follows the draft's first choices: another node would give away where it goes
  const end = visits.findIndex(({ vertex, decision }) => !decision.q || (vertex >= 0 && step.tree.ranks[vertex] > 1));
  const chain = end < 0 ? visits : visits.slice(0, end);
  const reached = chain.filter(({ vertex }) => depthOf(step.tree.parents, vertex) <= calls - 1);
  return Math.max(0, reached.length - 1);
}
