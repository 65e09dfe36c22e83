// The shapes under a tree's labels. A shape costs Plotly far more than a longer path, so equal ones are joined.

const BOX_HALF = 12; // pixels, half a box's height
const BOX_CORNER = 5;
const BADGE_HALF = 6;
const BADGE_CORNER = 4;
const RING_RADIUS = 9;

/**
 * @typedef {{ column: number, lane: number }} Place in columns and lanes of the tree
 * @typedef {{ column: number, lane: number }} Pitch pixels of one column and of one lane
 * @typedef {(x: number, y: number) => string} Writer a point, given in pixels from some origin, as it stands in a path
 */

/**
 * A rounded rectangle around an origin, as an SVG path.
 *
 * @param {number} x half its width, pixels.
 * @param {number} y half its height.
 * @param {number} corner
 * @param {Writer} point
 */
function rounded(x, y, corner, point) {
  const [left, right, top, bottom] = [corner - x, x - corner, corner - y, y - corner]; // where the straight sides end
  return (
    `M ${point(left, -y)} L ${point(right, -y)} Q ${point(x, -y)} ${point(x, top)} L ${point(x, bottom)} Q ${point(x, y)} ${point(right, y)} ` +
    `L ${point(left, y)} Q ${point(-x, y)} ${point(-x, bottom)} L ${point(-x, top)} Q ${point(-x, -y)} ${point(left, -y)} Z`
  );
}

/**
 * Writes points around a position in the tree, in columns and lanes.
 *
 * @param {Place} place
 * @param {Pitch} pitch
 * @returns {Writer}
 */
const inTree = (place, pitch) => (x, y) => `${(place.column + x / pitch.column).toFixed(4)},${(place.lane + y / pitch.lane).toFixed(4)}`;

/**
 * A box around a label.
 *
 * @param {Place} place
 * @param {number} half half its width, pixels.
 * @param {Pitch} pitch
 */
export const box = (place, half, pitch) => rounded(half, BOX_HALF, BOX_CORNER, inTree(place, pitch));

/**
 * A badge around the numbers of the tries.
 *
 * @param {Place} place
 * @param {number} half
 * @param {Pitch} pitch
 */
export const badge = (place, half, pitch) => rounded(half, BADGE_HALF, BADGE_CORNER, inTree(place, pitch));

/**
 * Where the badge of a box stands: on its upper left corner.
 *
 * @param {Place} place of the box.
 * @param {number} boxHalf half widths, pixels.
 * @param {number} badgeHalf
 * @param {Pitch} pitch
 * @returns {Place}
 */
export function onCorner(place, boxHalf, badgeHalf, pitch) {
  return { column: place.column + (7 - boxHalf - badgeHalf) / pitch.column, lane: place.lane - BOX_HALF / pitch.lane };
}

/**
 * Joins paths of one style into one shape; no paths, no shape.
 *
 * @param {string[]} paths
 * @param {Record<string, unknown>} style colours and lines.
 */
export function together(paths, style) {
  return paths.length ? [{ type: "path", path: paths.join(" "), layer: "below", ...style }] : [];
}

/**
 * A ring around a vertex: around its box, or around its marker.
 *
 * @param {Place} place
 * @param {number | null} half half the width of its box; null: it has a marker.
 */
export function ring({ column, lane }, half) {
  const line = { color: "$ink", width: 3 };
  const origin = { xref: "x", yref: "y", xsizemode: "pixel", ysizemode: "pixel", xanchor: column, yanchor: lane };
  if (half === null) {
    return { type: "circle", ...origin, x0: -RING_RADIUS, x1: RING_RADIUS, y0: -RING_RADIUS, y1: RING_RADIUS, line };
  }
  const path = rounded(half, BOX_HALF, BOX_CORNER, (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return { type: "path", path, ...origin, fillcolor: "rgba(0,0,0,0)", line, layer: "above" };
}
