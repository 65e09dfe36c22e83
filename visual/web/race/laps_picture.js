// A race in laps as traces: on the draft's side a row is laps end to end, with a pole at every arrival, up to the last one that counts. Both
// sides have the same linear axis, or laps of one length would look unequal.

/** @import * as T from "../types" */
import { escape, isolate } from "../base/format.js";
import { number } from "../base/numbers.js";
import { drawFrame, inkOn } from "../decision/frame.js";
import { showLaps } from "./laps_motion.js";
import { Layers } from "../decision/layers.js";
import { drawCentre } from "./race_centre.js";

const COUNT_LETTERS = 2.6; // room beyond the last arrival, where the counts stand
const POLE = 1.8; // pixels
const TICKS = [1, 2, 2.5, 5]; // times powers of ten
const MAX_TICKS = 4;

/** @param {T.Decision} decision @param {T.Frame} frame @param {T.Kit} kit @returns {T.Picture} */
export function lapsLayout(decision, frame, kit) {
  const layers = new Layers();
  const { centre, small, row: high, scale } = frame;
  const { clock = [], p, q, laps = { rows: [], times: [] } } = decision;
  const stop = laps.times.at(-1) ?? 1;
  const full = (stop * scale) / (scale - COUNT_LETTERS * small);
  const long = (/** @type {number} */ time) => scale * Math.min(1, time / full);
  const rows = frame.rows.map((shown) => {
    const arrived = laps.times.filter((_, place) => laps.rows[place] === shown.row);
    return { ...shown, mark: kit.marks[decision.marks[shown.row]], arrived, first: clock[shown.row] / p[shown.row] };
  });
  const ticks = ticksOf(full).map((time) => ({ place: time / full, words: String(time) }));
  drawFrame(layers, { ...frame, hasCentreNote: true }, decision, kit.kinds[decision.kind], ticks);
  const thick = Math.round(high * 0.68);
  const hovers = new Map(rows.map((shown) => [shown.row, hoverOf(decision, shown, kit)]));
  if (q) {
    const bars = rows.flatMap(({ row, y, mark, arrived }) => {
      const hover = hovers.get(row);
      const ends = [0, ...arrived];
      const run = arrived.map((time, place) => {
        const colour = place % 2 ? "$bar" : mark.draft;
        return { from: centre.left - long(time), to: centre.left - long(ends[place]), y, colour, row, hover };
      });
      const poles = arrived.map((time) => ({
        from: centre.left - long(time),
        to: centre.left - long(time) + POLE,
        y,
        colour: "$ink",
        row,
      }));
      // its first lap goes on beyond the last arrival that counts: a bar that ended at the line would look like a tie
      const late = { from: centre.left - long(clock[row] / q[row]), to: centre.left, y, colour: "$bar", row, hover };
      return [...run, ...(arrived.length ? [] : [late]), ...poles];
    });
    layers.bars("draft_bars", bars, thick);
    const beyond = rows.filter(({ row }) => !(clock[row] / q[row] <= full));
    const cuts = beyond.flatMap(({ row, y }) => [9, 15].map((inward) => ({ x: centre.left - scale + inward, y, row })));
    layers.slashes("draft_late", cuts, high);
    layers.lines("stop", [[frame.head, frame.foot].map((y) => ({ x: centre.left - long(stop), y }))], { color: "$ink", width: 1.6 });
    const x = centre.left - long(stop) - 4;
    const guessed = rows.filter(({ arrived }) => arrived.length);
    const counts = guessed.map(({ row, y, arrived }) => ({ x, y, row, text: `<b>×${arrived.length}</b>`, colour: "$ink" }));
    layers.words("draft_beyond", counts, { size: small, anchor: "right" });
  }
  const numbered = rows.filter(({ row, mark }) => mark.drafted || row === decision.chosen);
  const room = frame.width - centre.right - 2;
  const bars = rows.map(({ row, y, mark, first }) => {
    const ends = first > full ? room : Math.max(2, long(first));
    return { from: centre.right, to: centre.right + ends, y, colour: mark.target, row, hover: hovers.get(row) };
  });
  layers.bars("target_bars", bars, thick);
  const late = rows.filter(({ first }) => !(first <= full));
  const cuts = late.flatMap(({ row, y }) => [9, 15].map((back) => ({ x: centre.right + room - back, y, row })));
  layers.slashes("target_late", cuts, high);
  const times = numbered.map(({ row, y, first, mark }) => {
    const isWinner = row === decision.chosen;
    const text = `${number(first, kit.numbers)}${isWinner ? " 1st" : ""}`;
    const wide = text.length * small * 0.62;
    const isWithin = first > full || centre.right + long(first) + wide + 6 > frame.width;
    const colour = isWithin ? inkOn(mark.target) : "$ink";
    return { x: centre.right + (isWithin ? 4 : long(first) + 5), y, row, text: isWinner ? `<b>${text}</b>` : text, colour };
  });
  layers.words("target_beyond", times, { size: small, anchor: "left" });
  const clocked = rows.map((shown) => ({ ...shown, numbers: { clock: number(clock[shown.row], kit.numbers) } }));
  drawCentre(layers, decision, frame, clocked);
  return { layers, show: (motion, known) => showLaps(motion, { decision, frame, full, laps }, known) };
}

/** A few round times. @param {number} full */
function ticksOf(full) {
  const sizes = [-3, -2, -1, 0, 1, 2, 3, 4].flatMap((power) => TICKS.map((one) => one * 10 ** power));
  const step = sizes.find((size) => full / size <= MAX_TICKS) ?? full;
  return Array.from({ length: Math.floor(full / step) }, (_, place) => Number((step * (place + 1)).toPrecision(6)));
}

/** @param {T.Decision} decision @param {{ row: number, arrived: number[], first: number }} shown @param {T.Kit} kit */
function hoverOf({ names, clock = [], p, q }, { row, arrived, first }, kit) {
  const written = (/** @type {number} */ value) => (Number.isFinite(value) ? number(value, kit.numbers) : "never");
  const lines = [`clock of lap 1: ${written(clock[row])}`, `target: E ÷ p (${written(p[row])}) arrives at ${written(first)}`];
  if (q) {
    const times = arrived.length ? arrived.slice(0, 12).map(written).join(", ") : `not in time; first at ${written(clock[row] / q[row])}`;
    lines.unshift(`draft q ${written(q[row])}; arrivals: ${times}${arrived.length > 12 ? ", …" : ""}`);
  }
  return [`<b>${escape(isolate(names[row]))}</b>`, ...lines.map(escape)].join("<br>");
}
