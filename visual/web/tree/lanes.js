// The lanes of a draft tree: a row each; in a turned tree, whose depth goes downwards, a column.
//
// The path has lane 0. What else was drafted drops out of its parent, deepest parents first, into the nearest lanes, so no edges cross.

/** @import * as T from "../types" */

export const DOT = 7; // pixels
export const MAX_APART = 88; // pixels between two lanes at most
const GAPS = { box: 4, dot: 3 }; // pixels between two lanes at least, beside a box and beside a dot

/**
 * Middles of the lanes, from the middle of lane 0.
 * @param {Map<T.Item, number>} lanes
 * @param {(item: T.Item) => number} sizeOf across the lane
 * @param {number} room
 * @param {number} most distance of two lanes
 * @param {boolean} isSqueezed lanes that do not fit come closer
 */
export function lanesOf(lanes, sizeOf, room, most, isSqueezed) {
  /** @type {number[]} */
  const sizes = [];
  for (const [item, lane] of lanes) sizes[lane] = Math.max(sizes[lane] ?? 0, sizeOf(item));
  const halves = Array.from(sizes, (size) => (size ?? DOT) / 2);
  const least = halves.slice(1).map((half, lane) => half + halves[lane] + (half <= DOT && halves[lane] <= DOT ? GAPS.dot : GAPS.box));
  const needed = halves[0] + least.reduce((sum, each) => sum + each, 0) + (halves.at(-1) ?? 0);
  const more = least.length ? Math.max(0, room - needed) / least.length : 0;
  const share = isSqueezed ? Math.min(1, room / needed) : 1;
  const at = [halves[0]];
  for (const each of least) at.push(at[at.length - 1] + share * Math.max(each, Math.min(most, each + more)));
  return { at, end: at[at.length - 1] + (halves.at(-1) ?? 0) };
}

/**
 * The lane of every item: those on the path first, else the draft's favourites.
 * @param {T.Item[]} items
 * @param {Set<number> | null} known nodes known to be on the path; null: all is known
 * @param {boolean} isPacked a branch may stand in a lane beside a deeper one
 */
export function lanesFor(items, known, isPacked) {
  /** @type {Map<T.Item, number>} */
  const lanes = new Map();
  /** @type {number[]} */
  const from = []; // of each lane: the first column that is taken; what comes later starts further left
  const children = (/** @type {T.Item} */ item) => (known ? inDraftOrder(item.children, known) : item.children);
  const chainFrom = (/** @type {T.Item} */ item) => {
    const chain = [item];
    for (let next = children(item)[0]; next; next = children(next)[0]) chain.push(next);
    return chain;
  };
  const put = (/** @type {T.Item} */ item, /** @type {number} */ lane) => {
    const chain = chainFrom(item);
    for (const each of chain) lanes.set(each, lane);
    let [next, end] = [lane + 1, chain[chain.length - 1].depth];
    for (const parent of chain.slice().reverse()) {
      for (const child of children(parent).slice(1)) {
        const below = put(child, next);
        next = below.next;
        end = Math.max(end, below.end);
      }
    }
    return { next, end };
  };
  const path = chainFrom(items[0]);
  for (const each of path) lanes.set(each, 0);
  let bottom = 1;
  for (const parent of path.slice().reverse()) {
    for (const child of children(parent).slice(1)) {
      const block = put(child, 0);
      const isFree = (/** @type {number} */ lane) =>
        Array.from({ length: block.next }, (_, each) => from[lane + each] ?? Infinity).every((column) => block.end < column);
      let lane = bottom;
      if (isPacked) for (lane = 1; !isFree(lane);) lane += 1;
      put(child, lane);
      for (let each = 1; each < lane + block.next; each += 1) from[each] = Math.min(from[each] ?? Infinity, child.depth - 1);
      bottom = Math.max(bottom, lane + block.next);
    }
  }
  return lanes;
}

/** @param {T.Item[]} children by rank, those on the path first @param {Set<number>} known */
function inDraftOrder(children, known) {
  const placeOf = (/** @type {T.Item} */ { id, rank }) => (known.has(id) ? -1 : rank);
  const shown = children.filter(({ id, state }) => state !== "target" || known.has(id));
  return shown.sort((one, other) => placeOf(one) - placeOf(other));
}
