// A button where the accepted path leaves the panel of a large tree: says how much of the path is hidden, and scrolls to its end.

/** @import { Vertex } from "./draft_tree.js" */
/** @import { Seen } from "./viewport.js" */
/** @import { Drawing, Spot } from "./tree_overlay.js" */
import { make } from "../base/dom.js";
import { boxesOf, HALF_HEIGHT } from "./viewport.js";

const EDGE = 12; // a vertex this close to an edge counts as hidden, pixels
const CORNER = 34; // the button stays out of corners of this size, pixels
const BUTTON = { width: 92, height: 28, lower: 14 }; // pixels; `lower`: how far below the path it stands at the left and right edges
const HALF_LABEL = 30; // pixels left and right of the middle of a vertex without a box, with its label
const LABELLED = 24; // the same above and below in a chain, whose labels alternate
const STEP = 6; // pixels between two positions tried
const ARROWS = { below: "▼", above: "▲", right: "▶", left: "◀" };

/**
 * @typedef {object} Cue
 * @property {Vertex} goal what the button scrolls to
 * @property {keyof typeof ARROWS} side of the panel where the path leaves it
 * @property {Spot} at where on that side
 * @property {string} words
 * @property {string} help
 */

/** The button of a panel. */
export class PathCue {
  /** @param {HTMLElement} element the tree's panel; it scrolls. */
  constructor(element) {
    this.button = make("button", "ersd-path-cue");
    this.button.type = "button";
    this.button.hidden = true;
    this.label = make("span");
    this.button.append(this.label);
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Cue | null} */
    this.cue = null;
    element.append(this.button);
    this.button.addEventListener("click", () => this.cue && this.drawing?.show(this.cue.goal));
  }

  /**
   * @param {Drawing} drawing the tree that was drawn.
   * @param {Seen} seen
   */
  place(drawing, seen) {
    this.drawing = drawing;
    this.cue = cueOf(drawing, seen);
    this.button.hidden = !this.cue;
    if (!this.cue) return;
    const { side, at, words, help } = this.cue;
    this.button.dataset.side = side;
    this.button.style.left = `${at.x.toFixed(1)}px`;
    this.button.style.top = `${at.y.toFixed(1)}px`;
    this.label.textContent = side === "left" ? `${ARROWS[side]} ${words}` : `${words} ${ARROWS[side]}`;
    this.button.setAttribute("aria-label", help);
    this.button.title = help;
  }
}

/**
 * @param {Drawing} drawing
 * @param {Seen} seen
 * @returns {Cue | null} null: the whole path is in sight.
 */
function cueOf(drawing, seen) {
  const { tree, spotOf, size } = drawing;
  if (size.width <= seen.right - seen.left && size.height <= seen.bottom - seen.top) return null;
  const path = tree.vertices.filter(({ state }) => ["root", "accepted", "target"].includes(state));
  path.sort((one, other) => one.column - other.column);
  const inSight = path.map((vertex) => isSeen(spotOf(vertex), seen));
  const last = inSight.lastIndexOf(true);
  if (last === path.length - 1 && inSight[0]) return null;
  const isBack = last === path.length - 1; // its end is in sight, its beginning is not
  const from = path[isBack ? inSight.indexOf(true) : Math.max(0, last)];
  const to = path[isBack ? inSight.indexOf(true) - 1 : last + 1];
  const rest = path.length - 1 - last;
  const out = wayOut(spotOf({ column: from.column + tree.style.trunk, lane: from.lane }), spotOf(to), seen);
  return {
    ...out,
    at: freePlace(out, seen, boxesOf(drawing, HALF_LABEL), tree.style.alternate ? LABELLED : HALF_HEIGHT),
    goal: path[isBack || last < 0 ? 0 : path.length - 1],
    words: isBack || last < 0 ? "root" : `${rest} more`,
    help: isBack || last < 0 ? "To the root" : `The path goes on, ${rest} more: to its end`,
  };
}

/**
 * @param {Spot} spot
 * @param {Seen} seen
 */
function isSeen({ x, y }, { left, top, right, bottom }) {
  return left + EDGE <= x && x <= right - EDGE && top + EDGE <= y && y <= bottom - EDGE;
}

/**
 * The position nearest to where the path leaves, on the same side, at which the button covers no vertex; else where the path leaves.
 *
 * @param {{ side: keyof typeof ARROWS, at: Spot }} out
 * @param {Seen} seen
 * @param {{ x: number, y: number, half: number }[]} boxes
 * @param {number} halfHeight of them
 * @returns {Spot}
 */
function freePlace({ side, at }, { left, top, right, bottom }, boxes, halfHeight) {
  const isUpright = side === "left" || side === "right"; // the side, along which it may move
  const [low, high] = isUpright ? [top, bottom - BUTTON.lower - BUTTON.height] : [left + BUTTON.width / 2, right - BUTTON.width / 2];
  const from = isUpright ? at.y : at.x;
  for (let off = 0; off <= high - low; off += STEP) {
    for (const place of [from + off, from - off]) {
      const spot = isUpright ? { x: at.x, y: place } : { x: place, y: at.y };
      if (low <= place && place <= high && !boxes.some((box) => isCovered({ ...box, halfHeight }, side, spot))) return spot;
    }
  }
  return at;
}

/**
 * @param {{ x: number, y: number, half: number, halfHeight: number }} box
 * @param {keyof typeof ARROWS} side
 * @param {Spot} at the place of the button.
 */
function isCovered(box, side, at) {
  const { width, height, lower } = BUTTON;
  const x = { below: at.x, above: at.x, right: at.x - width / 2, left: at.x + width / 2 }[side];
  const y = { below: at.y - height / 2, above: at.y + height / 2, right: at.y + lower + height / 2, left: at.y + lower + height / 2 }[side];
  return Math.abs(x - box.x) < width / 2 + box.half && Math.abs(y - box.y) < height / 2 + box.halfHeight;
}

/**
 * Where the way to a vertex out of sight leaves the panel: it goes to another lane first, then along.
 *
 * @param {Spot} turn where it turns to that lane.
 * @param {Spot} to
 * @param {Seen} seen
 * @returns {{ side: keyof typeof ARROWS, at: Spot }}
 */
function wayOut(turn, to, { left, top, right, bottom }) {
  const x = Math.max(left + CORNER, Math.min(right - CORNER, turn.x));
  const y = Math.max(top + CORNER, Math.min(bottom - CORNER, to.y));
  if (to.y > bottom - EDGE) return { side: "below", at: { x, y: bottom } };
  if (to.y < top + EDGE) return { side: "above", at: { x, y: top } };
  return to.x > right - EDGE ? { side: "right", at: { x: right, y } } : { side: "left", at: { x: left, y } };
}
