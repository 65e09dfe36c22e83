// What stands over the tree's picture: numbered buttons over the edges of the path, each of which opens the decision made there; where the
// leaves are asked first, numbered squares at the guesses instead, in the order of asking; and, in a redrawn step, pills at the boxes whose
// verdict is another than in the recording.

/** @import * as T from "../types" */
import { isolated } from "../base/format.js";
import { classes, draw, foreign } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";
import { askedOf } from "../story/visits.js";
import { at, itemOf } from "./items.js";

const SQUARE = 20; // pixels at letter 13
const BUTTON = 24; // pixels at letter 13
const LOWERED = 0.62; // letter of a keep probability, per size of the square
const LAST = 24; // pixels past a box that nothing follows

/**
 * @typedef {object} Button
 * @property {number} vertex
 * @property {number} place the visit of the story that comes to it
 * @property {number} number on it
 * @property {string} name for readers that do not see it
 * @property {number} [turn] its number among the tries of the visit's decision, from 0
 * @property {string} [lowered] what the guesses after it left of its keep probability
 * @property {string} [loweredStyle]
 * @property {string} help
 * @property {string} style
 * @property {boolean} [isFolded] its node is in the folded middle of the path: it is seen only while its decision is shown
 *
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Area
 */

export class TreeOverlay {
  /** @param {HTMLElement} element @param {(choice: T.Choice) => void} onChoice */
  constructor(element, onChoice) {
    this.element = element;
    this.onChoice = onChoice;
    /** @type {Button[]} */
    this.buttons = [];
    /** @type {unknown} */
    this.pills = nothing;
  }

  /**
   * Takes the places of a step's tree: a button for each visited node whose edge is in the picture.
   * @param {T.Story} story
   * @param {T.TreeLayout} layout
   * @param {T.Kind} kind
   * @param {number} letter
   */
  place({ step, visits }, layout, kind, letter) {
    const { isTurned, spots } = layout;
    const size = Math.round((BUTTON * letter) / 13);
    const path = pathOf(layout);
    const root = at(spots, path[0]);
    const top = root.y - at(layout.looks, path[0]).height / 2;
    const row = isTurned ? size / 2 + 4 : Math.max(size / 2 + 2, top - size / 2 - 12);
    const pole = Math.max(0, (isTurned ? root.x : root.y) - row - size / 2 - 3);
    const asked = askedOf(step);
    this.names = kind.decisions;
    this.isTurned = isTurned;
    this.pills = pillsOf(step, layout);
    this.areSquares = asked.length > 0;
    if (this.areSquares) {
      this.buttons = squaresOf(asked, { step, visits }, layout, Math.round((SQUARE * letter) / 13));
      this.label = { top: `top: ${row}px`, isHidden: true };
      return;
    }
    let first = Infinity;
    this.buttons = visits.flatMap(({ vertex, decision }, place) => {
      const item = itemOf(path, vertex);
      if (!item) return [];
      const along = between(item, path[path.indexOf(item) + 1], layout);
      const [left, below] = isTurned ? [row, along] : [along, row];
      const style = `left: ${left}px; top: ${below}px; --size: ${size}px; --pole: ${pole}px`;
      first = Math.min(first, left);
      const name = `${kind.decisions.one} ${place + 1}`;
      return [{ vertex, place, number: place + 1, name, help: isolated(decision.say), style, isFolded: item.hidden > 0 }];
    });
    this.label = { top: `top: ${row}px`, isHidden: isTurned || first < 5 * letter + size / 2 };
  }

  /** @param {T.Scene} scene @param {number} shown the node whose decision is shown */
  show({ phase, visit, trying }, shown) {
    const { names = { one: "", many: "" }, label, pills } = this;
    const isFinished = phase === "text";
    const seen = this.buttons.filter(({ vertex, isFolded }) => !isFolded || vertex === shown);
    const entries = seen.map(({ vertex, place, number, name, turn = 0, lowered, loweredStyle, help, style }) => {
      const isAhead = !isFinished && (place > Math.max(0, visit) || (place === visit && turn >= Math.max(1, trying)));
      const choose = () => this.onChoice({ vertex, about: false });
      return html`<li>
        <button
          type="button"
          style=${style}
          title=${help}
          aria-label=${name}
          aria-current=${vertex === shown ? "true" : nothing}
          ?hidden=${isAhead}
          @click=${choose}
          .textContent=${String(number)}
        ></button>
        ${lowered ? html`<small class="ersd-lowered" style=${loweredStyle} ?hidden=${isAhead} .textContent=${lowered}></small>` : nothing}
      </li>`;
    });
    const list = classes("ersd-decisions", this.isTurned && "turned", this.areSquares && "squares");
    draw(
      this.element,
      html`<span
          class="ersd-decisions-label"
          aria-hidden="true"
          style=${label?.top}
          ?hidden=${label?.isHidden}
          .textContent=${names.many}
        ></span>
        <ol class=${list} aria-label=${this.areSquares ? "Guesses in the order of asking" : `${names.many} of this step`}>
          ${entries}
        </ol>
        <ul class="ersd-changes" aria-label="Changed" ?hidden=${pills === nothing}>
          ${pills}
        </ul>`,
    );
  }
}

/**
 * A square at each guess that was asked and has a box; a guess that was drawn twice has one square.
 * @param {T.Asked[]} asked
 * @param {Pick<T.Story, "step" | "visits">} story
 * @param {T.TreeLayout} layout
 * @param {number} size
 * @returns {Button[]}
 */
function squaresOf(asked, { step, visits }, { items, looks, spots, isTurned }, size) {
  const [inward, upward] = isTurned ? [size / 2 - 3, 4] : [0, 0]; // boxes of a turned tree stand side by side, close together
  /** @type {Area[]} */
  const taken = items.map((item) => areaOf(at(spots, item), at(looks, item), size));
  const buttons = asked.flatMap(({ vertex, child, place, turn }, index) => {
    const item = itemOf(items, child);
    if (!item || item.isDot || asked.findIndex((one) => one.child === child) < index) return [];
    const [{ x, y }, { width, height }] = [at(spots, item), at(looks, item)];
    const style = `left: ${x - width / 2 + inward}px; top: ${y - height / 2 - upward}px; --size: ${size}px`;
    const reached = visits.findIndex((visit) => visit.vertex === vertex && place < visit.first + visit.tries);
    const { say = "", lowered = "" } = step.decisions[vertex].tries?.[place] ?? {};
    const name = `asked ${turn}: ${step.tree.names[child]}`;
    // beside the square, or below a box whose neighbour in the row has a square too
    const [left, row] = isTurned
      ? [x - width / 2 + inward + size / 2 + 4, y - height / 2 - size / 2]
      : [x - width / 2, y + height / 2 + size * 0.4];
    const loweredStyle = `left: ${left}px; top: ${row}px; font-size: ${size * LOWERED}px`;
    const area = { left, right: left + lowered.length * size * LOWERED * 0.6, top: row - size * 0.35, bottom: row + size * 0.35 };
    const own = items.indexOf(item);
    return [
      {
        vertex,
        place: reached,
        number: turn,
        name,
        turn: place,
        help: isolated(say),
        style,
        lowered,
        loweredStyle,
        area,
        own,
        isFolded: item.hidden > 0,
      },
    ];
  });
  // where two would cover each other the later one stays: it is nearer to the root
  for (const button of [...buttons].reverse()) {
    if (taken.some((other, index) => index !== button.own && meet(other, button.area))) button.lowered = "";
    else if (button.lowered) taken.push(button.area);
  }
  return buttons;
}

/** A box with the square at its corner. @param {T.Spot} spot @param {T.Look} look @param {number} size of the square @returns {Area} */
function areaOf({ x, y }, { width, height }, size) {
  return { left: x - width / 2 - size / 2, right: x + width / 2, top: y - height / 2 - size / 2, bottom: y + height / 2 };
}

/** @param {Area} one @param {Area} other */
const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** @param {T.StepMessage} step @param {T.TreeLayout} layout */
function pillsOf({ changes = [] }, { items, looks, spots, height: room }) {
  const pills = changes.flatMap(({ vertex, was }) => {
    const item = items.find(({ id, hidden, isDot }) => id === vertex && !hidden && !isDot);
    if (!item) return [];
    const [{ x, y }, { height }] = [at(spots, item), at(looks, item)];
    const below = y + height / 2;
    const top = below + height / 2 < room ? below : y - height / 2 - 8;
    return [html`<li style="left: ${x}px; top: ${top}px">${foreign(was)}</li>`];
  });
  return changes.length ? pills : nothing;
}

/** @param {T.TreeLayout} layout */
function pathOf({ items }) {
  const path = [items[0]];
  for (let next = nextOf(items[0]); next; next = nextOf(next)) path.push(next);
  return path;
}

/** @param {T.Item} item */
const nextOf = ({ children }) => children.find(({ state }) => state === "accepted" || state === "target");

/**
 * The middle of the edge between two items, along the depth of the tree.
 * @param {T.Item} item
 * @param {T.Item | undefined} next
 * @param {T.TreeLayout} layout
 */
function between(item, next, { looks, spots, isTurned }) {
  const [axis, side] = isTurned ? /** @type {const} */ (["y", "height"]) : /** @type {const} */ (["x", "width"]);
  const end = at(spots, item)[axis] + at(looks, item)[side] / 2;
  return next ? (end + at(spots, next)[axis] - at(looks, next)[side] / 2) / 2 : end + (isTurned ? LAST / 3 : LAST);
}
