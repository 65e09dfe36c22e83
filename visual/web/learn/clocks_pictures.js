// The pictures of the clocks: one draw as a race, and how often two models agree as they drift apart.

/** @import * as T from "../types" */
import { shorten } from "../base/format.js";
import { kitOfPage } from "../base/kit.js";
import { number } from "../base/numbers.js";
import { html, nothing, svg } from "../lit-html.js";
import { dialShare, placeOf } from "../race/time_scale.js";

const TICKS = [0.1, 1, 10];
const WIDE = 0.62; // of a letter, in letter sizes
const CLOCKS = 6.8; // width of the column of clocks, in letter sizes
const AXIS = 2.5; // room for the numbers of the curve's axis, in letter sizes; the handle below begins there too
const LINES = /** @type {const} */ ([
  { name: "clocks_own", look: "", words: "halo" },
  { name: "clocks_shared", look: "shared", words: "strong halo" },
]);

/** The token that arrives first. @param {number[]} clock @param {number[]} chances */
export const winner = (clock, chances) =>
  clock.reduce((best, time, at) => (time / chances[at] < clock[best] / chances[best] ? at : best), 0);

/**
 * One draw: names, the draft's arrivals to the left of the clocks, the target's to the right.
 * @param {{ names: string[], p: number[], q: number[], others: number[], mine: number[], winners: { draft: number, target: number } }} rows
 *   others: the clocks of the draft, mine: of the target
 * @param {boolean} isShared
 * @param {Record<string, string>} labels
 * @param {{ width: number, letter: number }} size pixels
 */
export function clocksRace({ names, p, q, others, mine, winners }, isShared, labels, { width, letter }) {
  const [head, row, foot] = [2.9 * letter, 1.95 * letter, 1.6 * letter];
  const longest = Math.max(...names.map(({ length }) => length));
  const name = Math.min(longest * WIDE * letter + 8, 0.28 * width);
  const columns = Math.floor((name - 4) / (WIDE * letter));
  const side = (width - name - CLOCKS * letter) / 2; // room for the bars of a model
  const lane = { left: name + side, right: width - side };
  const middle = (lane.left + lane.right) / 2;
  const bottom = head + row * names.length;
  const sides = /** @type {const} */ ([
    { model: "draft", clock: others, chances: q, edge: lane.left, way: -1, anchor: "end", note: "clock ÷ q" },
    { model: "target", clock: mine, chances: p, edge: lane.right, way: 1, anchor: "start", note: "clock ÷ p" },
  ]);
  const heads = sides.map(({ model, edge, way, anchor, note }) => {
    const x = edge + 4 * way;
    return [text(x, 1.1 * letter, labels[model], anchor, "head"), text(x, 2.3 * letter, note, anchor)];
  });
  const grid = sides.flatMap(({ edge, way }) =>
    TICKS.map((time) => {
      const x = edge + way * side * placeOf(time);
      const label = time === 1 ? nothing : text(x, bottom + 1.2 * letter, String(time), "middle");
      return svg`<line x1=${x} x2=${x} y1=${head} y2=${bottom} class="grid"></line>${label}`;
    }),
  );
  const isSame = winners.draft === winners.target;
  const rows = names.map((token, place) => {
    const y = head + row * (place + 0.5);
    const middleOfText = y + 0.35 * letter;
    const bars = sides.map(({ model, clock, chances, edge, way, anchor }) => {
      const time = clock[place] / chances[place];
      const long = Math.max(3, side * placeOf(time));
      const isWinner = winners[model] === place;
      const look = isWinner ? (isSame && "same") || model : "";
      const value = number(time, kitOfPage().numbers);
      const x = Math.min(long + 4, side - value.length * WIDE * letter); // over its bar where there is no room beside it
      return svg`<rect x=${way < 0 ? edge - long : edge} y=${y - 0.31 * row} width=${long} height=${0.62 * row} class="bar ${look}"></rect>
        ${isWinner ? text(edge + way * x, middleOfText, value, anchor, "strong halo") : nothing}`;
    });
    const isFirst = place === winners.draft || place === winners.target;
    const away = isShared ? 0 : 1.5 * letter; // of the two clocks from the middle
    const radius = 0.58 * letter;
    return svg`${bars}${text(0, middleOfText, shorten(token, columns), nothing, isFirst ? "strong halo" : "halo")}
      ${dial(middle - away, y, radius, others[place])}${isShared ? nothing : dial(middle + away, y, radius, mine[place])}
      ${arrow(middle - away - radius - 3, lane.left + 3, y)}${arrow(middle + away + radius + 3, lane.right - 3, y)}`;
  });
  return html`<svg width=${width} height=${bottom + foot} role="img" aria-label=${labels[isShared ? "clocks_shared" : "clocks_own"]}>
    <rect x=${lane.left} y="0" width=${lane.right - lane.left} height=${bottom} class="lane"></rect>
    ${heads} ${text(middle, 1.1 * letter, labels[isShared ? "one_clock" : "two_clocks"], "middle", "head")} ${grid} ${rows}
  </svg>`;
}

/**
 * How often two models agree, with clocks of their own and with the same: only where the handle has been.
 * @param {T.Learn.Clocks["positions"]} positions
 * @param {number} place of the handle
 * @param {number[]} seen first and last place that it has been at
 * @param {Record<string, string>} labels
 * @param {{ width: number, height: number, letter: number }} size pixels
 */
export function clocksCurve(positions, place, [from, to], labels, { width, height, letter }) {
  const left = AXIS * letter;
  const x = (/** @type {number} */ at) => left + 8 + ((width - left - 16) * at) / (positions.length - 1);
  const y = (/** @type {number} */ share) => letter + (height - 2 * letter) * (1 - share);
  const shares = positions[place].expected;
  const below = Math.min(y(shares[0]) + 1.4 * letter, height - 2); // own clocks agree less often: their name stands below
  const heights = [below, Math.min(y(shares[1]) - 0.6 * letter, below - 1.3 * letter)];
  const grid = [0, 0.5, 1].map(
    (share) => svg`<line x1=${left} x2=${width} y1=${y(share)} y2=${y(share)} class="grid"></line>
      ${text(left - 4, y(share) + 0.35 * letter, String(100 * share), "end")}`,
  );
  const lines = LINES.map(({ name, look, words }, kind) => {
    const room = width - labels[name].length * WIDE * letter; // the name begins no further to the right
    const points = positions.slice(from, to + 1).map(({ expected }, at) => `${x(from + at).toFixed(1)},${y(expected[kind]).toFixed(1)}`);
    return svg`<polyline points=${points.join(" ")} class="line ${look}"></polyline>
      <circle cx=${x(place)} cy=${y(shares[kind])} r="5" class="ring ${look}"></circle>
      ${text(Math.min(x(place) + 10, room), heights[kind], labels[name], nothing, words)}`;
  });
  return html`<svg width=${width} height=${height} role="img" aria-label=${labels.alike}>${grid}${lines}</svg>`;
}

/** @param {number} x @param {number} y @param {string} words @param {string | typeof nothing} [anchor] @param {string | typeof nothing} [look] */
const text = (x, y, words, anchor = nothing, look = nothing) =>
  svg`<text x=${x} y=${y} text-anchor=${anchor} class=${look} .textContent=${words}></text>`;

/** @param {number} x @param {number} y @param {number} radius @param {number} clock */
function dial(x, y, radius, clock) {
  const share = dialShare(clock);
  const angle = 2 * Math.PI * share;
  const [endX, endY] = [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
  const path = `M${x} ${y}V${y - radius}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${endX.toFixed(2)} ${endY.toFixed(2)}Z`;
  return svg`<circle cx=${x} cy=${y} r=${radius} class="dial"></circle><path d=${path} class="filled"></path>`;
}

/** @param {number} from @param {number} to @param {number} y */
function arrow(from, to, y) {
  const way = Math.sign(to - from);
  return svg`<path d=${`M${from} ${y}H${to}m${-4 * way} -3l${4 * way} 3l${-4 * way} 3`} class="arrow"></path>`;
}
