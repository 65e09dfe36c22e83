// Figure: one decision sampled by two models, each with its own clocks and both with the same; 100 draws of each; and a handle that makes
// the draft more or less like the target. The curve is there only where the handle has been, so that it does not give the answer away.

/** @import * as T from "../types" */
import { foreign, make } from "../base/dom.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { watchLook } from "../base/look.js";
import { quotient } from "../base/numbers.js";
import { unboxed } from "../panels/token_boxes.js";
import { clocksCurve } from "./clocks_curve.js";
import { clocksRace, winner } from "./clocks_race.js";

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
    const pictures = /** @type {HTMLElement[]} */ ([this.graph, ...(this.halves ?? []).map(({ picture }) => picture)]);
    watchLook(lifetimeOf(this.host), () => this.show(), pictures);
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
      draws.append(make("h3", "", labels[`clocks_${kind}`]), count, cells);
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
    const title = make("h3", "", `${labels.alike} `);
    title.append(make("small", "", labels.alike_note));
    this.curve.append(title, this.graph, this.handle, ends);
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
      const winners = { draft: winner(others, position.q), target: winner(mine, clocks.p) };
      const rows = { ...clocks, q: position.q, others, mine, winners };
      if (picture.clientWidth) picture.replaceChildren(clocksRace(rows, kind === "shared", labels, sizeOf(picture)));
      const { draft: first, target: second } = winners;
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
    const { graph } = this;
    if (graph?.clientWidth) graph.replaceChildren(clocksCurve(clocks.positions, this.place, this.seen, labels, sizeOf(graph)));
  }
}

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

/** The room of a picture, and the size of its letters. @param {HTMLElement} picture */
const sizeOf = (picture) => ({
  width: picture.clientWidth,
  height: picture.clientHeight,
  letter: parseFloat(getComputedStyle(picture).fontSize),
});
