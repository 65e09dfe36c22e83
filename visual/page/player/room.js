// A decision in as many rows as there is room for: those that matter stay, of the others the first ones.

/** @import { MarkStyle, Panel } from "./types.js" */

/**
 * @param {Panel} panel
 * @param {number} most rows there is room for.
 * @param {Record<string, MarkStyle>} marks
 * @returns {Panel} the same where all have room.
 */
export function inRows(panel, most, marks) {
  const rows = panel.p.map((_, row) => row);
  if (rows.length <= most) return panel;
  const isMarked = (/** @type {number} */ row) => marks[panel.marks[row]].sign !== "";
  let free = most - rows.filter(isMarked).length;
  const kept = rows.filter((row) => isMarked(row) || free-- > 0);
  /** @template T @param {T[]} column */
  const of = (column) => kept.map((row) => column[row]);
  return {
    ...panel,
    names: of(panel.names),
    marks: of(panel.marks),
    p: of(panel.p),
    q: panel.q && of(panel.q),
    ...(panel.clock && { clock: of(panel.clock) }),
    chosen: kept.indexOf(panel.chosen),
    row_of: Object.fromEntries(
      Object.entries(panel.row_of).flatMap(([child, row]) => (kept.includes(row) ? [[child, kept.indexOf(row)]] : [])),
    ),
    ...(panel.left && { left: panel.left.map(({ after, p }) => ({ after, p: p && of(p) })) }),
  };
}
