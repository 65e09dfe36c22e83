// The two sides of a butterfly: what its bars show at a decision, or at one of the tries that led to it.
//
// `picked` is the try that the reader looks at, null for the decision as it fell; one behind the last is what was left in the end.

/** @import { Kind, Panel } from "./types.js" */

/**
 * @typedef {object} Sides values by row
 * @property {number[] | null} draft null: the draft was not run
 * @property {number[]} target
 * @property {number[] | null} draftBefore what the draft's side was before the tries; null: it is the same
 * @property {number[] | null} targetBefore
 */

/**
 * What the bars show.
 *
 * @param {Panel} panel
 * @param {Kind} kind
 * @param {number | null} picked
 * @returns {Sides}
 */
export function sidesOf(panel, kind, picked) {
  const same = { draftBefore: null, targetBefore: null };
  if (kind.axis === "time") return { draft: panel.q && arrivals(panel, panel.q), target: arrivals(panel, panel.p), ...same };
  if (!panel.left) return { draft: panel.q, target: panel.p, ...same };
  const draft = drawnFrom(panel, tryInView(panel, picked));
  const target = leftAfter(panel, rejectionsBefore(panel, picked)) ?? panel.p;
  return {
    draft,
    target,
    draftBefore: draft === panel.q ? null : panel.q,
    targetBefore: target === panel.p ? null : panel.p,
  };
}

/**
 * When each token arrives in a race.
 *
 * @param {Panel} panel
 * @param {number[]} chances
 */
export function arrivals(panel, chances) {
  return chances.map((chance, row) => (panel.clock ? panel.clock[row] / chance : Infinity));
}

/**
 * Is a time later than the scale? What never arrives is too.
 *
 * @param {number} time
 * @param {{ last: number }} decades
 */
export const isBeyond = (time, { last }) => time > 10 ** last;

/**
 * The try whose sides are shown: the one picked, else the accepted one.
 *
 * @param {Panel} panel
 * @param {number | null} picked
 * @returns {number | null} null after the last rejection.
 */
export function tryInView(panel, picked) {
  const tries = panel.tries ?? [];
  const place = picked ?? tries.findIndex(({ accepted }) => accepted);
  return tries[place] ? place : null;
}

/**
 * Words about the try in view: under the picture, and over its two sides.
 *
 * @param {Panel} panel
 * @param {Kind} kind
 * @param {number | null} picked
 */
export function captions(panel, kind, picked) {
  const { headings } = kind;
  const rejections = rejectionsBefore(panel, picked);
  const place = tryInView(panel, picked);
  const left = leftAfter(panel, rejections);
  const draft = headings[drawing(panel, place).heading];
  const target = left === null || left === panel.p ? headings.target : headings.left;
  const time = panel.tries ? when(place, rejections) : "After the cut";
  return { under: `${time} · ${barsAre(left, draft !== headings.draft || target !== headings.target)}`, draft, target };
}

/**
 * @param {number | null} place
 * @param {number} rejections
 */
function when(place, rejections) {
  if (place === null) return rejections > 1 ? `After all ${rejections} rejections` : "After the rejection";
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
 * How many tries were rejected before the one picked; without one, before the decision fell.
 *
 * @param {Panel} panel
 * @param {number | null} picked
 */
function rejectionsBefore(panel, picked) {
  if (!panel.tries) return panel.left?.length ?? 0; // a sequence is cut once
  const rejected = panel.tries.filter(({ accepted }) => !accepted).length;
  return picked === null ? rejected : Math.min(picked, rejected);
}

/**
 * The target's side after so many rejections.
 *
 * @param {Panel} panel
 * @param {number} rejections
 * @returns {number[] | null} P itself where nothing was taken from it; null where what was left is not recorded.
 */
function leftAfter(panel, rejections) {
  if (!rejections) return panel.p;
  const residual = (panel.left ?? []).find(({ after }) => after === rejections);
  return residual ? (residual.p ?? panel.p) : null;
}

/**
 * The draft's side at a try: Q, or what the child was drawn from or compared with there.
 *
 * @param {Panel} panel
 * @param {number | null} place
 */
function drawnFrom(panel, place) {
  const { q, tries = [], row_of: rowOf } = panel;
  const { heading, factor } = drawing(panel, place);
  if (!q || heading === "draft") return q;
  const gone = heading === "removed" ? tries.slice(0, place ?? 0) : [];
  const rows = new Set(gone.map(({ vertex }) => rowOf[vertex]));
  return q.map((chance, row) => (rows.has(row) ? 0 : chance * factor));
}

/**
 * How the draft's side differs from Q at a try.
 *
 * @param {Panel} panel
 * @param {number | null} place
 * @returns {{ heading: "draft" | "removed" | "scaled", factor: number }} what it is called, and its share of Q.
 */
function drawing(panel, place) {
  if (place === null) return { heading: "draft", factor: 1 };
  const growth = panel.tries?.[place].growth;
  if (growth !== undefined) return { heading: "removed", factor: growth };
  const { rho = 1 } = panel.facts;
  return { heading: rho === 1 ? "draft" : "scaled", factor: rho };
}
