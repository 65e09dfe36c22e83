// The shape of a step's tree with another k, as the engine would have chosen it at that step: from the ranks measured in the steps before.

/** @import * as T from "../types" */
import { RankDistribution, shapeOf } from "../what_if/static_trees.js";

/** Children of every vertex of a recorded tree in order of rank; vertex 0 is the root. @param {T.Tree} tree */
export function recordedShape({ parents, q, ranks }) {
  /** @type {number[][]} */
  const children = Array.from({ length: q.length + 1 }, () => []);
  q.forEach((_, vertex) => children[parents[vertex] + 1].push(vertex + 1));
  for (const below of children) below.sort((one, other) => ranks[one - 1] - ranks[other - 1]);
  return children;
}

/**
 * The shapes of a step with 1, 2, … up to the recorded k.
 * @param {T.StepMessage[]} steps of the run
 * @param {number} index of the step
 * @param {T.Settings} settings
 * @param {T.RankSequence | undefined} sequence where it is known
 * @returns {((k: number) => number[][]) | null} null: they do not follow from what was recorded
 */
export function shapesOf(steps, index, settings, sequence) {
  const recorded = recordedShape(steps[index].tree);
  if (settings.topology === "specinfer" || (settings.topology === "tau_star" && !sequence)) return null;
  const distribution = new RankDistribution(sequence?.prior ?? [1], sequence?.prior_visits ?? 1);
  for (const { decisions, tree } of steps.slice(0, index)) {
    for (const [vertex, { leaf, rank }] of Object.entries(decisions)) {
      const drafted = tree.q.filter((_, child) => tree.parents[child] === Number(vertex)).length;
      if (!leaf) distribution.observe(rank ?? -drafted, drafted);
    }
  }
  const { tokens } = steps[index].stats;
  const before = tokens - steps[index].text.length;
  const room = (sequence?.room ?? Number(settings.max_new_tokens)) - before - 1;
  const shapeWith = (/** @type {number} */ k) => shapeOf({ ...settings, draft_tokens: k }, distribution, room).children;
  const isAsRecorded = outline(shapeWith(settings.draft_tokens), 0) === outline(recorded, 0);
  return isAsRecorded ? shapeWith : null;
}

/** A shape as a text, the same for all numberings. @param {number[][]} shape @param {number} vertex @returns {string} */
const outline = (shape, vertex) => `(${shape[vertex].map((child) => outline(shape, child)).join("")})`;
