// Outlines of boxes, dots and edges as SVG paths. All of one sort have the same commands, so that a browser can move from one to another.

/** @import * as T from "../types" */

const CORNER = 7; // pixels

/** @param {number} value */
const fixed = (value) => Number(value.toFixed(1));

/**
 * A rounded rectangle.
 * @param {T.Spot} spot its middle
 * @param {{ width: number, height: number }} size
 * @param {number} [grown] pixels that it is larger on each side
 */
export function boxAround({ x, y }, { width, height }, grown = 0) {
  const [w, h] = [width / 2 + grown, height / 2 + grown];
  const corner = Math.min(CORNER + grown, w, h);
  const [left, right, top, bottom] = [x - w, x + w, y - h, y + h].map(fixed);
  const [l, r, t, b] = [x - w + corner, x + w - corner, y - h + corner, y + h - corner].map(fixed);
  return (
    `M ${l},${top} L ${r},${top} Q ${right},${top} ${right},${t} L ${right},${b} Q ${right},${bottom} ${r},${bottom} ` +
    `L ${l},${bottom} Q ${left},${bottom} ${left},${b} L ${left},${t} Q ${left},${top} ${l},${top} Z`
  );
}

/**
 * The edge from a parent to a child: straight in one lane, else out of the parent's side, and around a corner.
 * @param {T.Spot} from
 * @param {{ width: number, height: number }} size of the parent
 * @param {T.Spot} to
 * @param {boolean} isTurned
 */
export function edgeBetween(from, size, to, isTurned) {
  const [depth, lane] = isTurned ? [from.y, from.x] : [from.x, from.y];
  const [toDepth, toLane] = isTurned ? [to.y, to.x] : [to.x, to.y];
  const way = Math.sign(toLane - lane);
  const start = way ? [depth, lane + (way * (isTurned ? size.width : size.height)) / 2] : [depth, lane];
  const corner = Math.min(CORNER, Math.abs(toLane - start[1]), Math.abs(toDepth - depth));
  const points = [start, [depth, toLane - way * corner], [depth, toLane], [depth + corner, toLane], [toDepth, toLane]];
  const [a, b, c, d, e] = points.map(([one, other]) => (isTurned ? `${fixed(other)},${fixed(one)}` : `${fixed(one)},${fixed(other)}`));
  return `M ${a} L ${b} Q ${c} ${d} L ${e}`;
}
