// A race as traces: rows of tokens, on each side a bar that ends at the token's arrival, and flags for the arrivals that count.

/** @import * as T from "../types" */
import { escape, isolate } from "../base/format.js";
import { number, quotient } from "../base/numbers.js";
import { drawFrame, inkOn } from "../decision/frame.js";
import { Layers } from "../decision/layers.js";
import { drawOrder, orderTicks } from "./draft_order.js";
import { placed } from "../decision/labels.js";
import { raceNumbers, rowNumbers } from "../decision/printed_numbers.js";
import { drawCentre } from "./race_centre.js";
import { showRace } from "./race_motion.js";
import { isBefore, isBeyond, placeOf } from "./time_scale.js";

const LEAST = 7; // pixels of a bar that ends before the scale
const TICKS = [0.1, 1, 10, 100];

/** @param {T.Decision} decision @param {T.Frame} frame @param {T.Kit} kit @returns {T.Picture} */
export const raceLayout = (decision, frame, kit) => layoutOf(decision, frame, kit, false);

/**
 * Half a race: the draft's side has no clocks, but bars of q in its order.
 * @param {T.Decision} decision @param {T.Frame} frame @param {T.Kit} kit @returns {T.Picture}
 */
export const halfRaceLayout = (decision, frame, kit) => layoutOf(decision, frame, kit, true);

/** @param {T.Decision} decision @param {T.Frame} frame @param {T.Kit} kit @param {boolean} isHalf @returns {T.Picture} */
function layoutOf(decision, frame, kit, isHalf) {
  const layers = new Layers();
  const { centre, small } = frame;
  const { clock = [], p, q, scale: full = 1 } = decision;
  const marked = frame.rows.map((shown) => {
    const mark = kit.marks[decision.marks[shown.row]];
    return { ...shown, mark, isNumbered: mark.drafted || shown.row === decision.chosen };
  });
  const all = numbersOf(isHalf ? { ...decision, q: null } : decision, marked, kit);
  const rows = marked.map((shown, place) => ({ ...shown, numbers: all[place] }));
  drawFrame(layers, { ...frame, hasCentreNote: true }, decision, kit.kinds[decision.kind], [
    ...TICKS.map((time) => ({ place: placeOf(time), words: String(time), side: isHalf ? /** @type {const} */ ("target") : undefined })),
    ...(isHalf ? orderTicks(full) : []),
  ]);
  const labels = new Map(rows.map(({ row }) => [row, { draft: 0, target: 0 }]));
  const hovers = new Map(rows.map(({ row, numbers }) => [row, hoverOf(decision, row, numbers, kit, isHalf)]));
  for (const side of /** @type {const} */ (["draft", "target"])) {
    const chances = side === "draft" ? q : p;
    if (chances && !(isHalf && side === "draft")) drawSide(layers, { decision, frame, rows, side, chances, labels, hovers });
  }
  if (isHalf && q) drawOrder(layers, { frame, rows, q, full, hovers, format: kit.numbers });
  drawCentre(layers, decision, frame, rows);
  if (decision.recorded) drawRecorded(layers, decision, frame);
  const divisors = rows.map(({ row, y, numbers, isNumbered }) => {
    const text = `÷ ${isNumbered ? numbers.target.chance : number(p[row], kit.numbers)}`;
    return { x: centre.right + 5, y, row, text, colour: "$muted" };
  });
  layers.words("target_p", divisors, { size: small, anchor: "left" });
  const draftAt = (/** @type {number} */ row, /** @type {number} */ place) =>
    q && (isHalf ? place / rows.length : placeOf(clock[row] / q[row]));
  const arrivals = new Map(rows.map(({ row }, place) => [row, { draft: draftAt(row, place), target: placeOf(clock[row] / p[row]) }]));
  const drawn = { decision, frame, arrivals, labels, isHalf };
  return { layers, show: (motion, known) => showRace(motion, drawn, known) };
}

/**
 * Rows without numbers beside their bars need no division that comes out.
 * @param {T.Decision} decision
 * @param {{ row: number, isNumbered: boolean }[]} rows
 * @param {T.Kit} kit
 */
function numbersOf({ clock = [], p, q }, rows, { numbers: format }) {
  const valuesOf = (/** @type {{ row: number }} */ { row }) => ({ clock: clock[row], q: q && q[row], p: p[row] });
  const numbered = rows.filter(({ isNumbered }) => isNumbered);
  const found = new Map(raceNumbers(numbered.map(valuesOf), format).map((each, place) => [numbered[place].row, each]));
  return rows.map((shown) => {
    const values = valuesOf(shown);
    return found.get(shown.row) ?? { ...rowNumbers(values, format), clock: number(values.clock, format) };
  });
}

/**
 * @param {Layers} layers
 * @param {object} of
 * @param {T.Decision} of.decision
 * @param {T.Frame} of.frame
 * @param {{ row: number, y: number, rank: number | null, mark: T.MarkStyle, isNumbered: boolean, numbers: T.RowNumbers }[]} of.rows
 * @param {"draft" | "target"} of.side
 * @param {number[]} of.chances
 * @param {Map<number, { draft: number, target: number }>} of.labels filled here
 * @param {Map<number, string>} of.hovers
 */
function drawSide(layers, { decision, frame, rows, side, chances, labels, hovers }) {
  const { centre, scale, small, row: high } = frame;
  const way = side === "draft" ? -1 : 1;
  const edge = side === "draft" ? centre.left : centre.right;
  const anchors =
    side === "draft" ? /** @type {const} */ ({ inner: "right", outer: "left" }) : /** @type {const} */ ({ inner: "left", outer: "right" });
  const { clock = [] } = decision;
  const room = side === "draft" ? centre.left : frame.width - centre.right;
  const bars = rows.map(({ row, y, mark }) => {
    const time = clock[row] / chances[row];
    const long = isBeyond(time) || !chances[row] ? room - 2 : Math.max(LEAST, scale * placeOf(time));
    return { row, y, time, long, colour: mark[side] };
  });
  const at = (/** @type {number} */ x) => edge + way * x;
  const drawn = bars.map(({ row, y, long, colour }) => {
    const [from, to] = [edge, at(long)].sort((one, other) => one - other);
    return { from, to, y, colour, row, hover: hovers.get(row) };
  });
  layers.bars(`${side}_bars`, drawn, Math.round(high * 0.68));
  const late = bars.filter(({ time }) => isBeyond(time) || !Number.isFinite(time));
  const lateCuts = late.flatMap(({ row, y }) => [9, 15].map((back) => ({ x: at(room - back), y, row })));
  layers.slashes(`${side}_late`, lateCuts, high);
  const early = bars.filter(({ time }) => isBefore(time));
  const earlyCuts = early.map(({ row, y }) => ({ x: at(3.5), y, row }));
  layers.slashes(`${side}_early`, earlyCuts, high);
  const numbered = rows.flatMap(({ row, isNumbered, numbers, rank }, place) => {
    const own = numbers[side];
    if (!isNumbered || !own) return [];
    const isFirst = side === "draft" || row === decision.chosen;
    const ranked = rankOf(side, decision, row, rank ?? place + 1);
    const words = placed(own, ranked, { long: bars[place].long, room, small, isMirrored: side === "draft" });
    return [{ ...bars[place], isFirst, words }];
  });
  const inks = new Map(rows.map(({ row, mark }) => [row, inkOn(mark[side])]));
  const short = { size: small, anchor: anchors.inner };
  const within = numbered.map(({ row, y, words }) => ({ x: at(4), y, row, text: words.within, colour: inks.get(row) ?? "$ink" }));
  layers.words(`${side}_within`, within, short);
  const ends = numbered.map(({ row, y, long, time, words }) => {
    return { x: at(long - (isBeyond(time) ? 19 : 5)), y, row, text: words.end, colour: inks.get(row) ?? "$ink" };
  });
  layers.words(`${side}_ends`, ends, { size: small, anchor: anchors.outer });
  const beyond = numbered.map(({ row, y, long, words, isFirst }) => {
    const text = isFirst && words.beyond ? `<b>${words.beyond}</b>` : words.beyond;
    return { x: at(long + (isFirst ? 10 : 4)), y, row, text, colour: isFirst ? "$ink" : "$muted" };
  });
  layers.words(`${side}_beyond`, beyond, short);
  const flagged = numbered.filter(({ isFirst }) => isFirst);
  const poles = flagged.map(({ row, y, long }) => ({ x: at(long), y: y - high * 0.06, row }));
  layers.marks(`${side}_poles`, poles, { symbol: "line-ns", size: high * 0.86, line: { color: "$ink", width: 1.6 } });
  const pennants = flagged.map(({ row, y, long }) => ({ x: at(long + 4), y: y - high * 0.3, row }));
  const colours = flagged.map(({ colour }) => (colour === "$bar" ? "$drafted" : colour));
  const symbol = side === "draft" ? "triangle-left" : "triangle-right";
  layers.marks(`${side}_pennants`, pennants, { symbol, size: 8, color: colours });
  for (const { row, long, words } of numbered) {
    const label = labels.get(row);
    if (label) label[side] = Math.min(1, (long + (words.beyond ? words.reach : 0)) / scale);
  }
}

/** Dotted ticks where the recorded race had the arrivals. @param {Layers} layers @param {T.Decision} decision @param {T.Frame} frame */
function drawRecorded(layers, { recorded = [], clock = [], q }, { centre, scale, row: high, rows }) {
  const ticks = rows.flatMap(({ row, y }) => {
    const sides = [
      { edge: centre.right, way: 1, chance: recorded[row].p },
      { edge: centre.left, way: -1, chance: q && recorded[row].q },
    ];
    return sides.flatMap(({ edge, way, chance }) => {
      const time = chance ? clock[row] / chance : Infinity;
      if (isBeyond(time)) return [];
      const x = edge + way * scale * placeOf(time);
      return [[-0.45, 0.45].map((end) => ({ x, y: y + end * high }))];
    });
  });
  layers.lines("recorded", ticks, { color: "$ink", width: 1.6, dash: "2px,2px" });
}

/**
 * The rank that a row's flag shows; 0: it has none.
 * @param {"draft" | "target"} side
 * @param {T.Decision} decision
 * @param {number} row
 * @param {number} place
 */
function rankOf(side, decision, row, place) {
  if (side === "target") return Number(row === decision.chosen);
  return row === decision.chosen ? (decision.rank ?? 0) : place;
}

/** @param {T.Decision} decision @param {number} row @param {T.RowNumbers} numbers @param {T.Kit} kit @param {boolean} isHalf */
function hoverOf({ names, marks, clock = [], p, q }, row, numbers, kit, isHalf) {
  const lines = [`clock E ${numbers.clock}`];
  const divided = (/** @type {number} */ chance) => (chance ? quotient(clock[row], chance, kit.numbers) : " never arrives");
  if (q) lines.push(isHalf ? `draft q ${number(q[row], kit.numbers)}` : `draft: E ÷ q${divided(q[row])}`);
  lines.push(`target: E ÷ p${divided(p[row])}`);
  return [`<b>${escape(isolate(names[row]))}</b>${kit.marks[marks[row]].drafted ? " · drafted" : ""}`, ...lines.map(escape)].join("<br>");
}
