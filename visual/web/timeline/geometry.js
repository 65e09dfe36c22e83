// Sizes of the timeline: how wide a step is, how high a block, and which steps are numbered.

const MIN_SLOTS = 24; // of a run that comes in
const COLUMN = { least: 8, most: 60 }; // pixels a step; blocks are narrower by GAP, so 6 at least
const GAP = 2;
const UNIT = { most: 6 }; // pixels a block, with the gap below it
const GAPS = [
  { from: 5, gap: 1.5 },
  { from: 2, gap: 1 },
]; // pixels below a block, by its height
const USUAL_TOP = 8; // tokens in a step that fit at that height
const NUMBER = 24; // pixels that a step's number takes

/**
 * @typedef {object} Geometry
 * @property {number} column pixels a step
 * @property {number} block width of a block, pixels
 * @property {number} unit height of a block with the gap below it, pixels
 * @property {number} gap below a block, pixels
 * @property {number} every which steps are numbered: each so many-th
 */

/**
 * @param {{ width: number, height: number }} size of the stacks, without the numbers.
 * @param {number} steps
 * @param {number} top the most tokens of a step.
 * @param {boolean} isLive more steps may come: there is room for them, in few large moves.
 * @returns {Geometry}
 */
export function geometryOf({ width, height }, steps, top, isLive) {
  let slots = isLive ? MIN_SLOTS : steps;
  while (slots < steps) slots *= 2;
  const column = Math.max(COLUMN.least, Math.min(COLUMN.most, width / Math.max(1, slots)));
  const block = Math.max(COLUMN.least - GAP, Math.min(column - GAP, 0.6 * column + 6));
  const high = Math.min(UNIT.most, height / Math.max(USUAL_TOP, top));
  const unit = high < 2 ? high : Math.floor(high); // gaps between pixels would be drawn for some blocks only
  const gap = GAPS.find(({ from }) => unit >= from)?.gap ?? 0;
  const every = [1, 2, 5, 10, 20].find((each) => each * column >= NUMBER) ?? 50;
  return { column, block, unit, gap, every };
}
