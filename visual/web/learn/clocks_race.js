// One draw of the clocks as a race: names, the draft's arrivals to the left of the clocks, the target's to the right.

import { kitOfPage } from "../base/kit.js";
import { number } from "../base/numbers.js";
import { shape, words } from "../base/svg.js";

const DECADES = [-2, 2]; // of the time axis
const TICKS = [0.1, 1, 10];
const WIDE = 0.6; // of a letter, in letter sizes
const CLOCKS = 6.8; // width of the column of clocks, in letter sizes

/** The token that arrives first. @param {number[]} clock @param {number[]} chances */
export const winner = (clock, chances) =>
  clock.reduce((best, time, at) => (time / chances[at] < clock[best] / chances[best] ? at : best), 0);

/**
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
  const side = (width - name - CLOCKS * letter) / 2; // room for the bars of a model
  const lane = { left: name + side, right: width - side };
  const middle = (lane.left + lane.right) / 2;
  const bottom = head + row * names.length;
  const svg = shape("svg", { width, height: bottom + foot, role: "img", "aria-label": labels[isShared ? "clocks_shared" : "clocks_own"] });
  svg.append(shape("rect", { x: lane.left, y: 0, width: lane.right - lane.left, height: bottom, class: "lane" }));
  for (const [x, anchor, title, note] of /** @type {const} */ ([
    [lane.left - 4, "end", labels.draft, "clock ÷ q"],
    [lane.right + 4, "start", labels.target, "clock ÷ p"],
  ])) {
    svg.append(
      words(x, 1.1 * letter, title, { "text-anchor": anchor, class: "head" }),
      words(x, 2.3 * letter, note, { "text-anchor": anchor }),
    );
  }
  svg.append(words(middle, 1.1 * letter, labels[isShared ? "one_clock" : "two_clocks"], { "text-anchor": "middle", class: "head" }));
  const sides = /** @type {const} */ ([
    { model: "draft", clock: others, chances: q, edge: lane.left, way: -1 },
    { model: "target", clock: mine, chances: p, edge: lane.right, way: 1 },
  ]);
  for (const { edge, way } of sides) {
    for (const time of TICKS) {
      const x = edge + way * side * placeOf(time);
      svg.append(shape("line", { x1: x, x2: x, y1: head, y2: bottom, class: "grid" }));
      if (time !== 1) svg.append(words(x, bottom + 1.2 * letter, String(time), { "text-anchor": "middle" }));
    }
  }
  const isSame = winners.draft === winners.target;
  for (const [place, token] of names.entries()) {
    const y = head + row * (place + 0.5);
    const middleOfText = y + 0.35 * letter;
    for (const { model, clock, chances, edge, way } of sides) {
      const time = clock[place] / chances[place];
      const long = Math.max(3, side * Math.min(1, placeOf(time)));
      const isWinner = winners[model] === place;
      const look = isWinner ? (isSame && "same") || model : "";
      svg.append(
        shape("rect", { x: way < 0 ? edge - long : edge, y: y - 0.31 * row, width: long, height: 0.62 * row, class: `bar ${look}` }),
      );
      if (!isWinner) continue;
      const value = number(time, kitOfPage().numbers);
      const x = Math.min(long + 4, side - value.length * WIDE * letter); // over its bar where there is no room beside it
      svg.append(words(edge + way * x, middleOfText, value, { "text-anchor": way < 0 ? "end" : "start", class: "strong halo" }));
    }
    const isFirst = place === winners.draft || place === winners.target;
    svg.append(words(0, middleOfText, cut(token, name, letter), { class: isFirst ? "strong halo" : "halo" }));
    const away = isShared ? 0 : 1.5 * letter; // of the two clocks from the middle
    const radius = 0.58 * letter;
    if (isShared) svg.append(...dial(middle, y, radius, mine[place]));
    else svg.append(...dial(middle - away, y, radius, others[place]), ...dial(middle + away, y, radius, mine[place]));
    svg.append(arrow(middle - away - radius - 3, lane.left + 3, y), arrow(middle + away + radius + 3, lane.right - 3, y));
  }
  return svg;
}

/** @param {string} token @param {number} room @param {number} letter */
function cut(token, room, letter) {
  const most = Math.floor((room - 4) / (WIDE * letter));
  return token.length > most ? `${token.slice(0, most - 1)}…` : token;
}

/** Where a time stands on its axis, from 0 to 1. @param {number} time */
const placeOf = (time) => Math.max(0, (Math.log10(time) - DECADES[0]) / (DECADES[1] - DECADES[0]));

/** @param {number} x @param {number} y @param {number} radius @param {number} clock */
function dial(x, y, radius, clock) {
  const share = 1 - Math.exp(-clock);
  const angle = 2 * Math.PI * share;
  const [endX, endY] = [x + radius * Math.sin(angle), y - radius * Math.cos(angle)];
  const path = `M${x} ${y}V${y - radius}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${endX.toFixed(2)} ${endY.toFixed(2)}Z`;
  return [shape("circle", { cx: x, cy: y, r: radius, class: "dial" }), shape("path", { d: path, class: "filled" })];
}

/** @param {number} from @param {number} to @param {number} y */
function arrow(from, to, y) {
  const way = Math.sign(to - from);
  return shape("path", { d: `M${from} ${y}H${to}m${-4 * way} -3l${4 * way} 3l${-4 * way} 3`, class: "arrow" });
}
