// The middle of a race: the tokens with their clocks.

/** @import * as T from "../types" */
import { escape } from "../base/format.js";
import { drawNames } from "../decision/labels.js";
import { dialShare } from "./time_scale.js";

const DIAL_STEPS = 20; // corners of a full dial

/**
 * The centre: sign and token, the dial, the clock. A token has its look before it arrives, as the draft's and as the target's.
 * @param {T.Layers} layers
 * @param {T.Decision} decision
 * @param {T.Frame} frame
 * @param {{ row: number, y: number, mark: T.MarkStyle, numbers: { clock: string } }[]} rows
 */
export function drawCentre(layers, decision, { centre, letter, small }, rows) {
  const clockWidth = Math.max(...rows.map(({ numbers }) => numbers.clock.length)) * small * 0.62;
  const radius = letter * 0.42;
  const dialX = centre.right - 7 - clockWidth - radius - 5;
  const columns = Math.floor((dialX - radius - centre.left - 7 - letter * 1.25) / (letter * 0.66));
  drawNames(layers, decision, { x: centre.left + 6, columns, letter }, rows);
  const clocks = rows.map(({ row, y, numbers }) => ({ x: centre.right - 7, y, row, text: escape(numbers.clock), colour: "$ink" }));
  layers.words("clocks", clocks, { size: small, anchor: "right" });
  const dials = rows.map(({ row, y }) => ({ x: dialX, y, row, share: dialShare(decision.clock?.[row] ?? 0) }));
  const sectors = dials.map((dial) => sector(dial, radius));
  layers.lines("dial_shares", sectors, { width: 0 }, "$muted");
  layers.marks("dials", dials, { symbol: "circle-open", size: 2 * radius + 1, color: "$muted", line: { width: 1.2 } });
}

/** A dial's filled part, clockwise from the top. @param {{ x: number, y: number, share: number }} dial @param {number} radius */
function sector({ x, y, share }, radius) {
  const corners = Math.max(1, Math.ceil(share * DIAL_STEPS));
  const arc = Array.from({ length: corners + 1 }, (_, place) => {
    const angle = 2 * Math.PI * share * (place / corners);
    return { x: x + radius * Math.sin(angle), y: y - radius * Math.cos(angle) };
  });
  return [{ x, y }, ...arc, { x, y }];
}
