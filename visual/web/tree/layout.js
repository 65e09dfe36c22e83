// Where everything of a draft tree stands, in pixels. A pure function of the tree, the size of the panel and what is open in it.

/** @import * as T from "../types" */
import { isolate, shorten, shortenStart } from "../base/format.js";
import { at, itemsOf } from "./items.js";
import { DOT, lanesFor, lanesOf, MAX_APART } from "./lanes.js";

const NARROW = 480; // pixels: a tree is turned in a panel narrower than this
const NUMBERS = 46; // pixels, at letter 13, above row 0 or left of column 0 for the numbers of the decisions
const EDGE = 6; // pixels that stay free around the picture: the ring needs them
const DOT_GAP = 14; // pixels between dots of one branch; less where there is no room
const LABELS = [16, 11, 8, 6]; // most characters of a label
const FITS = [
  { gap: 26, padding: 10, smaller: 0 },
  { gap: 21, padding: 10, smaller: 0 },
  { gap: 16, padding: 10, smaller: 0 },
  { gap: 16, padding: 7, smaller: 0 },
  { gap: 16, padding: 7, smaller: 1 },
  { gap: 12, padding: 5, smaller: 1 },
];
const SMALLEST = 12; // pixels of a letter
const TIGHTEST = { gap: 12, padding: 2, smaller: 1, letters: 6 };
const FOLDS_IF_TOO_DEEP = [{ dots: true }, { ends: 3 }, { ends: 2 }, { ends: 1 }, { tail: 24 }, { tail: 8 }]; // ways to fold a tree that is too long, from the least to the most
const FOLDS_IF_TOO_MANY_LANES = [
  { dots: true },
  { branches: true },
  { siblings: 6 },
  { siblings: 4 },
  { siblings: 3 },
  { siblings: 2 },
  { siblings: 1 },
  { siblings: 0 },
  { ends: 1 },
]; // one with too many lanes

/** @typedef {(text: string, size: number, isBold: boolean) => number} Measure  the width of a text, pixels */
/** @typedef {{ x: number, y: number }} Spot the middle of an item */
/** @typedef {{ label: string, sign: string, font: number, isBold: boolean, width: number, height: number }} Look */
/** @typedef {{ gap: number, padding: number, smaller: number, letters: number }} Fit */

/**
 * @typedef {object} TreeLayout
 * @property {T.Item[]} items
 * @property {Map<T.Item, Look>} looks
 * @property {Map<T.Item, Spot>} spots of the finished tree
 * @property {boolean} isTurned
 * @property {boolean} isFolded some tokens are dots or in groups
 * @property {number} width of the picture, pixels; more than the panel's where a reader opened something
 * @property {number} height
 * @property {(known: Set<number>, decided: Set<number>) => Map<T.Item, Spot>} spotsFor the same while only these nodes are known to be on the path, and have been decided
 */

/**
 * @param {T.StepMessage["tree"]} tree
 * @param {Record<string, string>} signs by state
 * @param {T.Size} size
 * @param {Measure} measure
 * @param {Set<string>} open
 * @returns {TreeLayout}
 */
export function layoutOf(tree, signs, size, measure, open) {
  const isTurned = size.width < NARROW;
  /** @type {T.Folding} */
  let folding = { dots: false, ends: Infinity, tail: Infinity, siblings: 8, branches: false, open };
  const narrower = [...FOLDS_IF_TOO_DEEP];
  const lower = [...FOLDS_IF_TOO_MANY_LANES];
  for (;;) {
    const found = fitted(itemsOf(tree, folding), folding, signs, size, measure);
    const [isLong, isBroad] = isTurned ? [found.isTooHigh, found.isTooWide] : [found.isTooWide, found.isTooHigh];
    const more = (isLong && narrower.shift()) || (isBroad && lower.shift());
    if (!more) return found;
    folding = { ...folding, ...more };
  }
}

/**
 * The tree in the first fit that fits, else in the last one.
 * @param {T.Item[]} items
 * @param {T.Folding} folding
 * @param {Record<string, string>} signs
 * @param {T.Size} size
 * @param {Measure} measure
 */
function fitted(items, { dots }, signs, size, measure) {
  const fits = (dots ? LABELS : LABELS.slice(0, 1)).flatMap((letters) => FITS.map((fit) => ({ ...fit, letters })));
  if (dots) fits.push(TIGHTEST);
  let found = place(items, fits[0], signs, size, measure);
  for (const fit of fits.slice(1)) {
    if (!found.isTooWide && (!found.isTooHigh || !found.isTurned)) break; // labels decide about widths alone
    found = place(items, fit, signs, size, measure);
  }
  return found;
}

/** @param {T.Item[]} items @param {Fit} fit @param {Record<string, string>} signs @param {T.Size} size @param {Measure} measure */
function place(items, fit, signs, size, measure) {
  const isTurned = size.width < NARROW;
  const scale = size.letter / 13;
  const looks = new Map(items.map((item) => [item, lookOf(item, fit, signs, size.letter, measure)]));
  const [deep, wide] = isTurned ? /** @type {const} */ (["height", "width"]) : /** @type {const} */ (["width", "height"]);
  const lengthOf = (/** @type {T.Item} */ item) => at(looks, item)[deep];
  const acrossOf = (/** @type {T.Item} */ item) => at(looks, item)[wide];
  const first = EDGE + (isTurned ? NUMBERS - 17 : NUMBERS * scale - 4);
  const [gap, spare] = isTurned ? [Math.min(22, fit.gap) - 8, 26] : [fit.gap, 0];
  const along = columnsOf(items, lengthOf, size[deep], gap, spare);
  const room = size[wide] - first - EDGE;
  const spotsIn = (/** @type {Map<T.Item, number>} */ lanes, /** @type {(item: T.Item) => number} */ sizeOf, isSqueezed = false) => {
    const across = lanesOf(lanes, sizeOf, room, isTurned ? 40 : MAX_APART * scale, isSqueezed);
    const spots = new Map(
      items.map((item) => {
        const [depth, lane] = [along.at[item.depth], first + across.at[lanes.get(item) ?? 0]];
        return [item, isTurned ? { x: lane, y: depth } : { x: depth, y: lane }];
      }),
    );
    return { spots, end: first + across.end };
  };
  let drawn = spotsIn(lanesFor(items, null, false), acrossOf);
  const isPacked = drawn.end + EDGE > size[wide];
  if (isPacked) drawn = spotsIn(lanesFor(items, null, true), acrossOf);
  const [width, height] = isTurned ? [drawn.end + EDGE, along.end + EDGE] : [along.end + EDGE, drawn.end + EDGE];
  const isFolded = items.some(({ isDot, hidden }) => isDot || hidden);
  return {
    items,
    looks,
    spots: drawn.spots,
    isTurned,
    isFolded,
    width: width > size.width + 0.5 ? Math.ceil(width) : size.width,
    height: height > size.height + 0.5 ? Math.ceil(height) : size.height,
    isTooWide: width > size.width + 0.5,
    isTooHigh: height > size.height + 0.5,
    spotsFor: (/** @type {Set<number>} */ known, /** @type {Set<number>} */ decided) => {
      const sizeNow = (/** @type {T.Item} */ item) => (isFolded && item.depth > 1 && !decided.has(item.id) ? DOT : acrossOf(item));
      return spotsIn(lanesFor(items, known, isPacked), sizeNow, true).spots;
    },
  };
}

/**
 * The label and size of an item. Its box has room for its sign before the sign comes.
 * @param {T.Item} item
 * @param {Fit} fit
 * @param {Record<string, string>} signs
 * @param {number} letter
 * @param {Measure} measure
 * @returns {Look}
 */
function lookOf({ state, name, isDot, hidden }, { padding, smaller, letters }, signs, letter, measure) {
  if (isDot) return { label: "", sign: "", font: 0, isBold: false, width: DOT, height: DOT };
  const isBold = !hidden && state !== "not reached" && state !== "rejected";
  const scale = letter / 13;
  const usual = state === "not reached" ? letter - (letter > 13 ? 0 : 1) : letter;
  const font = Math.max(SMALLEST, (isBold ? letter + 2 : usual) - (letter > 13 ? 0 : smaller)); // Present keeps its letters
  const label = labelOf(state, name, hidden, isBold ? letters : Math.max(5, letters - 1), signs);
  const sign = hidden ? "" : (signs[state] ?? "");
  const room = sign || state === "not reached" ? `${sign || signs.rejected} ` : "";
  const width = Math.max(26 * scale, Math.ceil(measure(room + label, font, isBold)) + 2 * padding * scale);
  return { label, sign, font, isBold, width, height: Math.round((isBold ? 2.4 : 2.15) * font) };
}

/**
 * @param {T.Item["state"]} state
 * @param {string} name
 * @param {number} hidden
 * @param {number} letters most of them
 * @param {Record<string, string>} signs
 */
function labelOf(state, name, hidden, letters, signs) {
  if (hidden) return letters > LABELS[2] ? name : name.replace("rejected", signs.rejected);
  return state === "root" ? endOf(name, letters) : shorten(name, letters);
}

/** The last word of the text so far. @param {string} text @param {number} letters */
function endOf(text, letters) {
  const word = text.split(" ").at(-1) ?? "";
  return isolate(shortenStart(word === text ? word : `…${word}`, Math.max(8, letters - 4)));
}

/**
 * Middles of the columns, by depth.
 * @param {T.Item[]} items
 * @param {(item: T.Item) => number} lengthOf
 * @param {number} room
 * @param {number} gap
 * @param {number} spare pixels that a gap may grow by, where there is room
 */
function columnsOf(items, lengthOf, room, gap, spare) {
  /** @type {number[]} */
  const lengths = [];
  /** @type {boolean[]} */
  const boxed = [];
  for (const item of items) {
    lengths[item.depth] = Math.max(lengths[item.depth] ?? 0, lengthOf(item));
    boxed[item.depth] ||= !item.isDot;
  }
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const gaps = lengths.slice(1).map((_, depth) => (boxed[depth + 1] ? gap : Math.min(gap, DOT_GAP)));
  const wide = gaps.reduce((sum, each) => sum + each, 0);
  const free = room - 2 * EDGE - total - wide;
  const soft = gaps.reduce((sum, each, depth) => sum + (boxed[depth + 1] ? 0 : each - 2), 0);
  const more = gaps.length ? Math.max(0, Math.min(spare, free / gaps.length)) : 0;
  const shrink = free < 0 && soft + free >= 0 ? -free / soft : 0; // columns of dots give way
  let end = EDGE;
  const middles = lengths.map((length, depth) => {
    if (depth) end += boxed[depth] ? gaps[depth - 1] + more : gaps[depth - 1] - shrink * (gaps[depth - 1] - 2) + more;
    end += length;
    return end - length / 2;
  });
  return { at: middles, end };
}
