// Scales, places and axes of the panels.

/** @import * as T from "../types" */

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box pixels */
/** @typedef {{ low: number, high: number, isLog: boolean, ticks: number[], words: (value: number) => string }} Axis */
/** @typedef {Axis & { title: string, hover: string }} Scale `hover`: Plotly's format */

const [LEFT, TITLE, BELOW] = [3.4, 2.7, 3.3]; // letters beside and lines above and below a plot
const NAME_WIDTH = 0.58; // of a letter
const NARROW = 640;
export const MIN_SHARE = 0.003; // lower end of the scale of single tokens
export const K_TICKS = [1, 2, 4, 8, 16, 32, 64];
export const K_RANGE = [0.92, 71];
export const OVER = 1.004; // of a linear scale, above its highest tick

/** @param {Pick<T.Drawing, "view" | "lines" | "points" | "showsLimit">} drawing @param {T.Curve[]} curves of all panels @returns {Scale} */
export function scaleOf({ view, lines, points, showsLimit }, curves) {
  if (view === "next") {
    const ticks = [1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005];
    const words = (/** @type {number} */ value) => `${Number((100 * value).toPrecision(2))}%`;
    return { low: MIN_SHARE, high: 1, isLog: true, ticks, words, title: "k-th token accepted, share of calls", hover: "%{y:.1%}" };
  }
  const drawn = curves.flatMap(({ y }) => y);
  const isSpeed = view === "speed";
  if (!isSpeed) {
    drawn.push(...points.map(({ accepted }) => accepted.mean)); // error bars after a few calls may go beyond
    if (showsLimit) drawn.push(...lines.flatMap(({ limit }) => limit.map((each) => each ?? 0)));
  }
  const most = Math.max(isSpeed ? 1.5 : 3, ...drawn);
  const step = stepOf(most);
  const high = Math.ceil(most / step - 0.02) * step;
  const ticks = Array.from({ length: Math.round(high / step) + 1 }, (_, place) => place * step);
  const hover = isSpeed ? "%{y:.2f}×" : "%{y:.2f}";
  const title = isSpeed ? "speed, as multiple of no draft" : "accepted tokens a call";
  const words = (/** @type {number} */ value) => `${Number(value.toFixed(2))}${isSpeed ? "×" : ""}`;
  return { low: 0, high: Math.max(high, most), isLog: false, ticks, words, title, hover };
}

/** @param {number} most */
const stepOf = (most) => [0.5, 1, 2, 5, 10, 20, 50].find((step) => most / step <= 7) ?? 100;

/**
 * Where the plot of a panel stands, in pixels from the top left.
 * @param {number} index
 * @param {number} count
 * @param {T.Curves.CurvesKit} kit
 * @param {T.Size} size
 * @returns {Box}
 */
export function boxOf(index, count, kit, { width, height, letter }) {
  const isNarrow = width < NARROW;
  const [columns, rows] = isNarrow ? [1, count] : [count, 1];
  const [column, row] = isNarrow ? [0, index] : [index, 0];
  const longest = Math.max(...Object.values(kit.curves).map(({ label }) => label.length));
  return {
    left: (width / columns) * column + LEFT * letter,
    right: (width / columns) * (column + 1) - (longest * NAME_WIDTH + 1.6) * letter,
    top: (height / rows) * row + TITLE * letter,
    bottom: (height / rows) * (row + 1) - BELOW * letter,
  };
}

/** @param {"x" | "y"} letter @param {number} index */
export const axisName = (letter, index) => `${letter}${index ? index + 1 : ""}`;

/** @param {number} index @param {Box} box @param {Scale} scale @param {T.Size} size */
export function axesOf(index, box, scale, size) {
  const number = index ? index + 1 : "";
  const ticks = {
    tickfont: font(size).font,
    fixedrange: true,
    zeroline: false,
    showline: false,
    ticks: "",
    tickangle: 0,
    tickmode: "array",
  };
  const log = Math.log10;
  return {
    [`xaxis${number}`]: {
      ...ticks,
      anchor: axisName("y", index),
      domain: [box.left / size.width, box.right / size.width],
      type: "log",
      range: K_RANGE.map(log),
      tickvals: K_TICKS,
      ticktext: K_TICKS.map(String),
      showgrid: false,
      showline: true,
      linecolor: "$edge",
      title: { text: "drafted tokens, k", standoff: 2, font: font(size).font },
    },
    [`yaxis${number}`]: {
      ...ticks,
      anchor: axisName("x", index),
      domain: [1 - box.bottom / size.height, 1 - box.top / size.height],
      type: scale.isLog ? "log" : "linear",
      range: scale.isLog ? [log(scale.low), log(scale.high)] : [scale.low, scale.high * OVER],
      tickvals: scale.ticks,
      ticktext: scale.ticks.map(scale.words),
      showgrid: true,
      gridcolor: "$line",
    },
  };
}

/** @param {{ letter: number }} size @param {string} color */
export const font = ({ letter }, color = "$muted") => ({ font: { size: letter, color } });
