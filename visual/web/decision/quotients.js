// The numbers of a race's row: one clock, divided on each side, printed so that both divisions come out.

/** @import { NumberFormat } from "../base/kit_types.js" */
import { comesOut, number } from "../base/numbers.js";

const FEWEST = 2;

/**
 * @typedef {object} RowNumbers
 * @property {string} clock
 * @property {Side | null} draft null: the draft was not run
 * @property {Side} target
 * @typedef {{ chance: string, time: string }} Side  `clock` divided by `chance` is `time`; "∞" where the chance is 0
 */

/**
 * @param {number} clock
 * @param {number | null} q
 * @param {number} p
 * @param {NumberFormat} format
 * @returns {RowNumbers}
 */
export function rowNumbers(clock, q, p, format) {
  for (let digits = FEWEST; digits <= format.most; digits += 1) {
    const written = number(clock, format, digits);
    const draft = q === null ? null : sideOf(written, clock, q, format);
    const target = sideOf(written, clock, p, format);
    if (target && (draft || q === null)) return { clock: written, draft, target };
  }
  const vague = (/** @type {number} */ chance) => ({ chance: number(chance, format), time: number(clock / chance, format) });
  return { clock: number(clock, format), draft: q === null ? null : vague(q), target: vague(p) };
}

/**
 * The shortest chance and time for a printed clock.
 *
 * @param {string} clock
 * @param {number} exact
 * @param {number} chance
 * @param {NumberFormat} format
 * @returns {Side | null} null: with this clock the division does not come out.
 */
function sideOf(clock, exact, chance, format) {
  if (!chance) return { chance: "0", time: format.infinite };
  if (clock.startsWith("<")) return null;
  const time = exact / chance;
  for (let more = FEWEST; more <= format.most; more += 1) {
    const written = number(chance, format, more);
    if (written.startsWith("<")) continue;
    for (let digits = FEWEST; digits <= Math.min(more, FEWEST + 1); digits += 1) {
      const value = time > format.large_quotient ? `> ${format.large_quotient}` : number(time, format, digits);
      if (!value.startsWith("<") && comesOut([clock, written, value])) return { chance: written, time: value };
    }
  }
  return null;
}
