// The plots as Plotly data: one panel a temperature, side by side, or below one another where there is no room.

/** @import * as T from "../types" */
import { axesOf, axisName, boxOf, font, scaleOf } from "./axes.js";
import { dotsOf, limitName, limitOf, lineOf, namesOf } from "./lines.js";
import { speeds } from "./speed.js";

const ONE_LINE = 220; // pixels that the note on the limit takes

/**
 * @typedef {object} Drawing what is drawn.
 * @property {T.Curves.MeasuredView} view
 * @property {number[]} temperatures
 * @property {T.Curves.Lines[]} lines
 * @property {T.Curves.Point[]} points
 * @property {Curve | null} guess  the reader's, at the first temperature; without lines only its scale
 * @property {boolean} showsLimit
 * @property {T.PlaceCosts} costs
 */
/** @typedef {{ name: string, style: T.Curves.CurveStyle, x: number[], y: number[] }} Curve */

/** @param {Drawing} drawing @param {T.Curves.CurvesKit} kit @param {T.Size} size */
export function picture(drawing, kit, size) {
  const guess = drawing.guess ? [drawing.guess] : [];
  const scale = scaleOf(drawing, [...drawing.lines.flatMap((lines) => curvesOf(drawing, lines, kit)), ...guess]);
  /** @type {Record<string, unknown>[]} */
  const data = [];
  /** @type {Record<string, unknown>[]} */
  const annotations = [];
  /** @type {Record<string, unknown>[]} */
  const shapes = [];
  /** @type {Record<string, unknown>} */
  const axes = {};
  drawing.temperatures.forEach((temperature, index) => {
    const box = boxOf(index, drawing.temperatures.length, kit, size);
    const [x, y] = [axisName("x", index), axisName("y", index)];
    Object.assign(axes, axesOf(index, box, scale, size));
    const lines = drawing.lines.find((each) => each.temperature === temperature);
    const missing = drawing.guess ? "" : "not measured yet";
    const note = lines ? noteOf(drawing, lines, box.right - box.left) : missing;
    const title = `<b>T = ${temperature}</b>  ${scale.title}`;
    const below = { yanchor: "top", align: "left", xshift: 6, yshift: -3 };
    annotations.push(titleOf(x, y, title, size), { ...inPanel(x, y, note, size), ...below });
    if (drawing.view === "speed") {
      const { shapes: both, annotation } = slower(x, y, size);
      shapes.push(...both);
      annotations.push(annotation);
    }
    data.push({ xaxis: x, yaxis: y, x: [null], y: [null], hoverinfo: "skip" }); // Plotly draws no axes without a trace
    if (!lines) return;
    const curves = curvesOf(drawing, lines, kit);
    const drawn = index ? curves : [...curves, ...guess];
    const on = { xaxis: x, yaxis: y };
    for (const curve of drawn) data.push({ ...on, ...lineOf(curve, scale) });
    if (drawing.view === "accepted" && drawing.showsLimit) {
      data.push({ ...on, ...limitOf(lines) });
      annotations.push({ xref: x, yref: y, showarrow: false, ...limitName(lines, size) });
    }
    const middle = (curves.length - 1) / 2;
    curves.forEach((curve, number) => data.push({ ...on, ...dotsOf(curve, drawing, temperature, kit.most, number - middle) }));
    annotations.push(...namesOf(drawn, scale, box, size).map((name) => ({ ...name, xref: x, yref: `${y} domain` })));
  });
  return { data, layout: layoutOf(axes, annotations, shapes, size) };
}

/**
 * Words at the top left of a panel.
 * @param {string} x name of the axis @param {string} y @param {string} text @param {T.Size} size @param {string} [colour]
 */
function inPanel(x, y, text, size, colour) {
  return { xref: `${x} domain`, yref: `${y} domain`, x: 0, y: 1, xanchor: "left", showarrow: false, text, ...font(size, colour) };
}

/** The title of a panel. @param {string} x name of the axis @param {string} y @param {string} text @param {T.Size} size */
export const titleOf = (x, y, text, size) => ({ ...inPanel(x, y, text, size, "$ink"), yanchor: "bottom", yshift: 6 });

/** @param {object} axes @param {object[]} annotations @param {object[]} shapes @param {T.Size} size */
export const layoutOf = (axes, annotations, shapes, { width, height }) => ({ ...axes, annotations, shapes, width, height });

/** What marks a speed below that without a draft. @param {string} x name of the axis @param {string} y @param {T.Size} size */
export function slower(x, y, size) {
  const along = { xref: `${x} domain`, yref: y, x0: 0, x1: 1, y1: 1 };
  const words = inPanel(x, y, "▼ slower than without a draft", size, "$rejected-ink");
  return {
    shapes: [
      { ...along, type: "rect", y0: 0, layer: "below", line: { width: 0 }, fillcolor: "$rejected-soft" },
      { ...along, type: "line", y0: 1, line: { color: "$ink", width: 1.5 } },
    ],
    annotation: { ...words, y: 0, yanchor: "bottom", xshift: 6, yshift: 4 },
  };
}

/**
 * The lines of a view at one temperature.
 * @param {Drawing} drawing
 * @param {T.Curves.Lines} lines
 * @param {T.Curves.CurvesKit} kit
 * @returns {Curve[]}
 */
export function curvesOf({ view, costs }, lines, kit) {
  return Object.entries(kit.curves).map(([name, style]) => {
    const line = lines.curves[name];
    const y = valuesOf(view, name, line, costs);
    return { name, style, x: y.map((_, place) => place + 1), y };
  });
}

/** @param {T.Curves.MeasuredView} view @param {string} name @param {T.Curves.CurveLine} line @param {T.PlaceCosts} costs */
function valuesOf(view, name, line, costs) {
  if (view === "accepted") return line.accepted;
  if (view === "next") return line.next;
  return speeds(name, line, costs).map(({ speed }) => speed);
}

/** @param {Drawing} drawing @param {T.Curves.Lines} lines @param {number} room pixels */
function noteOf({ view, showsLimit }, { limit }, room) {
  const [first, last] = [limit[0], limit.at(-1)];
  if (view !== "accepted" || showsLimit || typeof first !== "number" || typeof last !== "number") return "";
  return `▲ limit of any race:${room < ONE_LINE ? "<br>" : " "}${first.toFixed(1)} to ${last.toFixed(1)}`;
}
