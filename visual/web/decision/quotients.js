// The numbers of a race's row: one clock, divided on each side, printed so that both divisions come out.

/** @import * as T from "../types" */
import { isConsistentQuotient, number } from "../base/numbers.js";

const FEWEST = 2;
const MAX_OF_TIMES = 5; // digits; two arrivals this close are left to the hover label

/**
 * @typedef {object} RowNumbers
 * @property {string} clock
 * @property {Side | null} draft null: the draft was not run
 * @property {Side} target
 * @typedef {{ chance: string, time: string }} Side  `clock` divided by `chance` is `time`; "∞" where the chance is 0
 */

/** @typedef {{ clock: number, q: number | null, p: number }} RowValues */

/**
 * The numbers of the rows of one race. The first arrival of each side looks different from all others there: that decides the race.
 * @param {RowValues[]} rows
 * @param {T.NumberFormat} format
 * @returns {RowNumbers[]}
 */
export function raceNumbers(rows, format) {
  const found = rows.map(({ clock, q, p }) => rowNumbers(clock, q, p, format));
  const firsts = { draft: firstOf(rows.map(({ clock, q }) => clock / (q ?? 0))), target: firstOf(rows.map(({ clock, p }) => clock / p)) };
  for (let digits = FEWEST + 1; digits <= MAX_OF_TIMES; digits += 1) {
    const close = new Set(
      Object.entries(firsts).flatMap(([side, first]) => alikeRows(found, /** @type {"draft" | "target"} */ (side), first)),
    );
    if (!close.size) break;
    for (const row of close) {
      const { clock, q, p } = rows[row];
      found[row] = rowNumbers(clock, q, p, format, digits);
    }
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

/**
 * @param {number} clock
 * @param {number | null} q
 * @param {number} p
 * @param {T.NumberFormat} format
 * @param {number} [ofTimes] least digits of the two times.
 * @returns {RowNumbers}
 */
export function rowNumbers(clock, q, p, format, ofTimes = FEWEST) {
  for (let digits = FEWEST; digits <= format.most; digits += 1) {
    const written = number(clock, format, digits);
    const draft = q === null ? null : sideOf(written, clock, q, format, ofTimes);
    const target = sideOf(written, clock, p, format, ofTimes);
    if (target && (draft || q === null)) return { clock: written, draft, target };
  }
  const vague = (/** @type {number} */ chance) => ({ chance: number(chance, format), time: number(clock / chance, format) });
  return { clock: number(clock, format), draft: q === null ? null : vague(q), target: vague(p) };
}

/**
 * The shortest chance and time for a printed clock.
 * @param {string} clock
 * @param {number} exact
 * @param {number} chance
 * @param {T.NumberFormat} format
 * @param {number} ofTimes
 * @returns {Side | null} null: with this clock the division does not come out.
 */
function sideOf(clock, exact, chance, format, ofTimes) {
  if (!chance) return { chance: "0", time: format.infinite };
  if (clock.startsWith("<")) return null;
  const time = exact / chance;
  for (let more = ofTimes; more <= format.most; more += 1) {
    const written = number(chance, format, more);
    if (written.startsWith("<")) continue;
    for (let digits = ofTimes; digits <= Math.min(more, ofTimes + 1); digits += 1) {
      const value = time > format.large_quotient ? `> ${format.large_quotient}` : number(time, format, digits);
      if (!value.startsWith("<") && isConsistentQuotient([clock, written, value])) return { chance: written, time: value };
    }
  }
  return null;
}
