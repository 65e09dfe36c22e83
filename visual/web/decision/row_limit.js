// Limits a decision to the rows that fit: rows with a mark stay, then the first of the others.

/** @import { MarkStyle } from "../base/kit_types.js" */
/** @import { Decision } from "../base/types.js" */

/**
 * @param {Decision} decision
 * @param {number} most rows there is room for.
 * @param {Record<string, MarkStyle>} marks
 * @returns {Decision} the same where all have room.
 */
export function limitRows(decision, most, marks) {
  const rows = decision.p.map((_, row) => row);
  if (rows.length <= most) return decision;
  const isMarked = (/** @type {number} */ row) => marks[decision.marks[row]].sign !== "";
  let free = most - rows.filter(isMarked).length;
  const kept = rows.filter((row) => isMarked(row) || free-- > 0);
  /** @template T @param {T[]} column */
  const of = (column) => kept.map((row) => column[row]);
  return {
    ...decision,
    names: of(decision.names),
    marks: of(decision.marks),
    p: of(decision.p),
    q: decision.q && of(decision.q),
    ...(decision.clock && { clock: of(decision.clock) }),
    chosen: kept.indexOf(decision.chosen),
    row_of: Object.fromEntries(
      Object.entries(decision.row_of).flatMap(([child, row]) => (kept.includes(row) ? [[child, kept.indexOf(row)]] : [])),
    ),
    ...(decision.left && { left: decision.left.map(({ after, p }) => ({ after, p: p && of(p) })) }),
  };
}
