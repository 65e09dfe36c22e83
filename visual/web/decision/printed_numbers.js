// The numbers of a decision: beside the bars of a race's rows, one clock divided on each side, and as cells of a table, a line for each token.
// They are printed so that all divisions come out.

/** @import * as T from "../types" */
import { number, quotientColumns, quotientValue } from "../base/numbers.js";

const FEWEST = 2;
const MAX_OF_TIMES = 5; // digits; two arrivals this close are left to the hover label
const LATE = 1000; // later arrivals are not told apart in a table

/**
 * @typedef {object} RowNumbers
 * @property {string} clock
 * @property {Side | null} draft null: the draft was not run
 * @property {Side} target
 * @typedef {{ chance: string, time: string }} Side  `clock` divided by `chance` is `time`; "∞" where the chance is 0
 * @typedef {{ clock: number, q: number | null, p: number }} RowValues
 */

/**
 * The numbers of the rows of one race. The first arrival of each side looks different from all others there: that decides the race.
 * @param {RowValues[]} rows
 * @param {T.NumberFormat} format
 * @returns {RowNumbers[]}
 */
export function raceNumbers(rows, format) {
  const found = rows.map((row) => rowNumbers(row, format));
  const firsts = { draft: firstOf(rows.map(({ clock, q }) => clock / (q ?? 0))), target: firstOf(rows.map(({ clock, p }) => clock / p)) };
  for (let digits = FEWEST + 1; digits <= MAX_OF_TIMES; digits += 1) {
    const close = [...alikeRows(found, "draft", firsts.draft), ...alikeRows(found, "target", firsts.target)];
    if (!close.length) break;
    for (const row of close) found[row] = rowNumbers(rows[row], format, digits);
  }
  return found;
}

/** @param {number[]} times */
const firstOf = (times) => times.indexOf(Math.min(...times));

/**
 * The first row and those with the same printed time on a side; none if its time is its own.
 * @param {RowNumbers[]} found
 * @param {"draft" | "target"} side
 * @param {number} first
 */
function alikeRows(found, side, first) {
  const time = found[first]?.[side]?.time ?? "";
  const rows = found.flatMap((row, at) => (row[side]?.time === time ? [at] : []));
  return rows.length > 1 && /^\d/.test(time) ? rows : [];
}

/** @param {RowValues} row @param {T.NumberFormat} format @param {number} [ofTimes] least digits of the two times @returns {RowNumbers} */
export function rowNumbers({ clock, q, p }, format, ofTimes = FEWEST) {
  const chances = q === null ? [p] : [q, p];
  const columns = chances.map((chance) => ({
    unders: [chance],
    valuesWith: (/** @type {number} */ digits) =>
      [ofTimes, ofTimes + 1].filter((each) => each <= digits).map((each) => [quotientValue(clock / chance, format, each)]),
  }));
  const found = quotientColumns([clock], columns, format, true);
  const isSolved = found.columns.every(Boolean);
  const sides = found.columns.map((side, at) =>
    isSolved && side
      ? { chance: side.unders[0], time: side.values[0] }
      : { chance: number(chances[at], format), time: number(clock / chances[at], format) },
  );
  return { clock: isSolved ? found.overs[0] : number(clock, format), draft: q === null ? null : sides[0], target: sides[sides.length - 1] };
}

/** q and p. @param {T.Decision} decision @param {T.NumberFormat} format */
export const coinCells = ({ q, p }, format) => p.map((one, row) => [q ? number(q[row], format) : "–", number(one, format)]);

/** q, p, E, E ÷ p. @param {T.Decision} decision @param {T.NumberFormat} format */
export const halfRaceCells = (decision, format) =>
  raceCells({ ...decision, q: null }, format).map(([, p, clock, , time], row) => {
    return [decision.q ? number(decision.q[row], format) : "–", p, clock, time];
  });

/** q, p, E, E ÷ q, E ÷ p: a column has one number of digits. @param {Pick<T.Decision, "clock" | "q" | "p">} decision @param {T.NumberFormat} format */
export function raceCells({ clock: clocks = [], q, p }, format) {
  const arrivals = [q, p].map((side) => clocks.map((clock, row) => arrival(clock, side && side[row], format)));
  const columns = [q, p].map((side, at) => ({ unders: clocks.map((_, row) => side && side[row]), valuesWith: () => [arrivals[at]] }));
  const found = quotientColumns(clocks, columns, format, false);
  return clocks.map((_, row) => [
    ...[q, p].map((side, at) => (side ? (found.columns[at]?.unders[row] ?? number(side[row], format)) : "–")),
    found.overs[row],
    ...arrivals.map((column) => column[row]),
  ]);
}

/** @param {number} clock @param {number | null} under @param {T.NumberFormat} format */
function arrival(clock, under, format) {
  if (!under) return under === null ? "–" : format.infinite;
  return clock / under > LATE ? `> ${number(LATE, format)}` : number(clock / under, format);
}
