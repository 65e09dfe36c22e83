// The draft's side of half a race: q, likeliest first, without clocks. What was guessed has its number.

/** @import * as T from "../types" */
import { escape } from "../base/format.js";
import { number } from "../base/numbers.js";
import { inkOn } from "../decision/frame.js";

/** Ticks of the draft's side. @param {number} full the probability at the end of the axis */
export const orderTicks = (full) => [0.5, 1].map((place) => ({ place, words: String(place * full), side: /** @type {const} */ ("draft") }));

/**
 * @param {T.Layers} layers
 * @param {object} of
 * @param {T.Frame} of.frame
 * @param {{ row: number, y: number, mark: T.MarkStyle, isNumbered: boolean }[]} of.rows
 * @param {number[]} of.q
 * @param {number} of.full the probability at the end of the axis
 * @param {Map<number, string>} of.hovers
 * @param {T.NumberFormat} of.format
 */
export function drawOrder(layers, { frame: { centre, scale, small, row: high }, rows, q, full, hovers, format }) {
  const long = (/** @type {number} */ row) => scale * Math.min(1, q[row] / full);
  const bars = rows.map(({ row, y, mark }) => {
    return { from: centre.left - long(row), to: centre.left, y, colour: mark.draft, row, hover: hovers.get(row) };
  });
  layers.bars("draft_bars", bars, Math.round(high * 0.68));
  const words = rows
    .filter(({ isNumbered }) => isNumbered)
    .map(({ row, y, mark }) => {
      const text = number(q[row], format);
      const wide = text.length * small * 0.62;
      const isWithin = centre.left - long(row) < wide + 8;
      const colour = isWithin ? inkOn(mark.draft) : "$ink";
      return { x: centre.left - long(row) + (isWithin ? wide + 4 : -4), y, row, text: escape(text), colour };
    });
  layers.words("draft_beyond", words, { size: small, anchor: "right" });
}
