// The logarithmic scale of arrival times, as shares of a side: 0 at the lane, 1 at the end of the scale.

/** @typedef {{ first: number, last: number }} Decades  powers of ten at 0 and 1 */

export const DECADES = { first: -2, last: 2 };

/**
 * Where a time stands; 0 and 1 for times outside the scale.
 * @param {number} time Infinity for a token that never arrives.
 * @param {Decades} [decades]
 */
export function placeOf(time, { first, last } = DECADES) {
  if (!(time > 0)) return 0;
  if (!Number.isFinite(time)) return 1;
  return Math.max(0, Math.min(1, (Math.log10(time) - first) / (last - first)));
}

/** The time at a place, where the cursor stands. @param {number} place @param {Decades} [decades] */
export const timeAt = (place, { first, last } = DECADES) => 10 ** (first + place * (last - first));

/** @param {number} time @param {Decades} [decades] */
export const isBeyond = (time, { last } = DECADES) => time > 10 ** last;

/** @param {number} time @param {Decades} [decades] */
export const isBefore = (time, { first } = DECADES) => time < 10 ** first;
