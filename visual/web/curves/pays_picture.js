// The plot of "Does it pay for me?": the speed-up of a chain against its guesses, with what was measured, where it stops paying, and a tree.

/** @import * as T from "../types" */
import { axesOf, boxOf, font, scaleOf } from "./axes.js";
import { namesOf } from "./names.js";
import { slower } from "./picture.js";

const BAND = 1.13; // half the width of the band at the best k, as a factor
const HEADROOM = 1.12; // of the scale, for the words at the best k
const FAR = 12; // the words of a k beyond it stand to its left

/** @typedef {{ k: number, speed: number, error: number | null }} Dot measured acceptance, at the times entered; `error`: two standard errors */

/**
 * @param {T.Curves.PaysAnswer} answer
 * @param {Dot[]} dots
 * @param {T.Curves.CurvesKit} kit
 * @param {T.PlotSize} size
 */
export function paysPicture(answer, dots, kit, size) {
  const { speedups, tree, logged, k: best, slower_from: slowerFrom } = answer;
  const ks = speedups.map((_, index) => index + 1);
  const style = { ...kit.curves.sequence, color: "$ink", width: 3, dash: "solid" };
  const chain = { name: "sequence", style, x: ks, y: speedups };
  const estimate = {
    name: "tree",
    style: { ...style, label: "tree (est.)", color: "$muted", width: 2, dash: "dot" },
    x: ks,
    y: tree.speedups,
  };
  const tops = [...speedups, ...tree.speedups, ...dots.map(({ speed, error }) => speed + (error ?? 0))];
  const room = { ...chain, y: [HEADROOM * Math.max(...tops)] };
  const scale = scaleOf({ view: "speed", lines: [], points: [], showsLimit: false }, [chain, room]);
  const box = boxOf(0, 1, kit, size);
  const line = (/** @type {T.Curve} */ { x, y, style: { color, width, dash } }, /** @type {string} */ what) => ({
    type: "scatter",
    mode: "lines",
    x,
    y,
    line: { color, width, dash },
    hovertemplate: `${what}, k = %{x}: %{y:.2f}×<extra></extra>`,
  });
  const part = (/** @type {number} */ from, /** @type {number} */ to) => ({ ...chain, x: ks.slice(from, to), y: speedups.slice(from, to) });
  const beyond = { ...part(logged - 1, ks.length), style: { ...style, dash: "dash" } };
  const { shapes, annotation } = slower("x", "y", size);
  const words = { xref: "x", showarrow: false };
  /** @type {Record<string, unknown>[]} */
  const annotations = [
    annotation,
    {
      ...words,
      xref: "x domain",
      yref: "y domain",
      x: 0,
      y: 1,
      xanchor: "left",
      yanchor: "bottom",
      yshift: 6,
      text: `<b>Chain</b>  ${scale.title}`,
      ...font(size, "$ink"),
    },
    ...namesOf([chain, estimate], scale, box, size).map((name) => ({ ...name, xref: "x", yref: "y domain" })),
  ];
  if (best) {
    const [x0, x1] = [best / BAND, best * BAND];
    shapes.push({
      type: "rect",
      xref: "x",
      yref: "y domain",
      x0,
      x1,
      y0: 0,
      y1: 1,
      layer: "below",
      line: { width: 0 },
      fillcolor: "$sunk",
    });
    const text = `<b>best: k = ${best}</b>`;
    annotations.push({ ...words, yref: "y domain", x: Math.log10(x0), y: 1, xanchor: "left", yanchor: "top", text, ...font(size, "$ink") });
  }
  if (slowerFrom !== null) {
    const [xanchor, yanchor] = slowerFrom > FAR ? ["right", "top"] : ["left", "bottom"]; // where the curve is not
    const text = `▼ slower from ${slowerFrom} on`;
    const at = { x: Math.log10(slowerFrom), y: 1, xanchor, yanchor, yshift: yanchor === "top" ? -6 : 4 };
    annotations.push({ ...words, yref: "y", ...at, text, ...font(size, "$rejected-ink") });
  }
  const crossing = slowerFrom === null ? [] : [slowerFrom];
  const ring = { symbol: "circle-open", size: 12, color: "$rejected", line: { width: 2.5, color: "$rejected" } };
  const bars = { color: "$ink", thickness: 1.5, width: 4 };
  const data = [
    line(estimate, "tree, estimated"),
    line(beyond, "chain, continued"),
    line(part(0, logged), "chain"),
    { type: "scatter", mode: "markers", x: crossing, y: crossing.map((k) => speedups[k - 1]), marker: ring, hoverinfo: "skip" },
    {
      type: "scatter",
      mode: "markers",
      cliponaxis: false,
      x: dots.map(({ k }) => k),
      y: dots.map(({ speed }) => speed),
      error_y: { type: "data", array: dots.map(({ error }) => error ?? 0), ...bars },
      customdata: dots.map(({ error }) => (error === null ? "" : ` ± ${error.toFixed(2)}`)),
      marker: { symbol: "circle", size: 9, color: "$ink" },
      hovertemplate: "chain, acceptance measured, k = %{x}: %{y:.2f}%{customdata}×<extra></extra>",
    },
  ];
  const layout = {
    ...axesOf(0, box, scale, size),
    annotations,
    shapes,
    margin: { l: 0, r: 0, t: 0, b: 0 },
    ...{ width: size.width, height: size.height },
  };
  return { data, layout };
}
