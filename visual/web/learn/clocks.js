// Figure: one decision sampled by two models, each with its own clocks and both with the same; 100 draws of each; and a handle that makes
// the draft more or less like the target. The curve is there only where the handle has been, so that it does not give the answer away.

/** @import * as T from "../types" */
import { foreign, make } from "../base/dom.js";
import { kitOfPage } from "../base/kit.js";
import { number, quotient } from "../base/numbers.js";
import { unboxed } from "../panels/token_boxes.js";

const WIDTH = 370;
const ROW = 26;
const LANE = { left: 146, right: 228 };
const NAME = 62;
const DECADES = [-2, 2];
const SIDE = LANE.left - NAME - 4;
const SVG = "http://www.w3.org/2000/svg";

/** Draws and keeps the draw in view and the place of the handle. */
export class ClocksFigure {
  /** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
  constructor(host, { clocks }, labels) {
    this.host = host;
    this.clocks = clocks;
    this.labels = labels;
    const middle = clocks.positions[(clocks.positions.length - 1) / 2];
    this.draw = Math.max(
      0,
      middle.shared.findIndex((isSame, draw) => isSame && !middle.own[draw]),
    ); // one that shows the difference
    this.place = (clocks.positions.length - 1) / 2;
    this.seen = [this.place, this.place];
    this.build();
    this.show();
    new ResizeObserver(() => this.show()).observe(/** @type {HTMLElement} */ (this.graph));
  }

  build() {
    const { labels, clocks } = this;
    this.halves = /** @type {const} */ (["own", "shared"]).map((kind) => {
      const half = make("section", `learn-half ${kind}`);
      half.dataset.part = kind;
      const draws = make("div", "learn-draws");
      draws.dataset.part = `${kind}-draws`;
      const cells = make("div", "learn-cells");
      cells.setAttribute("role", "group");
      cells.setAttribute("aria-label", labels[`clocks_${kind}`]);
      for (let draw = 0; draw < clocks.clocks.length; draw += 1) {
        const cell = make("button");
        cell.type = "button";
        cell.tabIndex = -1;
        cell.dataset.draw = String(draw);
        cells.append(cell);
      }
      cells.addEventListener("click", (event) => {
        const chosen = event.target instanceof HTMLElement && event.target.dataset.draw;
        if (chosen) this.turnTo(Number(chosen));
      });
      const picture = Object.assign(make("div", "learn-race"), { translate: false });
      const verdict = make("p", "learn-verdict-line");
      const count = make("p", "learn-count");
      draws.append(count, cells);
      half.append(make("h3", "", labels[`clocks_${kind}`]), picture, verdict);
      return { kind, half, draws, cells, picture, verdict, count };
    });
    const next = make("button", "", labels.next_draw);
    next.type = "button";
    next.addEventListener("click", () => this.turnTo((this.draw + 1) % clocks.clocks.length));
    this.curve = make("section", "learn-curve");
    this.curve.dataset.part = "curve";
    this.graph = make("div", "learn-graph");
    this.handle = make("input");
    Object.assign(this.handle, { type: "range", min: "0", max: String(clocks.positions.length - 1), value: String(this.place) });
    this.handle.setAttribute("aria-label", labels.handle);
    this.handle.addEventListener("input", () => {
      this.place = Number(this.handle?.value);
      this.seen = [Math.min(this.seen[0], this.place), Math.max(this.seen[1], this.place)];
      this.show();
    });
    const ends = make("p", "learn-ends");
    ends.append(make("span", "", labels.same_model), make("span", "", labels.this_step), make("span", "", labels.strangers));
    this.curve.append(make("h3", "", labels.alike), make("p", "learn-note", labels.alike_note), this.graph, this.handle, ends);
    const top = make("p", "learn-note");
    top.append(...unboxed(labels.follows.replace("{text}", () => clocks.before.slice(-28).replace(/^\S*\s/, ""))), " ", next);
    this.host.replaceChildren(top, ...this.halves.map(({ half }) => half), ...this.halves.map(({ draws }) => draws), this.curve);
  }

  /** @param {number} draw */
  turnTo(draw) {
    this.draw = draw;
    this.show();
  }

  show() {
    const { clocks, labels, draw } = this;
    const position = clocks.positions[this.place];
    for (const { kind, cells, picture, verdict, count } of this.halves ?? []) {
      const mine = clocks.clocks[draw];
      const others = kind === "own" ? clocks.own_clocks[draw] : mine;
      const [first, second] = [winner(others, position.q), winner(mine, clocks.p)];
      picture.replaceChildren(race(clocks, position.q, others, mine, kind === "shared"));
      const isSame = first === second;
      const [drafted, chosen] = [token(clocks.names[first], isSame, false), token(clocks.names[second], isSame, true)];
      const divided = [
        quotientOf(others[first], position.q[first], labels.draft_arrives),
        quotientOf(mine[second], clocks.p[second], labels.target_arrives),
      ];
      verdict.replaceChildren(drafted, isSame ? " = " : " ≠ ", chosen, ...divided);
      const agree = position[kind];
      const share = agree.filter(Boolean).length;
      const side = kind === "own" ? 0 : 1;
      const [expected, low, high] = [position.expected[side], ...position.chance[side]].map((value) => (100 * value).toFixed(0));
      const range = low === high ? "" : labels.by_chance.replace("{low}", low).replace("{high}", high);
      count.replaceChildren(
        make("b", "", String(share)),
        ` ${labels.agree}`,
        make("small", "", labels.expected.replace("{expected}", expected) + range),
      );
      for (const [place, cell] of [...cells.children].entries()) {
        cell.classList.toggle("same", agree[place]);
        cell.classList.toggle("here", place === draw);
        cell.setAttribute("aria-label", `${place + 1}: ${agree[place] ? "=" : "≠"}`);
      }
    }
    this.graph?.replaceChildren(graph(clocks, this.place, this.seen, labels, this.graph.clientWidth || 690));
  }
}

/** The token that arrives first. @param {number[]} clock @param {number[]} chances */
const winner = (clock, chances) => clock.reduce((best, time, at) => (time / chances[at] < clock[best] / chances[best] ? at : best), 0);

/**
 * How a winner's time comes about, with its clock and its probability.
 * @param {number} clock
 * @param {number} chance
 * @param {string} label
 */
function quotientOf(clock, chance, label) {
  const words = quotient(clock, chance, kitOfPage().numbers).replace(/^ = /, "").replace(" / ", " ÷ ");
  return make("small", "", `${label}: ${words}`);
}

/** @param {string} name @param {boolean} isSame @param {boolean} isTarget */
function token(name, isSame, isTarget) {
  const sign = isTarget ? "★ " : "◆ ";
  const box = make("span", `learn-token ${isSame ? "same" : ""}`);
  box.append(isSame ? "✓ " : sign, foreign(name));
  return box;
}

/**
 * @param {T.Learn.Clocks} clocks
 * @param {number[]} q
 * @param {number[]} others the draft's clocks
 * @param {number[]} mine the target's
 * @param {boolean} isShared
 */
function race({ names, p }, q, others, mine, isShared) {
  const height = 34 + ROW * names.length + 18;
  const svg = element("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`,
    role: "img",
    "aria-label": isShared ? "one clock for both models" : "a clock for each model",
  });
  svg.append(element("rect", { x: LANE.left, y: 0, width: LANE.right - LANE.left, height: 34 + ROW * names.length, class: "lane" }));
  for (const [x, anchor, title, note] of /** @type {const} */ ([
    [LANE.left - 4, "end", "Draft", "clock ÷ q"],
    [LANE.right + 4, "start", "Target", "clock ÷ p"],
  ])) {
    svg.append(text(x, 13, title, { "text-anchor": anchor, class: "head" }), text(x, 27, note, { "text-anchor": anchor }));
  }
  svg.append(text((LANE.left + LANE.right) / 2, 13, isShared ? "one clock" : "two clocks", { "text-anchor": "middle", class: "head" }));
  for (const time of [0.1, 1, 10]) {
    for (const way of [-1, 1]) {
      const x = (way < 0 ? LANE.left : LANE.right) + way * SIDE * placeOf(time);
      svg.append(element("line", { x1: x, x2: x, y1: 34, y2: 34 + ROW * names.length, class: "grid" }));
      if (time !== 1) svg.append(text(x, height - 5, String(time), { "text-anchor": "middle" }));
    }
  }
  const winners = { draft: winner(others, q), target: winner(mine, p) };
  names.forEach((name, place) => {
    const y = 34 + ROW * place + ROW / 2;
    const isSame = winners.draft === winners.target;
    for (const [side, clock, chances, edge, way] of /** @type {const} */ ([
      ["draft", others, q, LANE.left, -1],
      ["target", mine, p, LANE.right, 1],
    ])) {
      const time = clock[place] / chances[place];
      const long = Math.max(3, SIDE * Math.min(1, placeOf(time)));
      const isWinner = winners[side] === place;
      const look = isWinner ? (isSame && "same") || side : "";
      svg.append(element("rect", { x: way < 0 ? edge - long : edge, y: y - 8, width: long, height: 16, class: `bar ${look}` }));
      if (isWinner)
        svg.append(
          text(edge + way * (long + 4), y + 4, number(time, kitOfPage().numbers), {
            "text-anchor": way < 0 ? "end" : "start",
            class: "strong halo",
          }),
        );
    }
    svg.append(text(2, y + 4, name, { class: Object.values(winners).includes(place) ? "strong halo" : "halo" }));
    const middle = (LANE.left + LANE.right) / 2;
    if (isShared) svg.append(...dial(middle, y, mine[place]));
    else svg.append(...dial(middle - 18, y, others[place]), ...dial(middle + 18, y, mine[place]));
    const starts = isShared ? [middle, middle] : [middle - 18, middle + 18];
    svg.append(arrow(starts[0] - 10, LANE.left + 3, y), arrow(starts[1] + 10, LANE.right - 3, y));
  });
  return svg;
}

/**
 * @param {T.Learn.Clocks} clocks
 * @param {number} place
 * @param {number[]} seen
 * @param {Record<string, string>} labels
 * @param {number} width
 */
function graph({ positions }, place, [from, to], labels, width) {
  const height = 150;
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": labels.alike });
  const x = (/** @type {number} */ at) => 8 + ((width - 16) * at) / (positions.length - 1);
  const y = (/** @type {number} */ share) => 8 + (height - 16) * (1 - share);
  for (const share of [0, 0.5, 1]) {
    svg.append(
      element("line", { x1: 0, x2: width, y1: y(share), y2: y(share), class: "grid" }),
      text(0, y(share) - 3, String(100 * share), {}),
    );
  }
  for (const [place_, kind] of [0, 1].entries()) {
    const line = positions.slice(from, to + 1).map(({ expected }, at) => `${x(from + at).toFixed(1)},${y(expected[kind]).toFixed(1)}`);
    svg.append(element("polyline", { points: line.join(" "), class: place_ ? "line shared" : "line" }));
    svg.append(element("circle", { cx: x(place), cy: y(positions[place].expected[kind]), r: 5, class: place_ ? "ring shared" : "ring" }));
    const label = text(x(place) + 10, y(positions[place].expected[kind]) - 7, labels[place_ ? "clocks_shared" : "clocks_own"], {
      class: place_ ? "strong halo" : "halo",
    });
    if (place > positions.length * 0.7) {
      label.setAttribute("text-anchor", "end");
      label.setAttribute("x", String(x(place) - 10));
    }
    svg.append(label);
  }
  return svg;
}

/** @param {number} time */
const placeOf = (time) => Math.max(0, (Math.log10(time) - DECADES[0]) / (DECADES[1] - DECADES[0]));

/** @param {number} x @param {number} y @param {number} clock */
function dial(x, y, clock) {
  const share = 1 - Math.exp(-clock);
  const angle = 2 * Math.PI * share;
  const [endX, endY] = [x + 7 * Math.sin(angle), y - 7 * Math.cos(angle)];
  const path = `M${x} ${y}V${y - 7}A7 7 0 ${share > 0.5 ? 1 : 0} 1 ${endX.toFixed(2)} ${endY.toFixed(2)}Z`;
  return [element("circle", { cx: x, cy: y, r: 7, class: "dial" }), element("path", { d: path, class: "filled" })];
}

/** @param {number} from @param {number} to @param {number} y */
function arrow(from, to, y) {
  const way = Math.sign(to - from);
  return element("path", { d: `M${from} ${y}H${to}m${-4 * way} -3l${4 * way} 3l${-4 * way} 3`, class: "arrow" });
}

/** @param {string} tag @param {Record<string, string | number>} attributes */
function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {number} x @param {number} y @param {string} words @param {Record<string, string>} attributes */
function text(x, y, words, attributes) {
  const made = element("text", { x, y, ...attributes });
  made.textContent = words;
  return made;
}
