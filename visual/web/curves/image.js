// The curves as files: an image as the tab shows them, or of a whole measurement without a page around it (visual/export/picture.py).

/** @import * as T from "../types" */
import { resolve } from "../plot/colours.js";
import { image } from "../plot/plotly_adapter.js";
import { picture } from "./picture.js";

const SIZE = { width: 1280, height: 540, letter: 14 };

/**
 * The address of an image.
 * @param {{ data: Record<string, unknown>[], layout: Record<string, unknown> }} figure
 * @param {T.Curves.CurvesKit} kit
 * @param {T.Palette} palette
 * @param {"png" | "svg"} format
 */
export function imageOf({ data, layout }, kit, palette, format) {
  const page = { paper_bgcolor: "$page", plot_bgcolor: "$page" };
  return image(resolve(data, palette), resolve({ ...kit.layout, ...layout, ...page }, palette), format);
}

/**
 * The address of an image of a measurement; its speeds are those on the machine that measured, where that is known.
 * @param {T.Curves.CurvesMessage[]} messages of the whole measurement.
 * @param {T.Curves.CurvesKit} kit
 * @param {T.Palette} palette
 * @param {T.Curves.MeasuredView} view
 * @param {"png" | "svg"} format
 */
export function imageOfAll(messages, kit, palette, view, format) {
  const begin = /** @type {T.Curves.Begin} */ (messages.find(({ type }) => type === "begin"));
  const lines = /** @type {T.Curves.Lines[]} */ (messages.filter(({ type }) => type === "lines"));
  const { points } = /** @type {T.Curves.Points} */ (messages.find(({ type }) => type === "points"));
  const drawing = { view, temperatures: begin.temperatures, lines, points, guess: null, showsLimit: false, costs: begin.places[0] };
  return imageOf(picture(drawing, kit, SIZE), kit, palette, format);
}
