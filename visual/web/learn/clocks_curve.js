// How often two models agree as they drift apart, with clocks of their own and with the same: only where the handle has been.

/** @import * as T from "../types" */
import { shape, words } from "../base/svg.js";

const NAMES = /** @type {const} */ (["clocks_own", "clocks_shared"]);
const WIDE = 0.62; // of a letter, in letter sizes
const AXIS = 2.5; // room for the numbers of its axis, in letter sizes; the handle below begins there too

/**
 * @param {T.Learn.Clocks["positions"]} positions
 * @param {number} place of the handle
 * @param {number[]} seen first and last place that it has been at
 * @param {Record<string, string>} labels
 * @param {{ width: number, height: number, letter: number }} size pixels
 */
export function clocksCurve(positions, place, [from, to], labels, { width, height, letter }) {
  const svg = shape("svg", { width, height, role: "img", "aria-label": labels.alike });
  const left = AXIS * letter;
  const x = (/** @type {number} */ at) => left + 8 + ((width - left - 16) * at) / (positions.length - 1);
  const y = (/** @type {number} */ share) => letter + (height - 2 * letter) * (1 - share);
  for (const share of [0, 0.5, 1]) {
    svg.append(
      shape("line", { x1: left, x2: width, y1: y(share), y2: y(share), class: "grid" }),
      words(left - 4, y(share) + 0.35 * letter, String(100 * share), { "text-anchor": "end" }),
    );
  }
  const shares = positions[place].expected;
  const above = y(shares[1]) - 0.6 * letter;
  const below = Math.min(y(shares[0]) + 1.4 * letter, height - 2); // own clocks agree less often: their name stands below
  for (const [kind, name] of NAMES.entries()) {
    const look = kind ? "shared" : "";
    const room = width - labels[name].length * WIDE * letter; // the name begins no further to the right
    const line = positions.slice(from, to + 1).map(({ expected }, at) => `${x(from + at).toFixed(1)},${y(expected[kind]).toFixed(1)}`);
    svg.append(
      shape("polyline", { points: line.join(" "), class: `line ${look}` }),
      shape("circle", { cx: x(place), cy: y(shares[kind]), r: 5, class: `ring ${look}` }),
      words(Math.min(x(place) + 10, room), kind ? Math.min(above, below - 1.3 * letter) : below, labels[name], {
        class: kind ? "strong halo" : "halo",
      }),
    );
  }
  return svg;
}
