// The Plotly layout of a decision's butterfly: ends of the axes, rows, scale, the row picked, and why a side is missing.

/** @import { ButterflyKit, Kit } from "../base/kit_types.js" */
/** @import { Decision } from "../base/types.js" */
/** @import { Size } from "../core/pictures.js" */
/** @import { Layout, Trace } from "../base/plotly_adapter.js" */
import { OFF_SCALE } from "./butterfly.js";
import { wrapped } from "../base/format.js";

export const AXIS = 26; // pixels of the height that axis and margins take
export const ROW = 13; // pixels that a row takes at least: with less, names touch each other
const NARROW = 380; // pixels, as on a phone
const NUMBER = 40; // pixels that most numbers after the longest bar take
const DIGIT = 6.7; // pixels, in the face of the numbers

/**
 * The layout of a decision.
 *
 * @param {Layout} base
 * @param {Decision} decision
 * @param {number | null} picked
 * @param {Omit<Size, "letter"> & { drafted: boolean, data: Record<string, Trace> }} picture its size, whether its step has a draft, and what is drawn.
 * @param {Kit} kit
 * @returns {Layout}
 */
export function layoutOf(base, decision, picked, { width, height, drafted, data }, kit) {
  const narrow = width < NARROW;
  const end = endOf(base.xaxis2, width, data, kit.butterfly);
  const rows = Math.max(decision.p.length, Math.min(kit.butterfly.least_rows, Math.floor((height - AXIS) / ROW)));
  const scale = decision.scale === undefined ? {} : scaleTicks(decision.scale, narrow);
  const layout = {
    ...base,
    width,
    height,
    xaxis: axis(base.xaxis, { range: [end, 0], ...(narrow && fewerTicks(base.xaxis)), ...scale }),
    xaxis2: axis(base.xaxis2, { range: [0, end], ...(narrow && fewerTicks(base.xaxis2)), ...scale }),
    yaxis: axis(base.yaxis, { range: [rows - 0.4, -0.6] }),
    shapes: rowShapes(decision, picked),
  };
  if (decision.q) return layout;
  const words = wrapped(drafted ? kit.words.leaf : kit.words.no_draft, 15);
  const xaxis = axis(layout.xaxis, { showticklabels: false, showgrid: false });
  return { ...layout, xaxis, annotations: [missing(words, narrow)] };
}

/**
 * End of a side's axis that leaves room for the number after the longest bar: nearly always the same, and further out only for a long
 * number, such as 1.0000, after a long bar.
 *
 * @param {unknown} base
 * @param {number} pixels width of the picture.
 * @param {Record<string, Trace>} data
 * @param {ButterflyKit} kit
 */
function endOf(base, pixels, data, { middle }) {
  const [, usual] = /** @type {{ range: number[] }} */ (base).range;
  const side = ((1 - middle) / 2) * pixels;
  const ends = [data.draft_values, data.target_values].flatMap(({ x, text }) => {
    const [lengths, numbers] = [/** @type {number[]} */ (x), /** @type {string[]} */ (text)];
    return numbers.map((written, place) => endWithRoom(lengths[place], (written.length * DIGIT) / side));
  });
  return Math.max(usual, endWithRoom(OFF_SCALE, NUMBER / side), ...ends);
}

/**
 * The end of an axis that leaves a share of its length free after a bar.
 *
 * @param {number} length
 * @param {number} share
 */
const endWithRoom = (length, share) => length / (1 - Math.min(0.65, share));

/**
 * @param {unknown} base
 * @param {Layout} more
 * @returns {Layout}
 */
const axis = (base, more) => ({ .../** @type {Layout} */ (base), ...more });

/**
 * Labels every other tick: on a narrow axis all labels would touch.
 *
 * @param {unknown} base
 */
function fewerTicks(base) {
  const { ticktext } = /** @type {{ ticktext: string[] }} */ (base);
  return { ticktext: ticktext.map((words, place) => (place % 2 ? words : "")) };
}

/**
 * @param {number} scale the probability at the end of the axis.
 * @param {boolean} narrow numbers as long as 0.125 would meet.
 */
const scaleTicks = (scale, narrow) => ({ tickvals: [0, 0.5, 1], ticktext: ["0", narrow && scale < 0.5 ? "" : `${scale / 2}`, `${scale}`] });

/**
 * A band under the row of the try picked.
 *
 * @param {Decision} decision
 * @param {number | null} picked
 */
function rowShapes(decision, picked) {
  const one = picked === null ? undefined : decision.tries?.[picked];
  const row = one && decision.row_of[one.vertex];
  if (row === undefined) return [];
  const place = { xref: "paper", yref: "y", x0: 0, x1: 1, y0: row - 0.5, y1: row + 0.5 };
  return [{ type: "rect", ...place, layer: "below", fillcolor: "$soft", line: { color: "$edge", width: 1 } }];
}

/**
 * Text in place of the draft's side.
 *
 * @param {string} text
 * @param {boolean} narrow
 */
function missing(text, narrow) {
  const place = { xref: "paper", yref: "paper", x: narrow ? 0.06 : 0.15, y: 0.98, yanchor: "top" };
  return { ...place, showarrow: false, text, font: { size: narrow ? 10.5 : 12 } };
}
