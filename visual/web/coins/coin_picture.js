// A decision by probabilities as traces: q to the left of the tokens, p to the right, as an outline of which what remains is filled.

/** @import * as T from "../types" */
import { escape, isolate } from "../base/format.js";
import { number } from "../base/numbers.js";
import { remainingAt, showCoins } from "./coin_motion.js";
import { drawFrame, inkOn } from "../decision/frame.js";
import { drawNames, placedValue } from "../decision/labels.js";
import { Layers } from "../decision/layers.js";

const NO_FILL = "rgba(0,0,0,0)";
const OUTLINE = { line: { color: "$muted", width: 1 } };

/** @param {T.Decision} decision @param {T.Frame} frame @param {T.Kit} kit @param {T.StepMessage} step @returns {T.Picture} */
export function coinLayout(decision, frame, kit, step) {
  const layers = new Layers();
  const { centre, scale, letter, small, row: high } = frame;
  const { p, q, scale: full = 1, row_of: rowOf, chances } = decision;
  const times = new Map(Object.entries(rowOf).map(([vertex, row]) => [row, step.tree.draws[Number(vertex)] ?? 1]));
  const rows = frame.rows.map((shown) => {
    const count = times.get(shown.row) ?? 0;
    return { ...shown, mark: kit.marks[decision.marks[shown.row]], count: count > 1 ? ` ×${count}` : "" };
  });
  const ticks = [0.5, 1].map((place) => ({ place, words: String(place * full) }));
  drawFrame(layers, { ...frame, hasCentreNote: rows.some(({ count }) => count) }, decision, kit.kinds[decision.kind], ticks);
  const long = (/** @type {number} */ value) => scale * Math.min(1, value / full);
  const leftward = (/** @type {number} */ value) => ({ from: centre.left - long(value), to: centre.left });
  const rightward = (/** @type {number} */ value) => ({ from: centre.right, to: centre.right + long(value) });
  const hover = (/** @type {number} */ row) =>
    [
      `<b>${escape(isolate(decision.names[row]))}</b>`,
      ...(q ? [escape(`draft q ${number(q[row], kit.numbers)}`)] : []),
      escape(`target p ${number(p[row], kit.numbers)}`),
    ].join("<br>");
  const thick = Math.round(high * 0.68);
  if (q) {
    const guesses = rows.map(({ row, y, mark }) => ({ ...leftward(q[row]), y, colour: mark.draft, row, hover: hover(row) }));
    layers.bars("draft_bars", guesses, thick);
    if (chances) {
      const some = rows.filter(({ row }) => chances[row] !== null);
      const drawn = some.map(({ row, y }) => ({ ...leftward(chances[row] ?? 0), y, colour: NO_FILL, row }));
      layers.bars("draft_chances", drawn, thick, OUTLINE);
    }
    const numbered = rows.filter(({ row, mark }) => mark.drafted || mark.sign || (chances && chances[row] !== null));
    const values = numbered.map(({ row, y }) => valueAt(row, y, long(chances?.[row] ?? q[row]), guessed(row, q[row])));
    layers.words("draft_beyond", values, { size: small, anchor: "right" });
  }
  const bars = rows.map(({ row, y, mark }) => ({ ...rightward(p[row]), y, colour: mark.target, row, hover: hover(row) }));
  layers.bars("target_bars", bars, thick);
  const outlines = rows.map(({ row, y }) => ({ ...rightward(p[row]), y, colour: NO_FILL, row }));
  layers.bars("target_outlines", outlines, thick, OUTLINE);
  const stages = [...new Set([null, 0, ...(decision.tries ?? []).map((_, place) => place), decision.tries?.length ?? 0])];
  for (const stage of stages) {
    const remaining = remainingAt(decision, stage);
    const words = rows
      .filter(({ mark }) => mark.drafted || mark.sign)
      .flatMap(({ row, y, mark }) => {
        const all = number(p[row], kit.numbers);
        const isLess = remaining !== null && remaining[row] < p[row] * 0.999;
        const left = isLess ? leftOf(remaining[row]) : "";
        const filled = isLess ? long(remaining[row]) : long(p[row]);
        const bar = { long: long(p[row]), filled, room: frame.width - centre.right - 6, small };
        return placedValue(left, all, bar).map(({ x, text, isWithin }) => {
          return { row, y, x: centre.right + x, text: escape(text), colour: isWithin ? inkOn(mark.target) : "$ink" };
        });
      });
    layers.words(`target_beyond_${stage ?? "end"}`, words, { size: small, anchor: "left" });
  }
  const columns = Math.floor((centre.right - centre.left - letter * 1.9) / (letter * 0.64));
  drawNames(layers, decision, { x: centre.left + 6, columns, letter }, rows);
  return { layers, show: (motion, known) => showCoins(motion, { decision, frame, layers }, known) };

  /** q, and where it is not that, the chance to be guessed. @param {number} row @param {number} chance */
  function guessed(row, chance) {
    const own = chances?.[row] ?? null;
    const written = number(chance, kit.numbers);
    if (own === null) return written;
    return `${written} → ${own === 1 ? kit.words.certain : number(own, kit.numbers)}`;
  }

  /** @param {number} remaining */
  function leftOf(remaining) {
    return remaining && remaining < 1e-4 ? "≈ 0" : number(remaining, kit.numbers);
  }

  /** @param {number} row @param {number} y @param {number} length @param {string} text */
  function valueAt(row, y, length, text) {
    const wide = text.length * small * 0.62;
    const isLong = centre.left - length < wide + 8;
    return {
      x: isLong ? Math.min(centre.left - 4, centre.left - length + wide + 4) : centre.left - length - 4, // never over the centre's names
      y,
      row,
      text: escape(text),
      colour: "$ink",
    };
  }
}
