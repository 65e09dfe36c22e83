// The two charts under the columns: acceptance against the number of guesses, and which guess it was. Drawn by Plotly.

/** @import * as T from "../types" */
import { resolve } from "../plot/colours.js";
import { shorten } from "../base/format.js";
import { spread } from "../plot/line_names.js";
import { Plot } from "../plot/plotly_adapter.js";

const LABEL_GAP = 22; // pixels between a line's end, its name and the edge
const LETTER_WIDTH = 0.52;
const DASHES = /** @type {Record<string, string>} */ ({ gsd_wor: "dot", kseq: "dashdot" }); // rules whose lines have the same colour
const LINE = 15; // least distance of two names

/** @typedef {{ rule: string, k: number, isBroken: boolean, isSequence: boolean }} Shown the rule in view */

export class LabCharts {
  /** @param {HTMLElement} curves @param {HTMLElement} shares */
  constructor(curves, shares) {
    this.curves = new Plot(curves);
    this.shares = new Plot(shares);
  }

  /** @param {T.Lab.Charts} charts @param {T.Lab.Counts} counts @param {Shown} of @param {T.PageLook} look @param {T.Trace} base */
  async draw(charts, counts, of, { palette, letter }, base) {
    const draw = async (/** @type {Plot} */ plot, /** @type {typeof curvesPicture | typeof sharesPicture} */ picture) => {
      const { clientWidth: width, clientHeight: height } = plot.element;
      if (!width) return;
      const { data, layout } = picture(charts, counts, of, { width, height, letter });
      await plot.draw(resolve(data, palette), resolve({ ...base, ...layout, width, height }, palette));
    };
    if (charts.curves.length) await draw(this.curves, curvesPicture);
    if (charts.shares.length) await draw(this.shares, sharesPicture);
  }
}

/** @param {T.Lab.Charts} charts @param {T.Lab.Counts} counts @param {Shown} of @param {T.Size} size */
function curvesPicture({ curves }, { accepted, error }, { rule, k, isBroken, isSequence }, { width, height, letter }) {
  const longest = Math.max(...curves.map(({ label }) => label.length));
  const margin = { l: 40, r: Math.min(longest * letter * LETTER_WIDTH + LABEL_GAP, width * 0.45), t: 10, b: 26 };
  const values = [...curves.flatMap((curve) => curve.values), accepted];
  const most = isSequence ? Math.ceil(Math.max(...values) * 2) / 2 : 1;
  const least = isSequence ? 0 : Math.max(0, Math.floor((Math.min(...values) - 0.02) * 10) / 10);
  const room = height - margin.t - margin.b;
  const yOf = (/** @type {number} */ value) => margin.t + room * (1 - (value - least) / (most - least || 1));
  const names = spread(
    curves.map((curve) => ({ curve, y: yOf(curve.values[curve.values.length - 1]) })),
    LINE * (letter / 13),
    height - 30,
  );
  const numbers = curves[0].values.map((_, place) => place + 1);
  const lines = curves.map(({ name, values: y }) => {
    const [isOwn, isLimit] = [name === rule, name === "limit"];
    const other = isLimit ? "$muted" : "$drafted";
    const line = { color: isOwn ? "$ink" : other, width: isOwn ? 3 : 1.8, dash: isLimit ? "dash" : (DASHES[name] ?? "solid") };
    return { type: "scatter", mode: "lines", x: numbers, y, line, hovertemplate: "%{y:.3f}<extra></extra>" };
  });
  const ring = { size: 12, color: "$panel", line: { color: isBroken ? "$rejected" : "$ink", width: 3 } };
  const measured = {
    type: "scatter",
    mode: "markers",
    x: [k],
    y: [accepted],
    error_y: { type: "data", array: [2 * (error ?? 0)], color: "$ink", thickness: 1.5, width: 4 },
    marker: ring,
    cliponaxis: false,
    hovertemplate: "measured %{y:.3f}<extra></extra>",
  };
  const most_letters = Math.floor((margin.r - LABEL_GAP) / (letter * LETTER_WIDTH));
  const annotations = names.map(({ curve, y }) => ({
    xref: "paper",
    yref: "paper",
    x: 1,
    y: 1 - (y - margin.t) / room,
    xanchor: "left",
    yanchor: "middle",
    xshift: 12,
    showarrow: false,
    text: bold(shorten(curve.label, Math.max(4, most_letters)), curve.name === rule),
    font: { size: smallOf(letter), color: curve.name === rule ? "$ink" : "$muted" },
  }));
  const ticks = { tickfont: { size: smallOf(letter), color: "$muted" }, fixedrange: true, zeroline: false };
  return {
    data: [...lines, measured],
    layout: {
      margin,
      annotations,
      hovermode: "closest",
      shapes: [
        { type: "line", x0: k, x1: k, y0: 0, y1: 1, yref: "paper", layer: "below", line: { color: "$edge", width: 1, dash: "dot" } },
      ],
      xaxis: { ...ticks, range: [0.9, numbers.length], tickvals: numbers, ticktext: numbers.map(String), showgrid: false },
      yaxis: { ...ticks, range: [least, most], gridcolor: "$line", nticks: 6, tickformat: ".1f", showgrid: true },
    },
  };
}

/** @param {T.Lab.Charts} charts @param {T.Lab.Counts} _counts @param {Shown} of @param {T.Size} size */
function sharesPicture({ shares }, _counts, { isSequence }, { width, letter }) {
  const labels = shares.map(({ label }) => label);
  const places = labels.map((_, place) => place);
  const most = Math.max(...shares.flatMap(({ measured, theory }) => [measured, theory ?? 0])) || 1;
  const bars = {
    type: "bar",
    x: places,
    y: shares.map(({ measured }) => measured),
    width: Math.min(0.62, 50 / (width / labels.length)),
    marker: { color: shares.map((share) => colourOf(share, isSequence)) },
    text: shares.map(({ measured }) => bold(measured.toFixed(3), true)),
    textposition: "outside",
    textfont: { size: letter, color: "$ink" },
    cliponaxis: false,
    hoverinfo: "skip",
  };
  const half = Math.min(0.4, 34 / (width / labels.length));
  const theory = places.flatMap((place) => {
    const { theory: y, chance } = shares[place];
    if (y === null || !chance) return [];
    const sides = { x0: place - half, x1: place + half };
    const range = { type: "rect", ...sides, y0: chance[0], y1: chance[1], fillcolor: "$ink", opacity: 0.25, line: { width: 0 } };
    return [range, { type: "line", ...sides, y0: y, y1: y, line: { color: "$ink", width: 2 } }];
  });
  const ticks = { tickfont: { size: smallOf(letter), color: "$muted" }, fixedrange: true, zeroline: false, showgrid: false };
  return {
    data: [bars],
    layout: {
      margin: { l: 4, r: 4, t: 22, b: 26 },
      shapes: [...theory, { type: "line", x0: 0, x1: 1, xref: "paper", y0: 0, y1: 0, line: { color: "$edge", width: 1.5 } }],
      xaxis: { ...ticks, range: [-0.6, labels.length - 0.4], tickvals: places, ticktext: labels },
      yaxis: { visible: false, fixedrange: true, range: [0, most * 1.12] },
    },
  };
}

/** @param {T.Lab.Charts["shares"][number]} share @param {boolean} isSequence */
function colourOf({ accepted, label }, isSequence) {
  if (accepted) return "$accepted";
  return label === "none" || isSequence ? "$target" : "$drafted";
}

/** @param {string} text @param {boolean} isBold */
const bold = (text, isBold) => (isBold ? `<b>${text}</b>` : text);

/** Letters of axes and notes: in a room none is smaller than the others. @param {number} letter */
const smallOf = (letter) => (letter > 13 ? letter : letter - 1);
