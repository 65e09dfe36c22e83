// The names of the lines, as Plotly annotations.

/** @import * as T from "../types" */
import { spread } from "../base/line_names.js";
import { font } from "./axes.js";

const END = 64; // a line that leaves the plot near its right end is named beside it
const NAMED_AT = 0.0035; // share at which the line of a curve that leaves the plot is named

/**
 * The names of the lines: at their ends, and where a line leaves the plot beside it.
 * @param {T.Curve[]} curves
 * @param {T.Scale} scale
 * @param {T.Box} box
 * @param {T.PlotSize} size
 */
export function namesOf(curves, scale, box, size) {
  const room = box.bottom - box.top;
  const part = (/** @type {number} */ value) => {
    if (!scale.isLog) return (value - scale.low) / (scale.high - scale.low);
    return Math.log(value / scale.low) / Math.log(scale.high / scale.low);
  };
  const text = (/** @type {T.Curve} */ { name, style }) => (name === "tau_star" ? `<b>${style.label}</b>` : style.label);
  const common = (/** @type {T.Curve} */ { style }) => ({
    showarrow: false,
    yanchor: "middle",
    ...font(size, style.color === "$drafted" ? "$muted" : style.color),
  });
  const [staying, leaving] = [
    curves.filter(({ y }) => (y.at(-1) ?? 0) >= scale.low),
    curves.filter(({ y }) => (y.at(-1) ?? 0) < scale.low),
  ];
  const ends = spread(
    staying.map((curve) => ({ curve, y: room * (1 - part(curve.y.at(-1) ?? 0)) })),
    size.letter * 1.2,
    room,
  );
  const named = ends.map(({ curve, y }) => ({
    ...common(curve),
    text: text(curve),
    x: Math.log10(curve.x.at(-1) ?? 1),
    y: 1 - y / room,
    xanchor: "left",
    xshift: 10,
  }));
  const sides = leaving
    .map((curve) => ({ curve, at: crossing(curve, NAMED_AT) }))
    .sort((one, other) => one.at - other.at)
    .map(({ curve, at }, place) => ({
      ...common(curve),
      text: text(curve),
      x: Math.log10(at > END / 2 ? END : at),
      y: part(NAMED_AT),
      xanchor: place ? "left" : "right",
      xshift: place ? 10 : -8,
    }));
  return [...named, ...sides];
}

/** The name at the end of the limit. @param {T.Curves.Lines} lines @param {T.PlotSize} size */
export const limitName = ({ limit }, size) => ({
  text: "limit",
  x: Math.log10(limit.length),
  y: limit.at(-1) ?? 0,
  xanchor: "left",
  yanchor: "middle",
  xshift: 10,
  ...font(size),
});

/** Where a falling line reaches a value, on scales of logarithms. @param {T.Curve} curve @param {number} value */
function crossing({ x, y }, value) {
  const place = y.findIndex((each) => each < value);
  if (place <= 0) return x[Math.max(place, 0)];
  const part = Math.log(y[place - 1] / value) / Math.log(y[place - 1] / Math.max(y[place], 1e-9));
  return x[place - 1] * (x[place] / x[place - 1]) ** part;
}
