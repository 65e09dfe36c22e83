// Lines, dots with error bars, and rings at the best choice, as Plotly traces; and the names of the lines, as annotations.

/** @import * as T from "../types" */
import { spread } from "../plot/line_names.js";
import { font, MIN_SHARE } from "./axes.js";
import { fastest } from "./speed.js";

const APART = 1.03; // factor between dots of the same k, so that their error bars are seen
const END = 64; // a line that leaves the plot near its right end is named beside it
const NAMED_AT = 0.0035; // share at which the line of a curve that leaves the plot is named

/** @param {T.Curve} curve @param {T.Scale} scale */
export function lineOf({ x, y, style }, scale) {
  const { label, color, width, dash } = style;
  return {
    type: "scatter",
    mode: "lines",
    x,
    y: y.map((value) => (scale.isLog ? Math.max(value, scale.low / 10) : value)), // 0 has no place on a scale of logarithms
    line: { color, width, dash },
    hovertemplate: `${label}, k = %{x}: ${scale.hover}<extra></extra>`,
  };
}

/** @param {T.Curves.Lines} lines */
export function limitOf({ limit }) {
  return {
    type: "scatter",
    mode: "lines",
    x: limit.map((_, place) => place + 1),
    y: limit,
    line: { color: "$muted", width: 1.5, dash: "dot" },
    hovertemplate: "limit, k = %{x}: %{y:.2f}<extra></extra>",
  };
}

/**
 * What was measured on a curve; for speeds, which are computed, a ring at the best k if it lies inside.
 * @param {T.Curve} curve
 * @param {T.Drawing} drawing
 * @param {number} temperature
 * @param {number} most
 * @param {number} place of the curve among all, from the middle.
 */
export function dotsOf(curve, { view, points }, temperature, most, place) {
  const { name, style, x, y } = curve;
  const beside = APART ** place;
  const { symbol, color, label } = style;
  const marker = { symbol, color, size: 9, line: { width: symbol.endsWith("open") ? 2 : 0, color } };
  const dots = { type: "scatter", mode: "markers", marker };
  if (view === "speed") {
    const best = fastest(y.map((speed, index) => ({ k: x[index], levels: 0, speed })));
    const isInside = best.k < most;
    const ring = { symbol: "circle-open", size: 13, color, line: { width: 2.5, color } };
    const hovertemplate = `${label}, best k = %{x}: %{y:.2f}<extra></extra>`;
    return { ...dots, cliponaxis: false, x: isInside ? [best.k] : [], y: isInside ? [best.speed] : [], marker: ring, hovertemplate };
  }
  const own = points.filter((point) => point.curve === name && point.temperature === temperature);
  const bars = { color, thickness: 1.3, width: 3 };
  if (view === "accepted") {
    return {
      ...dots,
      x: own.map(({ k }) => k * beside),
      y: own.map(({ accepted }) => accepted.mean),
      error_y: { type: "data", array: own.map(({ accepted }) => 2 * (accepted.error ?? 0)), ...bars },
      customdata: own.map(({ k, calls, accepted }) => [k, calls, 2 * (accepted.error ?? 0)]),
      hovertemplate: `${label}, k = %{customdata[0]}: %{y:.2f} ± %{customdata[2]:.2f} in %{customdata[1]} calls<extra></extra>`,
    };
  }
  const largest = own.reduce((/** @type {T.Curves.Point | null} */ found, point) => (found && found.k > point.k ? found : point), null);
  const shares = (largest?.next ?? []).filter(({ mean }) => mean >= MIN_SHARE);
  const middle = shares.map(({ first, last }) => Math.sqrt(first * last) * beside);
  return {
    ...dots,
    x: middle,
    y: shares.map(({ mean }) => mean),
    error_x: {
      type: "data",
      symmetric: false,
      array: shares.map(({ last }, index) => Math.max(0, last - middle[index])),
      arrayminus: shares.map(({ first }, index) => Math.max(0, middle[index] - first)),
      color,
      thickness: 1,
      width: 0,
    },
    error_y: {
      type: "data",
      symmetric: false,
      array: shares.map(({ mean, error }) => Math.min(2 * (error ?? 0), 1 - mean)),
      arrayminus: shares.map(({ mean, error }) => Math.min(2 * (error ?? 0), mean - MIN_SHARE)),
      ...bars,
    },
    customdata: shares.map(({ first, last }) => (first === last ? `token ${first}` : `tokens ${first} to ${last}`)),
    hovertemplate: `${label}, %{customdata} of ${largest?.k}: %{y:.1%}<extra></extra>`,
  };
}

/**
 * The names of the lines: at their ends, and where a line leaves the plot beside it.
 * @param {T.Curve[]} curves
 * @param {T.Scale} scale
 * @param {T.Box} box
 * @param {T.Size} size
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

/** The name at the end of the limit. @param {T.Curves.Lines} lines @param {T.Size} size */
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
