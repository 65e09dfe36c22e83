// Traces of a Plotly picture laid out in pixels: x to the right, y downwards. Each knows the row of every point, for the filter in motion.

/** @import * as T from "../types" */

/**
 * @typedef {{ x: number, y: number, text: string, colour: string, row: number, hover?: string }} Word
 * @typedef {{ from: number, to: number, y: number, colour: string, row: number, hover?: string }} Bar
 * @typedef {{ x: number, y: number, row: number }} Spot
 * @typedef {{ size: number, anchor: "left" | "center" | "right", isBold?: boolean }} Type
 */

/** Collects traces in drawing order. */
export class Layers {
  constructor() {
    /** @type {T.Trace[]} */
    this.traces = [];
    /** @type {Map<string, number[]>} */
    this.rows = new Map(); // by trace: the row of each point
    /** @type {T.Trace[]} */
    this.shapes = []; // behind the traces
  }

  /** @param {string} name @param {{ row: number }[]} points @param {T.Trace} trace */
  add(name, points, trace) {
    const rows = points.map(({ row }) => row);
    this.rows.set(name, rows);
    this.traces.push({ name, uid: name, hoverinfo: "skip", cliponaxis: false, ...trace });
  }

  /** @param {string} name @param {Bar[]} bars @param {number} height @param {T.Trace} [marker] */
  bars(name, bars, height, marker = {}) {
    const hover = bars.some((bar) => bar.hover) && { hoverinfo: "text", hovertext: bars.map((bar) => bar.hover ?? "") };
    this.add(name, bars, {
      type: "bar",
      orientation: "h",
      base: bars.map(({ from }) => from),
      x: bars.map(({ from, to }) => to - from),
      y: bars.map(({ y }) => y),
      width: height,
      textposition: "none",
      marker: { color: bars.map(({ colour }) => colour), ...marker },
      ...hover,
    });
  }

  /** @param {string} name @param {Word[]} words their text is escaped. @param {Type} type */
  words(name, words, { size, anchor, isBold = false }) {
    const seen = words.filter(({ text }) => text);
    this.add(name, seen, {
      type: "scatter",
      mode: "text",
      x: seen.map(({ x }) => x),
      y: seen.map(({ y }) => y),
      text: seen.map(({ text }) => (isBold ? `<b>${text}</b>` : text)),
      // Plotly names the side on which the text stands
      textposition: `middle ${{ left: "right", center: "center", right: "left" }[anchor]}`,
      textfont: { size, color: seen.map(({ colour }) => colour) },
    });
  }

  /** @param {string} name @param {Spot[]} spots @param {T.Trace} marker */
  marks(name, spots, marker) {
    this.add(name, spots, { type: "scatter", mode: "markers", x: spots.map(({ x }) => x), y: spots.map(({ y }) => y), marker });
  }

  /** Slashes that cut bars which end before their value. @param {string} name @param {Spot[]} spots @param {number} high rows */
  slashes(name, spots, high) {
    this.marks(name, spots, { symbol: "line-ne", size: high * 0.68, line: { color: "$panel", width: 2 } });
  }

  /**
   * Lines, or areas where `fill` is a colour.
   * @param {string} name
   * @param {{ x: number, y: number }[][]} pieces
   * @param {T.Trace} line
   * @param {string} [fill]
   */
  lines(name, pieces, line, fill) {
    const points = pieces.flatMap((piece) => [...piece, { x: null, y: null }]);
    const area = fill ? { fill: "toself", fillcolor: fill } : {};
    this.add(name, [], { type: "scatter", mode: "lines", x: points.map(({ x }) => x), y: points.map(({ y }) => y), line, ...area });
  }
}
