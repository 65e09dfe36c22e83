// The plot of "Does it pay for me?": the speed-up of a chain against its guesses, with what was measured, where it stops paying, and a tree.

/** @import * as T from "../types" */
import { axesOf, boxOf, font, scaleOf } from "../curves/axes.js";
import { lineOf, namesOf } from "../curves/lines.js";
import { layoutOf, slower, titleOf } from "../curves/picture.js";

const BAND = 1.13; // half the width of the band at the best k, as a factor
const HEADROOM = 1.12; // of the scale, for the words at the best k
const FAR = 12; // the words of a k beyond it stand to its left

/** @typedef {{ k: number, speed: number, error: number | null }} Dot measured acceptance, at the times entered; `error`: two standard errors */

/** @param {T.Curves.PaysAnswer} answer @param {Dot[]} dots @param {T.Curves.CurvesKit} kit @param {T.Size} size */
export function paysPicture(answer, dots, kit, size) {
  const { speedups, tree, logged, k: best, slower_from: slowerFrom } = answer;
  const ks = speedups.map((_, index) => index + 1);
  const style = { ...kit.curves.sequence, color: "$ink", width: 3, dash: "solid" };
  const chain = { name: "sequence", style, x: ks, y: speedups };
  const estimated = { ...style, label: "tree (est.)", color: "$muted", width: 2, dash: "dot" };
  const estimate = { name: "tree", style: estimated, x: ks, y: tree.speedups };
  const tops = [...speedups, ...tree.speedups, ...dots.map(({ speed, error }) => speed + (error ?? 0))];
  const room = { ...chain, y: [HEADROOM * Math.max(...tops)] };
  const scale = scaleOf({ view: "speed", lines: [], points: [], showsLimit: false }, [chain, room]);
  const box = boxOf(0, 1, kit, size);
  const line = (/** @type {T.Curve} */ curve, /** @type {string} */ label) => lineOf({ ...curve, style: { ...curve.style, label } }, scale);
  const part = (/** @type {number} */ from, /** @type {number} */ to) => ({ ...chain, x: ks.slice(from, to), y: speedups.slice(from, to) });
  const beyond = { ...part(logged - 1, ks.length), style: { ...style, dash: "dash" } };
  const { shapes, annotation } = slower("x", "y", size);
  const words = { xref: "x", showarrow: false };
  /** @type {Record<string, unknown>[]} */
  const annotations = [
    annotation,
    titleOf("x", "y", `<b>Chain</b>  ${scale.title}`, size),
    ...namesOf([chain, estimate], scale, box, size).map((name) => ({ ...name, xref: "x", yref: "y domain" })),
  ];
  if (best) {
    const [x0, x1] = [best / BAND, best * BAND];
    const band = { type: "rect", layer: "below", line: { width: 0 }, fillcolor: "$sunk" };
    shapes.push({ ...band, xref: "x", yref: "y domain", x0, x1, y0: 0, y1: 1 });
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
  return { data, layout: layoutOf(axesOf(0, box, scale, size), annotations, shapes, size) };
}
