// The numbers of a decision as cells of a table: a line for each token.

/** @import * as T from "../types" */
import { isConsistentQuotient, number } from "../base/numbers.js";

const LATE = 1000; // later arrivals are not told apart, as in the picture

/** q and p. @param {T.Decision} decision @param {T.NumberFormat} format */
export const coinCells = ({ q, p }, format) => p.map((one, row) => [numberOrDash(q && q[row], format), number(one, format)]);

/** q, p, E, E ÷ p. @param {T.Decision} decision @param {T.NumberFormat} format */
export const halfRaceCells = (decision, format) =>
  raceCells({ ...decision, q: null }, format).map(([, p, clock, , time], row) => {
    return [numberOrDash(decision.q && decision.q[row], format), p, clock, time];
  });

/**
 * q, p, E, E ÷ q, E ÷ p. A column has one number of digits, with which all its divisions come out as printed.
 * @param {Pick<T.Decision, "clock" | "q" | "p">} decision
 * @param {T.NumberFormat} format
 */
export function raceCells({ clock: clocks = [], q, p }, format) {
  const sides = [q, p];
  const arrivals = sides.map((side) => clocks.map((clock, row) => arrival(clock, side && side[row], format)));
  const comeOut = (/** @type {number} */ at, /** @type {number} */ over, /** @type {number} */ under) =>
    clocks.every((clock, row) => {
      const divisor = sides[at]?.[row];
      return !divisor || isConsistentQuotient([number(clock, format, over), number(divisor, format, under), arrivals[at][row]]);
    });
  const wishes = Array.from({ length: format.most - 1 }, (_, more) => 2 + more);
  const fitting = (/** @type {number} */ over) => sides.map((_, at) => wishes.find((under) => comeOut(at, over, under)));
  const over = wishes.find((digits) => fitting(digits).every(Boolean)) ?? format.most;
  const unders = fitting(over);
  return clocks.map((clock, row) => [
    ...sides.map((side, at) => numberOrDash(side && side[row], format, unders[at])),
    number(clock, format, over),
    ...arrivals.map((column) => column[row]),
  ]);
}

/** @param {number} clock @param {number | null} under @param {T.NumberFormat} format */
function arrival(clock, under, format) {
  if (!under) return under === null ? "–" : format.infinite;
  return clock / under > LATE ? `> ${number(LATE, format)}` : number(clock / under, format);
}

/** @param {number | null} value @param {T.NumberFormat} format @param {number} [digits] */
const numberOrDash = (value, format, digits) => (value === null ? "–" : number(value, format, digits));
