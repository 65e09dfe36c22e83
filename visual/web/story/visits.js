// What is decided in a step, vertex by vertex, and when in each decision; and when the root's children come.

/** @import { Comings, Fall, Visit } from "./story.js" */
/** @import { Decision, StepMessage } from "../base/types.js" */
import { DRAFT_STOPS } from "../motion/race_lanes.js";
import { arrivals } from "../decision/bar_values.js";

const ROOT = -1;

// in tries, as they are in the coins' scene: when a coin lies and its verdict is read, and the token that is drawn when all were rejected
const LIES = 0.45;
const DRAWN = 0.7;

const MOST_AT_ONCE = 3; // decisions that all coins of a sequence count for

/**
 * When the root's children come: in a race when they arrive, else one after the other.
 *
 * @param {StepMessage} step
 * @returns {Comings}
 */
export function comingsOf({ tree, decisions }) {
  const { clock, q, row_of: rowOf } = decisions[ROOT];
  const children = tree.q.flatMap((_, vertex) => (tree.parents[vertex] === ROOT ? [vertex] : []));
  const times = clock && q ? arrivals(decisions[ROOT], q) : null;
  const last = times && Math.max(...Object.values(rowOf).map((row) => times[row]));
  return new Map(
    children.map((vertex, place) => {
      const row = rowOf[vertex];
      const isListed = times && last && row !== undefined;
      return [vertex, DRAFT_STOPS * (isListed ? times[row] / last : (place + 1) / children.length)];
    }),
  );
}

/**
 * @param {StepMessage} step
 * @returns {Visit[]}
 */
export function visitsOf({ tree, decisions, block }) {
  // the way goes down the tree, where children have higher numbers than their parents
  const way = Object.keys(decisions).map(Number);
  way.sort((one, other) => one - other);
  return way.map((vertex) => {
    const decision = decisions[vertex];
    const coins = decision.tries ?? [];
    const falls = coins.length ? fallsOfTries(coins) : fallsAtOnce(tree, vertex);
    const length = lengthOf(coins);
    // the coins of a sequence all fall at the root
    const atOnce = block && vertex === ROOT ? Math.max(1, Math.min(MOST_AT_ONCE, block.coin.length / 2)) : 1;
    return { vertex, decision, tries: coins.length, length, decisions: coins.length ? length : atOnce, falls };
  });
}

/**
 * The tries, and the token that is drawn where all were rejected.
 *
 * @param {NonNullable<Decision["tries"]>} tries
 */
const lengthOf = (tries) => tries.length + (tries.some(({ accepted }) => accepted) ? 0 : DRAWN);

/**
 * @param {NonNullable<Decision["tries"]>} tries
 * @returns {Fall[]}
 */
function fallsOfTries(tries) {
  const length = lengthOf(tries);
  return tries.map(({ vertex, accepted }, place) => ({
    vertex,
    after: (place + LIES) / length,
    state: accepted ? "accepted" : "rejected",
  }));
}

/**
 * @param {StepMessage["tree"]} tree
 * @param {number} parent
 * @returns {Fall[]}
 */
function fallsAtOnce({ parents, q, states }, parent) {
  return q.flatMap((_, vertex) => (parents[vertex] === parent ? [{ vertex, after: 1, state: states[vertex] }] : []));
}
