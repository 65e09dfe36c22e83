// Arrival times, and their logarithmic scale, as shares of a side: 0 at the centre, 1 at the end of the scale. It is the same everywhere, so that
// equal bars are equal times.

/** @import * as T from "../types" */

const DECADES = { first: -2, last: 2 }; // powers of ten at 0 and 1

/** Where a time stands; 0 and 1 for times outside the scale. @param {number} time Infinity for a token that never arrives. */
export function placeOf(time) {
  if (!(time > 0)) return 0;
  if (!Number.isFinite(time)) return 1;
  return Math.max(0, Math.min(1, (Math.log10(time) - DECADES.first) / (DECADES.last - DECADES.first)));
}

/** How long a race in laps is watched: past the last arrival that counts. @param {NonNullable<T.Decision["laps"]>} laps */
export const endOfLaps = ({ times }) => 1.15 * (times.at(-1) ?? 1);

/** When a time comes in the race of a decision, as a share of its half: its picture and the tree settle at one moment. @param {T.Decision} decision */
export function momentOf({ laps }) {
  return laps ? (/** @type {number} */ time) => Math.min(1, time / endOfLaps(laps)) : placeOf;
}

/** The time at a place, where the cursor stands. @param {number} place */
export const timeAt = (place) => 10 ** (DECADES.first + place * (DECADES.last - DECADES.first));

/** @param {number} time */
export const isBeyond = (time) => time > 10 ** DECADES.last;

/** @param {number} time */
export const isBefore = (time) => time < 10 ** DECADES.first;

/** What the dial of a clock shows: the share of all clocks that are smaller. @param {number} clock */
export const dialShare = (clock) => 1 - Math.exp(-clock);

/** Arrival times of the tokens in a race. @param {T.Decision} decision @param {number[]} chances */
export function arrivals(decision, chances) {
  return chances.map((chance, row) => (decision.clock ? decision.clock[row] / chance : Infinity));
}

/** The same in the draft's race; null where the draft has no clocks, or was not run. @param {T.Decision} decision */
export const draftArrivals = (decision) =>
  decision.clock && decision.q && decision.scale === undefined ? arrivals(decision, decision.q) : null;
