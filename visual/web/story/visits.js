// The visits of a step's walk with the moment at which each node is decided, and the moments at which the root's children arrive.

/** @import * as T from "../types" */
import { draftArrivals, momentOf } from "../race/time_scale.js";
import { ROOT } from "../tree/items.js";

// in tries, as in the coins' scene: when a coin has fallen, and how long the draw after all rejections takes
const COIN_POSITION = 0.45;
const FINAL_DRAW_TRIES = 0.7;

const MAX_TOGETHER = 3; // all coins of a sequence together count for at most this many decisions

/**
 * When the root's children appear: in a race when they arrive, else one after the other.
 * @param {T.StepMessage} step
 * @returns {T.RootArrivals}
 */
export function rootArrivalsOf({ tree, decisions }) {
  const { row_of: rowOf } = decisions[ROOT];
  const children = tree.q.flatMap((_, vertex) => (tree.parents[vertex] === ROOT ? [vertex] : []));
  const times = draftArrivals(decisions[ROOT]);
  const momentAt = momentOf(decisions[ROOT]);
  return new Map(
    children.map((vertex, place) => {
      const row = rowOf[vertex];
      return [vertex, times && row !== undefined ? momentAt(times[row]) : (place + 1) / (children.length + 1)];
    }),
  );
}

/** @param {T.StepMessage} step @returns {T.Visit[]} */
export function visitsOf(step) {
  const { tree, decisions, block } = step;
  const asked = askedOf(step);
  if (asked.length) return visitsFromLeaves(step, asked);
  // the way goes down the tree, where children have higher numbers than their parents
  const way = Object.keys(decisions).map(Number);
  way.sort((one, other) => one - other);
  return way.map((vertex) => {
    const decision = decisions[vertex];
    const coins = decision.tries ?? [];
    const length = lengthOf(coins);
    const falls = coins.length ? fallsOfTries(coins, length) : fallsTogether(tree, vertex, wonAt(decision));
    // the coins of a sequence all fall at the root
    const together = block && vertex === ROOT ? Math.max(1, Math.min(MAX_TOGETHER, block.coin.length / 2)) : 1;
    return { vertex, decision, first: 0, tries: coins.length, length, decisions: coins.length ? length : together, falls };
  });
}

/**
 * Where the leaves are asked first, the walk comes to a node once for all children asked in a row, and again after what follows the next.
 * @param {T.StepMessage} step
 * @param {T.Asked[]} asked
 * @returns {T.Visit[]}
 */
function visitsFromLeaves({ decisions, walk_end: end }, asked) {
  /** @type {T.Visit[]} */
  const visits = [];
  for (const { vertex, place } of asked) {
    const last = visits.at(-1);
    if (last?.vertex === vertex) last.tries += 1;
    else visits.push({ vertex, decision: decisions[vertex], first: place, tries: 1, length: 0, decisions: 0, falls: [] });
  }
  for (const visit of visits) {
    const { decision, first, tries } = visit;
    visit.length = visit.decisions = tries;
    visit.falls = fallsOfTries((decision.tries ?? []).slice(first, first + tries), tries);
  }
  // the coin that keeps a guess keeps all before it
  const kept = Object.values(decisions).flatMap(({ tries = [] }) => tries.filter(({ accepted, turn }) => accepted && !turn));
  visits.at(-1)?.falls.push(...kept.map(({ vertex }) => ({ vertex, after: 1, state: /** @type {const} */ ("accepted") })));
  const first = decisions[end].tries?.length ?? 0;
  return [...visits, { vertex: end, decision: decisions[end], first, tries: 0, length: 1, decisions: 1, falls: [] }];
}

/** The tries, and the token that is drawn where all were rejected. @param {NonNullable<T.Decision["tries"]>} tries */
const lengthOf = (tries) => tries.length + (tries.some(({ accepted }) => accepted) ? 0 : FINAL_DRAW_TRIES);

/** @param {NonNullable<T.Decision["tries"]>} tries @param {number} length of the decision @returns {T.Verdict[]} */
function fallsOfTries(tries, length) {
  return tries.map(({ vertex, accepted }, place) => ({
    vertex,
    after: (place + COIN_POSITION) / length,
    state: accepted ? "accepted" : "rejected",
  }));
}

/** The share of a decision after which it is settled: in a race the first arrival settles it. @param {T.Decision} decision */
function wonAt(decision) {
  const { clock, p, chosen } = decision;
  return clock && chosen >= 0 && p[chosen] ? momentOf(decision)(clock[chosen] / p[chosen]) : 1;
}

/** @param {T.StepMessage["tree"]} tree @param {number} parent @param {number} after @returns {T.Verdict[]} */
function fallsTogether({ parents, q, states }, parent, after) {
  return q.flatMap((_, vertex) => (parents[vertex] === parent ? [{ vertex, after, state: states[vertex] }] : []));
}

/**
 * @typedef {object} Asked
 * @property {number} vertex the node at which it was drafted
 * @property {number} place its number among the tries there, from 0
 * @property {number} child the guess
 * @property {number} turn from 1 in the whole step
 */

/** Nothing where the walk begins at the root. @param {T.StepMessage} step @returns {Asked[]} */
export function askedOf({ decisions }) {
  const asked = Object.entries(decisions).flatMap(([vertex, { tries = [] }]) =>
    tries.flatMap(({ turn, vertex: child }, place) => (turn ? [{ vertex: Number(vertex), place, child, turn }] : [])),
  );
  return asked.sort((one, other) => one.turn - other.turn);
}
