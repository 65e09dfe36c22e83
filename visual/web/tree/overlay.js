// What stands over the tree's picture: numbered buttons over the edges of the path, each of which opens the decision made there; and, in a
// redrawn step, pills at the boxes whose verdict is another than in the recording.

/** @import * as T from "../types" */
import { isolated } from "../base/format.js";
import { draw, foreign } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";
import { at } from "./tree_figure.js";

const BUTTON = 24; // pixels at letter 13
const LAST = 24; // pixels past a box that nothing follows

/** @typedef {{ vertex: number, place: number, left: number, help: string, style: string }} Button */

/** The overlay of one tree. */
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
    this.buttons = visits.flatMap(({ vertex, decision }, place) => {
      const item = path.find(({ id, hidden }) => id === vertex && !hidden);
      if (!item) return [];
      const along = between(item, path[path.indexOf(item) + 1], layout);
      const [left, below] = isTurned ? [row, along] : [along, row];
      const style = `left: ${left}px; top: ${below}px; --size: ${size}px; --pole: ${pole}px`;
      return [{ vertex, place, left, help: isolated(decision.say), style }];
    });
    this.names = kind.decisions;
    this.isTurned = isTurned;
    const hasRoom = !this.buttons.length || this.buttons[0].left >= 5 * letter + size / 2;
    this.label = { top: `top: ${row}px`, isHidden: isTurned || !hasRoom };
    this.pills = pillsOf(step, layout);
  }

  /** @param {T.Scene} scene @param {number} shown the node whose decision is shown */
  show({ phase, visit }, shown) {
    const { names = { one: "", many: "" }, label, pills } = this;
    const isFinished = phase === "text";
    const entries = this.buttons.map(({ vertex, place, help, style }) => {
      const isAhead = !isFinished && place > Math.max(0, visit);
      const choose = () => this.onChoice({ vertex, about: false });
      return html`<li>
        <button
          type="button"
          style=${style}
          title=${help}
          aria-label="${names.one} ${place + 1}"
          aria-current=${vertex === shown ? "true" : nothing}
          ?hidden=${isAhead}
          @click=${choose}
          .textContent=${String(place + 1)}
        ></button>
      </li>`;
    });
    const list = `ersd-decisions${this.isTurned ? " turned" : ""}`;
    draw(
      this.element,
      html`<span
          class="ersd-decisions-label"
          aria-hidden="true"
          style=${label?.top}
          ?hidden=${label?.isHidden}
          .textContent=${names.many}
        ></span>
        <ol class=${list} aria-label="${names.many} of this step">
          ${entries}
        </ol>
        <ul class="ersd-changes" aria-label="Changed" ?hidden=${pills === nothing}>
          ${pills}
        </ul>`,
    );
  }
}

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
