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
  const decimals = Math.max(0, digits + (format.steps.find(({ from }) => size >= from)?.more ?? 0));
  const rounded = value.toFixed(decimals);
  if (Number(rounded) === 0) return `< ${(10 ** -decimals).toFixed(decimals)}`;
  const [whole, ...rest] = rounded.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

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

/**
 * A division: ` = 0.41 / 0.66 = 0.62`. Dividing the printed numbers gives the printed value.
 * @param {number} over
 * @param {number} under not 0.
 * @param {T.NumberFormat} format
 */
export function quotient(over, under, format) {
  const exact = over / under;
  for (let wanted = DIGITS; wanted <= format.most; wanted += 1) {
    const value = exact > format.large_quotient ? `> ${format.large_quotient}` : number(exact, format, wanted);
    for (let more = DIGITS; more <= format.most; more += 1) {
      const divisor = number(under, format, more);
      if (!isConsistentQuotient([number(over, format, more), divisor, value])) continue;
      const top = shortest(over, more, format, (words) => isConsistentQuotient([words, divisor, value]));
      const below = shortest(under, more, format, (words) => isConsistentQuotient([top, words, value]));
      return signed([top, below, value]);
    }
  }
  return ` = ${number(exact, format)}`;
}

/**
 * A number with as few digits as an acceptable text needs.
 * @param {number} value
 * @param {number} most digits of an acceptable text.
 * @param {T.NumberFormat} format
 * @param {(words: string) => boolean} willDo
 */
function shortest(value, most, format, willDo) {
  const wishes = Array.from({ length: most - DIGITS + 1 }, (_, more) => number(value, format, DIGITS + more));
  return wishes.find(willDo) ?? number(value, format, most);
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
