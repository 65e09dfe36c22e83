// How numbers are written, with the rules and the table of visual/payload/sentences/numbers.py: about two significant digits, and more
// where numbers would look equal or a printed division would not come out.

/** @import * as T from "../types" */

const DIGITS = 2;
const TIE = 1e-9; // readers round halves up or down: a quotient this close to a half gets more digits

/**
 * About `digits` significant digits, never an exponent: 0.12, 8.9, 26, 1,200. Nothing or infinite: ∞.
 * @param {number | null | undefined} value
 * @param {T.NumberFormat} format
 * @param {number} [digits]
 */
export function number(value, format, digits = DIGITS) {
  if (value === null || value === undefined || !Number.isFinite(value)) return format.infinite;
  const size = Math.abs(value);
  if (size >= format.huge) return format.huge_words;
  if (size === 0) return "0";
  const decimals = Math.max(0, digits + (format.steps.find(({ least }) => size >= least)?.more ?? 0));
  const rounded = value.toFixed(decimals);
  if (Number(rounded) === 0) return `< ${(10 ** -decimals).toFixed(decimals)}`;
  const [whole, ...rest] = rounded.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

/** @param {number[]} numbers */
export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/**
 * A value with a fixed number of decimals, rounded as a reader would (ersd/formatting.py): 25/8 = 3.125 is 3.13 and 107/40 is 2.68, though in binary it lies below 2.675.
 * @param {number} value below a thousand.
 * @param {number} decimals
 */
export function decimal(value, decimals) {
  const scale = 10 ** decimals;
  return (Math.round(Number((value * scale).toPrecision(15))) / scale).toFixed(decimals);
}

/**
 * A time as the figures print it, and what is printed in milliseconds: 41.3 ms, 1118 ms, and 19.8 s from ten seconds on, so that a slow
 * step fits its column.
 * @param {number} ms
 */
export function duration(ms) {
  const isLong = ms >= 9999.5;
  const value = isLong ? ms / 1000 : ms;
  const printed = decimal(value, value < (isLong ? 99.95 : 999.95) ? 1 : 0);
  return isLong ? { text: `${printed} s`, ms: 1000 * Number(printed) } : { text: `${printed} ms`, ms: Number(printed) };
}

/** Significant digits with which all different numbers look different. @param {number[]} values @param {T.NumberFormat} format */
export function digitsApart(values, format) {
  const different = [...new Set(values)];
  for (let digits = DIGITS; digits < format.most; digits += 1) {
    if (new Set(different.map((value) => number(value, format, digits))).size === different.length) return digits;
  }
  return different.length > 1 ? format.most : DIGITS;
}

/** The digits that are tried. @param {T.NumberFormat} format */
const wishesOf = ({ most }) => Array.from({ length: most - DIGITS + 1 }, (_, more) => DIGITS + more);

/** The value of a division. @param {number} value @param {T.NumberFormat} format @param {number} [digits] */
export const quotientValue = (value, format, digits) =>
  value > format.large_quotient && value < Infinity ? `> ${format.large_quotient}` : number(value, format, digits);

/**
 * A division: ` = 0.41 / 0.66 = 0.62`. Dividing the printed numbers gives the printed value, which has as few digits as that takes.
 * @param {number} over
 * @param {number} under not 0.
 * @param {T.NumberFormat} format
 */
export function quotient(over, under, format) {
  const wishes = wishesOf(format);
  for (const wanted of wishes) {
    const value = quotientValue(over / under, format, wanted);
    const printed = (/** @type {number} */ top, /** @type {number} */ below) => [
      number(over, format, top),
      number(under, format, below),
      value,
    ];
    const both = wishes.find((digits) => isConsistentQuotient(printed(digits, digits)));
    if (!both) continue;
    const top = wishes.find((digits) => isConsistentQuotient(printed(digits, both))) ?? both;
    const below = wishes.find((digits) => isConsistentQuotient(printed(top, digits))) ?? both;
    return signed(printed(top, below));
  }
  return ` = ${number(over / under, format)}`;
}

/**
 * A column of divisors, and the texts of its values for divisors of so many digits, the best texts first.
 * @typedef {{ unders: (number | null)[], valuesWith: (digits: number) => string[][] }} Divisors
 */

/**
 * Several divisions of the same dividends, a column each. The dividends have as few digits as it takes that all divisions come out, and then
 * each column of divisors.
 * @param {number[]} overs
 * @param {Divisors[]} columns
 * @param {T.NumberFormat} format
 * @param {boolean} isExact nothing is written as less than something
 * @returns {{ overs: string[], columns: ({ unders: string[], values: string[] } | undefined)[] }} undefined: a column that never comes out
 */
export function quotientColumns(overs, columns, format, isExact) {
  const isWritten = (/** @type {string} */ words) => !isExact || !words.startsWith("<");
  const fitting = (/** @type {string[]} */ tops, /** @type {Divisors} */ { unders, valuesWith }) => {
    for (const digits of wishesOf(format)) {
      const below = unders.map((under) => number(under, format, digits));
      const isFit = (/** @type {string} */ value, /** @type {number} */ row) =>
        !unders[row] || ([tops[row], below[row], value].every(isWritten) && isConsistentQuotient([tops[row], below[row], value]));
      const values = valuesWith(digits).find((each) => each.every(isFit));
      if (values) return { unders: below, values };
    }
    return undefined;
  };
  const attempt = (/** @type {number} */ digits) => {
    const tops = overs.map((over) => number(over, format, digits));
    return { overs: tops, columns: columns.map((column) => fitting(tops, column)) };
  };
  let found = attempt(DIGITS);
  for (let digits = DIGITS + 1; digits <= format.most && !found.columns.every(Boolean); digits += 1) found = attempt(digits);
  return found;
}

/** @param {string[]} written what is divided, by what, and the value. */
export function isConsistentQuotient(written) {
  const [over, under, value] = written.map((words) => Number(words.replaceAll(/[<> ,]/g, "")));
  const [isLess, isMore] = written.map((words) => words.startsWith("<"));
  const sign = written[2][0];
  if (!under) return false;
  const own = over / under;
  if (isLess || isMore) return (sign === "<" && own <= value && !isMore) || (sign === ">" && own >= value && !isLess);
  if (sign === "<") return own < value;
  if (sign === ">") return own > value;
  const decimals = written[2].split(".")[1]?.length ?? 0;
  return Math.abs(own - value) < 0.5 * 10 ** -decimals * (1 - TIE);
}

/** @param {string[]} written */
function signed([over, under, value]) {
  const [isLess, isMore] = [over, under].map((words) => words.startsWith("<"));
  const sign = (isLess && "<") || (isMore && ">") || "=";
  const sides = `${over} / ${under}`.replaceAll("< ", "");
  return ` ${sign} ${sides} ${/^[<>]/.test(value) ? "" : "= "}${value}`;
}
