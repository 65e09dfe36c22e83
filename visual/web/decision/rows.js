// Which rows of a decision are shown, and where rows of its order are left out.

/** @import * as T from "../types" */

/**
 * @typedef {object} Shown
 * @property {number} row
 * @property {number | null} rank of a row that stands elsewhere than its rank says; else null
 * @property {boolean} isAfterGap rows before it are left out
 */

/**
 * The rows that have room: those that were drafted or chosen, then the first of the others.
 * @param {T.Decision} decision
 * @param {number} most
 * @param {Record<string, T.MarkStyle>} marks
 * @returns {Shown[]}
 */
export function rowsShown(decision, most, marks) {
  const rows = decision.p.map((_, row) => row);
  const isMarked = (/** @type {number} */ row) => marks[decision.marks[row]].sign !== "" || marks[decision.marks[row]].drafted;
  const first = rows.filter((row) => row === decision.chosen || row === 0);
  const order = [...new Set([...first, ...rows.filter(isMarked), ...rows])].slice(0, Math.max(most, first.length));
  order.sort((one, other) => one - other);
  return order.map((row, place) => {
    const rank = row === decision.chosen ? (decision.rank ?? null) : null;
    const isAbove = rank !== null && rank > place + 1;
    return { row, rank: isAbove ? rank : null, isAfterGap: isAbove || row > (order[place - 1] ?? -1) + 1 };
  });
}

/** How many rows must be shown. @param {T.Decision} decision @param {Record<string, T.MarkStyle>} marks */
export const rowsNeeded = (decision, marks) =>
  decision.marks.filter((mark, row) => marks[mark].drafted || row === decision.chosen || row === 0).length;

/** All rows as they are given, of a decision that knows the ranks of its rows. @param {(number | null)[]} ranks @returns {Shown[]} */
export const rowsAsGiven = (ranks) => ranks.map((rank, row) => ({ row, rank, isAfterGap: false }));
