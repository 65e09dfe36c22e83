// Figure: one decision sampled by two models, each with its own clocks and both with the same; 100 draws of each; and a handle that makes
// the draft more or less like the target. The curve is there only where the handle has been, so that it does not give the answer away.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { fill } from "../base/format.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { watchLook } from "../plot/look.js";
import { quotient } from "../base/numbers.js";
import { classes, foreign, plain, unboxed } from "../base/templates.js";
import { html, render } from "../lit-html.js";
import { clocksCurve, clocksRace, winner } from "./clocks_pictures.js";

const KINDS = /** @type {const} */ (["own", "shared"]);

export class ClocksFigure {
  /** @param {HTMLElement} host empty @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
  constructor(host, { clocks }, labels) {
    this.host = host;
    this.clocks = clocks;
    this.labels = labels;
    this.place = (clocks.positions.length - 1) / 2;
    const { shared, own } = clocks.positions[this.place];
    const telling = shared.findIndex((isSame, draw) => isSame && !own[draw]); // it shows the difference
    this.draw = Math.max(0, telling);
    this.seen = [this.place, this.place];
    this.figure = new DocumentFragment(); // what empties the host does not know of the figure
    this.show();
    host.append(this.figure);
    this.pictures = KINDS.map((kind) => find(host, `.${kind} .learn-race`));
    this.graph = find(host, ".learn-graph");
    watchLook(lifetimeOf(host), () => this.drawPictures(), [this.graph, ...this.pictures]);
  }

  show() {
    const { clocks, labels, place } = this;
    const before = clocks.before.slice(-28).replace(/^\S*\s/, "");
    const onNext = () => this.turnTo((this.draw + 1) % clocks.clocks.length);
    const onHandle = (/** @type {Event} */ { target }) => this.pull(Number(/** @type {HTMLInputElement} */ (target).value));
    const last = clocks.positions.length - 1;
    render(
      html`<p class="learn-note">
          ${unboxed(fill(labels.follows, { text: before }))}
          <button type="button" @click=${onNext} .textContent=${labels.next_draw}></button>
        </p>
        ${KINDS.map((kind) => this.half(kind))} ${KINDS.map((kind) => this.draws(kind))}
        <section class="learn-curve" data-part="curve">
          <h3>${plain(`${labels.alike} `)}<small .textContent=${labels.alike_note}></small></h3>
          <div class="learn-graph"></div>
          <input type="range" min="0" max=${last} aria-label=${labels.handle} .value=${String(place)} @input=${onHandle} />
          <p class="learn-ends">${[labels.same_model, labels.this_step, labels.strangers].map(plain)}</p>
        </section>`,
      this.figure,
    );
    this.drawPictures();
  }

  /** @param {number} draw */
  turnTo(draw) {
    this.draw = draw;
    this.show();
  }

  /** @param {number} place of the handle */
  pull(place) {
    this.place = place;
    this.seen = [Math.min(this.seen[0], place), Math.max(this.seen[1], place)];
    this.show();
  }

  /** The draw in view, with its clocks. @param {"own" | "shared"} kind */
  rowsOf(kind) {
    const { clocks, draw } = this;
    const { q } = clocks.positions[this.place];
    const mine = clocks.clocks[draw];
    const others = kind === "own" ? clocks.own_clocks[draw] : mine;
    return { ...clocks, q, others, mine, winners: { draft: winner(others, q), target: winner(mine, clocks.p) } };
  }

  /** @param {"own" | "shared"} kind */
  half(kind) {
    const { labels } = this;
    const { names, p, q, others, mine, winners } = this.rowsOf(kind);
    const { draft: first, target: second } = winners;
    const isSame = first === second;
    return html`<section class="learn-half ${kind}" data-part=${kind}>
      <h3 .textContent=${labels[`clocks_${kind}`]}></h3>
      <div class="learn-race" translate="no"></div>
      <p class="learn-verdict-line">
        ${token(names[first], isSame, "◆ ")}${plain(isSame ? " = " : " ≠ ")}${token(names[second], isSame, "★ ")}
        ${quotientOf(others[first], q[first], labels.draft_arrives)} ${quotientOf(mine[second], p[second], labels.target_arrives)}
      </p>
    </section>`;
  }

  /** @param {"own" | "shared"} kind */
  draws(kind) {
    const { labels, draw } = this;
    const position = this.clocks.positions[this.place];
    const agree = position[kind];
    const side = KINDS.indexOf(kind);
    const [expected, low, high] = [position.expected[side], ...position.chance[side]].map((value) => (100 * value).toFixed(0));
    const range = low === high ? "" : fill(labels.by_chance, { low, high });
    const cells = agree.map((isSame, place) => {
      const look = classes(isSame && "same", place === draw && "here");
      const label = `${place + 1}: ${isSame ? "=" : "≠"}`;
      return html`<button type="button" tabindex="-1" class=${look} aria-label=${label} @click=${() => this.turnTo(place)}></button>`;
    });
    return html`<div class="learn-draws" data-part="${kind}-draws">
      <h3 .textContent=${labels[`clocks_${kind}`]}></h3>
      <p class="learn-count">
        <b .textContent=${String(agree.filter(Boolean).length)}></b>${plain(` ${labels.agree}`)}
        <small .textContent=${fill(labels.expected, { expected }) + range}></small>
      </p>
      <div class="learn-cells" role="group" aria-label=${labels[`clocks_${kind}`]}>${cells}</div>
    </div>`;
  }

  /** The pictures, in the room they have. */
  drawPictures() {
    const { clocks, labels } = this;
    this.pictures?.forEach((picture, side) => {
      const [kind, size] = [KINDS[side], sizeOf(picture)];
      if (size.width) render(clocksRace(this.rowsOf(kind), kind === "shared", labels, size), picture);
    });
    if (this.graph?.clientWidth) render(clocksCurve(clocks.positions, this.place, this.seen, labels, sizeOf(this.graph)), this.graph);
  }
}

/** How a winner's time comes about, with its clock and its probability. @param {number} clock @param {number} chance @param {string} label */
function quotientOf(clock, chance, label) {
  const words = quotient(clock, chance, kitOfPage().numbers).replace(/^ = /, "").replace(" / ", " ÷ ");
  return html`<small .textContent=${`${label}: ${words}`}></small>`;
}

/** @param {string} name @param {boolean} isSame @param {string} sign of its model */
const token = (name, isSame, sign) =>
  html`<span class=${classes("learn-token", isSame && "same")}>${plain(isSame ? "✓ " : sign)}${foreign(name)}</span>`;

/** The room of a picture, and the size of its letters. @param {HTMLElement} picture */
const sizeOf = (picture) => ({
  width: picture.clientWidth,
  height: picture.clientHeight,
  letter: parseFloat(getComputedStyle(picture).fontSize),
});
