// The steps of another tree on the same ERSD text, computed from its ranks with the same arithmetic in the same order as the engine
// (ersd/trace/rank_sequence.py, ersd/drafts/rank_distribution.py, topologies.py), so that every step is the same.

/** @import * as T from "../types" */

/**
 * @typedef {object} TreeChoice  as the fields of `Settings`
 * @property {string} topology
 * @property {number} draft_tokens
 * @property {number[]} branching
 * @property {number} sequences
 * @typedef {{ tokens: number, accepted: number, levels: number, scored: number }} Cut  a step; `levels` of its tree, and tokens its call scores
 * @typedef {{ children: number[][], levels: number }} Shape  `children` by vertex, in order of rank; vertex 0 is the root
 */

const LAST_RANK = 256;

/** Cuts the text into the steps of a run with this tree. @param {T.RankSequence} sequence @param {TreeChoice} choice @returns {Cut[]} */
export function cut({ ranks, room, prior, prior_visits: priorVisits }, choice) {
  const distribution = new RankDistribution(prior, priorVisits);
  const steps = [];
  let position = 0;
  while (position < ranks.length) {
    const { children, levels } = shapeOf(choice, distribution, room - position - 1);
    const begun = position;
    const visits = [];
    let vertex = 0;
    let goesOn = true;
    while (goesOn && position < ranks.length) {
      const rank = ranks[position];
      const below = children[vertex];
      position += 1;
      if (below.length) visits.push({ rank, drafted: below.length });
      goesOn = rank >= 1 && rank <= below.length;
      if (goesOn) vertex = below[rank - 1];
    }
    for (const { rank, drafted } of visits) distribution.observe(rank, drafted);
    const tokens = position - begun;
    steps.push({ tokens, accepted: goesOn ? tokens : tokens - 1, levels, scored: children.length });
  }
  return steps;
}

/** The distribution of the rank R, kept as hazards, as in ersd/drafts/rank_distribution.py. */
export class RankDistribution {
  /**
   * @param {number[]} prior hazards, rank 1 first; the last one stands for all later ranks.
   * @param {number} visits how many visits each prior hazard counts for.
   */
  constructor(prior, visits) {
    this.prior = prior;
    this.visits = visits;
    this.reached = new Array(LAST_RANK + 1).fill(0);
    this.accepted = new Array(LAST_RANK + 1).fill(0);
  }

  /**
   * Counts a visit.
   * @param {number} rank -n where the draft reaches n tokens, and not this one.
   * @param {number} drafted children drafted.
   */
  observe(rank, drafted) {
    const upTo = rank > 0 ? rank : Math.min(drafted, -rank);
    for (let each = 1; each <= Math.min(upTo, LAST_RANK); each += 1) this.reached[each] += 1;
    if (rank > 0 && rank <= LAST_RANK) this.accepted[rank] += 1;
  }

  /** P(R = 1) … P(R = count), then the rest. @param {number} count */
  probabilities(count) {
    const chances = [];
    let left = 1;
    for (let rank = 1; rank <= count; rank += 1) {
      const prior = this.prior[Math.min(rank, this.prior.length) - 1];
      const hazard = (this.visits * prior + this.accepted[rank]) / (this.visits + this.reached[rank]);
      chances.push(left * hazard);
      left -= chances[rank - 1];
    }
    return [...chances, Math.max(0, left)];
  }
}

/** @param {TreeChoice} choice @param {RankDistribution} distribution @param {number} maxDepth 0: nothing is drafted. @returns {Shape} */
export function shapeOf(choice, distribution, maxDepth) {
  if (maxDepth < 1) return { children: [[]], levels: 0 };
  const k = choice.draft_tokens;
  if (choice.topology === "tau_star") return tauStar(distribution.probabilities(k), k, maxDepth);
  return regular(branchingOf(choice).slice(0, maxDepth));
}

/** Children per vertex, level by level. @param {TreeChoice} choice @returns {number[]} */
function branchingOf({ topology, draft_tokens: k, branching, sequences }) {
  if (topology === "sequence") return new Array(k).fill(1);
  if (topology === "batch") return [k];
  if (topology === "specinfer") return branching;
  if (topology !== "multi_sequence") throw new Error(`the steps of ${topology} trees do not follow from ranks`);
  const chains = Math.min(sequences, k);
  return [chains, ...new Array(Math.floor(k / chains) - 1).fill(1)];
}

/** How many vertices a tree has, the root not counted. @param {TreeChoice} choice */
export function sizeOf(choice) {
  if (choice.topology === "tau_star") return choice.draft_tokens;
  let level = 1;
  let size = 0;
  for (const children of branchingOf(choice)) {
    level *= children;
    size += level;
  }
  return size;
}

/** @param {number[]} branching @returns {Shape} */
function regular(branching) {
  /** @type {number[][]} */
  const children = [[]];
  let level = [0];
  for (const count of branching) {
    const next = [];
    for (const parent of level) {
      for (let rank = 0; rank < count; rank += 1) {
        children[parent].push(children.length);
        next.push(children.length);
        children.push([]);
      }
    }
    level = next;
  }
  return { children, levels: branching.length };
}

/** @typedef {{ worth: number, entry: number, parent: number, rank: number, base: number, depth: number }} Candidate */

/**
 * The tree with the most expected accepted tokens: takes the k best candidates; each taken one adds its first child and next sibling.
 * @param {number[]} chances
 * @param {number} k
 * @param {number} maxDepth
 * @returns {Shape}
 */
function tauStar(chances, k, maxDepth) {
  /** @type {number[][]} */
  const children = [[]];
  let levels = 0;
  let entered = 1;
  const queue = new Queue({ worth: chances[0], entry: 0, parent: 0, rank: 1, base: 1, depth: 1 });
  while (queue.size && children.length <= k) {
    const { worth, parent, rank, base, depth } = queue.pop();
    const vertex = children.length;
    children.push([]);
    children[parent].push(vertex);
    levels = Math.max(levels, depth);
    if (rank < chances.length) queue.push({ worth: base * chances[rank], entry: entered, parent, rank: rank + 1, base, depth });
    if (depth < maxDepth) {
      queue.push({ worth: worth * chances[0], entry: entered + 1, parent: vertex, rank: 1, base: worth, depth: depth + 1 });
    }
    entered += 2;
  }
  return { children, levels };
}

/** A priority queue: the most valuable candidate first, of equal ones the earliest. */
class Queue {
  /** @param {Candidate} first */
  constructor(first) {
    this.heap = [first];
  }

  get size() {
    return this.heap.length;
  }

  /** @param {Candidate} candidate */
  push(candidate) {
    const { heap } = this;
    let place = heap.length;
    for (let above = (place - 1) >> 1; place > 0 && isBefore(candidate, heap[above]); above = (place - 1) >> 1) {
      heap[place] = heap[above];
      place = above;
    }
    heap[place] = candidate;
  }

  /** @returns {Candidate} */
  pop() {
    const { heap } = this;
    const top = heap[0];
    const last = /** @type {Candidate} */ (heap.pop());
    if (!heap.length) return top;
    let place = 0;
    for (let below = 1; below < heap.length; below = 2 * place + 1) {
      if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below += 1;
      if (!isBefore(heap[below], last)) break;
      heap[place] = heap[below];
      place = below;
    }
    heap[place] = last;
    return top;
  }
}

/** @param {Candidate} one @param {Candidate} other */
const isBefore = (one, other) => one.worth > other.worth || (one.worth === other.worth && one.entry < other.entry);
