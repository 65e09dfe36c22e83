// The visits of a step's walk with the moment at which each vertex is decided, and the moments at which the root's children arrive.

/** @import { Comings, Fall, Visit } from "./story.js" */
/** @import { Decision, StepMessage } from "../base/types.js" */

const ROOT = -1;
const DRAFT_STOPS = 0.85; // share of a draft call after which its race has found all its children

// in tries, as in the coins' scene: when a coin has fallen, and how long the draw after all rejections takes
const LIES = 0.45;
const DRAWN = 0.7;

const MOST_TOGETHER = 3; // all coins of a sequence together count for at most this many decisions

/**
 * When the root's children appear: in a race when they arrive, else one after the other.
 *
 * @param {StepMessage} step
 * @returns {Comings}
 */
export function comingsOf({ tree, decisions }) {
  const { clock, q, row_of: rowOf } = decisions[ROOT];
  const children = tree.q.flatMap((_, vertex) => (tree.parents[vertex] === ROOT ? [vertex] : []));
  const times = clock && q ? q.map((chance, row) => clock[row] / chance) : null;
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
    const falls = coins.length ? fallsOfTries(coins) : fallsTogether(tree, vertex);
    const length = lengthOf(coins);
    // the coins of a sequence all fall at the root
    const together = block && vertex === ROOT ? Math.max(1, Math.min(MOST_TOGETHER, block.coin.length / 2)) : 1;
    return { vertex, decision, tries: coins.length, length, decisions: coins.length ? length : together, falls };
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
function fallsTogether({ parents, q, states }, parent) {
  return q.flatMap((_, vertex) => (parents[vertex] === parent ? [{ vertex, after: 1, state: states[vertex] }] : []));
}
