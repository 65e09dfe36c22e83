// Values of a butterfly's bars: of both sides, at a decision or at one of the tries before it.
//
// `picked` is the try in view, null for the decision itself; the number of tries stands for what was left after the last one.

/** @import { Kind } from "../base/kit_types.js" */
/** @import { Decision } from "../base/types.js" */

/** @type {Record<number, string>} */
const AFTER = { 1: "After the rejection", 2: "After both rejections" };

/**
 * @typedef {object} BarValues by row
 * @property {number[] | null} draft null: the draft was not run
 * @property {number[]} target
 * @property {number[] | null} draftBefore the draft's side before the tries; null: the same
 * @property {number[] | null} targetBefore
 */

/**
 * The values of both sides.
 *
 * @param {Decision} decision
 * @param {Kind} kind
 * @param {number | null} picked
 * @returns {BarValues}
 */
export function barValuesOf(decision, kind, picked) {
  const same = { draftBefore: null, targetBefore: null };
  if (kind.axis === "time") return { draft: decision.q && arrivals(decision, decision.q), target: arrivals(decision, decision.p), ...same };
  if (!decision.left) return { draft: decision.q, target: decision.p, ...same };
  const draft = drawnFrom(decision, tryInView(decision, picked));
  const target = leftAfter(decision, rejectionsBefore(decision, picked)) ?? decision.p;
  return {
    draft,
    target,
    draftBefore: draft === decision.q ? null : decision.q,
    targetBefore: target === decision.p ? null : decision.p,
  };
}

/**
 * Arrival times of the tokens in a race.
 *
 * @param {Decision} decision
 * @param {number[]} chances
 */
export function arrivals(decision, chances) {
  return chances.map((chance, row) => (decision.clock ? decision.clock[row] / chance : Infinity));
}

/**
 * Is a time past the end of the scale? Also true of tokens that never arrive.
 *
 * @param {number} time
 * @param {{ last: number }} decades
 */
export const isBeyond = (time, { last }) => time > 10 ** last;

/**
 * The try whose sides are shown: the one picked, else the accepted one.
 *
 * @param {Decision} decision
 * @param {number | null} picked
 * @returns {number | null} null after the last rejection.
 */
export function tryInView(decision, picked) {
  const tries = decision.tries ?? [];
  const place = picked ?? tries.findIndex(({ accepted }) => accepted);
  return tries[place] ? place : null;
}

/**
 * Captions of the try in view: under the picture, and above its two sides.
 *
 * @param {Decision} decision
 * @param {Kind} kind
 * @param {number | null} picked
 */
export function captions(decision, kind, picked) {
  const { headings } = kind;
  const rejections = rejectionsBefore(decision, picked);
  const place = tryInView(decision, picked);
  const left = leftAfter(decision, rejections);
  const draft = headings[drawing(decision, place).heading];
  const target = left === null || left === decision.p ? headings.target : headings.left;
  const time = decision.tries ? when(place, rejections) : "After the cut";
  return { under: `${time} · ${barsAre(left, draft !== headings.draft || target !== headings.target)}`, draft, target };
}

/**
 * @param {number | null} place
 * @param {number} rejections
 */
function when(place, rejections) {
  if (place === null) return AFTER[rejections] ?? `After all ${rejections} rejections`;
  const after = rejections ? `, after ${rejections} rejection${rejections === 1 ? "" : "s"}` : "";
  return `Try ${place + 1}${after}`;
}

/**
 * @param {number[] | null} left
 * @param {boolean} changed
 */
function barsAre(left, changed) {
  if (left === null) return "what was left is not recorded";
  return changed ? "outline: before" : "P and Q themselves";
}

/**
 * Number of tries rejected before the one picked; without one, before the decision.
 *
 * @param {Decision} decision
 * @param {number | null} picked
 */
function rejectionsBefore(decision, picked) {
  if (!decision.tries) return decision.left?.length ?? 0; // a sequence is cut once
  const rejected = decision.tries.filter(({ accepted }) => !accepted).length;
  return picked === null ? rejected : Math.min(picked, rejected);
}

/**
 * The target's side after a number of rejections.
 *
 * @param {Decision} decision
 * @param {number} rejections
 * @returns {number[] | null} P itself where nothing was taken from it; null where what was left is not recorded.
 */
function leftAfter(decision, rejections) {
  if (!rejections) return decision.p;
  const residual = (decision.left ?? []).find(({ after }) => after === rejections);
  return residual ? (residual.p ?? decision.p) : null;
}

/**
 * The draft's side at a try: Q, or the distribution that the child was drawn from or compared with.
 *
 * @param {Decision} decision
 * @param {number | null} place
 */
function drawnFrom(decision, place) {
  const { q, tries = [], row_of: rowOf } = decision;
  const { heading, factor } = drawing(decision, place);
  if (!q || heading === "draft") return q;
  const gone = heading === "removed" ? tries.slice(0, place ?? 0) : [];
  const rows = new Set(gone.map(({ vertex }) => rowOf[vertex]));
  return q.map((chance, row) => (rows.has(row) ? 0 : chance * factor));
}

/**
 * How the draft's side differs from Q at a try.
 *
 * @param {Decision} decision
 * @param {number | null} place
 * @returns {{ heading: "draft" | "removed" | "scaled", factor: number }} what it is called, and its share of Q.
 */
function drawing(decision, place) {
  if (place === null) return { heading: "draft", factor: 1 };
  const growth = decision.tries?.[place].growth;
  if (growth !== undefined) return { heading: "removed", factor: growth };
  const { rho = 1 } = decision.facts;
  return { heading: rho === 1 ? "draft" : "scaled", factor: rho };
}
