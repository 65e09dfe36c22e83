// Where the path leaves the panel of a large tree: a button at that place says how much of it is out of sight, and brings its end into sight.

/** @import { Vertex } from "./draft_tree.js" */
/** @import { Size } from "./pictures.js" */
/** @import { Setting, Spot } from "./stage.js" */
import { make } from "./dom.js";

const EDGE = 12; // pixels from an edge within which a vertex counts as out of sight
const CORNER = 34; // pixels of a corner that the button does not go into
const BUTTON = { width: 92, height: 28, lower: 14 }; // pixels that it takes, and how far below its place it stands at the left and the right
const BOX = { half: 30, high: 10 }; // pixels around the middle of a vertex, where its box is not known
const STEP = 6; // pixels from one place that is looked at to the next
const ARROWS = { below: "▼", above: "▲", right: "▶", left: "◀" };

/**
 * @typedef {{ left: number, top: number, right: number, bottom: number }} Sight what is seen of the picture, in its pixels
 * @typedef {object} Cue
 * @property {Vertex} goal what the button brings into sight
 * @property {keyof typeof ARROWS} side of the panel where the path leaves it
 * @property {Spot} at where on that side
 * @property {string} words
 * @property {string} help
 */

/** The button of a panel. */
export class PathCue {
  /** @param {HTMLElement} panel the tree's; it scrolls. */
  constructor(panel) {
    this.button = make("button", "ersd-path-cue");
    this.button.type = "button";
    this.button.hidden = true;
    this.label = make("span");
    this.button.append(this.label);
    this.scrolled = { left: 0, top: 0 }; // as told by the panel: asked for while drawing, it costs a layout of the page
    /** @type {Setting | null} */
    this.setting = null;
    /** @type {Size} */
    this.panel = { width: 0, height: 0 };
    /** @type {Cue | null} */
    this.cue = null;
    panel.append(this.button);
    panel.addEventListener("scroll", () => {
      this.scrolled = { left: panel.scrollLeft, top: panel.scrollTop };
      this.place();
    });
    this.button.addEventListener("click", () => this.cue && this.setting?.show(this.cue.goal));
  }

  /**
   * @param {Setting} setting the tree that was drawn.
   * @param {Size} panel
   */
  set(setting, panel) {
    this.setting = setting;
    this.panel = panel;
    this.place();
  }

  place() {
    this.cue = this.setting && this.cueOf(this.setting);
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

  /**
   * @param {Setting} setting
   * @returns {Cue | null} null: all of the path is in sight.
   */
  cueOf({ tree, spotOf, size }) {
    const { width, height } = this.panel;
    if (size.width <= width && size.height <= height) return null;
    const { left, top } = this.scrolled;
    const sight = { left, top, right: left + width, bottom: top + height };
    const path = tree.vertices.filter(({ state }) => ["root", "accepted", "target"].includes(state));
    path.sort((one, other) => one.column - other.column);
    const seen = path.map((vertex) => isSeen(spotOf(vertex), sight));
    const last = seen.lastIndexOf(true);
    if (last === path.length - 1 && seen[0]) return null;
    const isBack = last === path.length - 1; // its end is in sight, its beginning is not
    const from = path[isBack ? seen.indexOf(true) : Math.max(0, last)];
    const to = path[isBack ? seen.indexOf(true) - 1 : last + 1];
    const rest = path.length - 1 - last;
    const out = wayOut(spotOf({ column: from.column + tree.style.trunk, lane: from.lane }), spotOf(to), sight);
    const boxes = tree.vertices.map((vertex) => ({ ...spotOf(vertex), half: tree.style.boxes ? tree.half(vertex) : BOX.half }));
    return {
      ...out,
      at: freePlace(out, sight, boxes),
      goal: path[isBack || last < 0 ? 0 : path.length - 1],
      words: isBack || last < 0 ? "root" : `${rest} more`,
      help: isBack || last < 0 ? "To the root" : `The path goes on, ${rest} more: to its end`,
    };
  }
}

/**
 * @param {Spot} spot
 * @param {Sight} sight
 */
function isSeen({ x, y }, { left, top, right, bottom }) {
  return left + EDGE <= x && x <= right - EDGE && top + EDGE <= y && y <= bottom - EDGE;
}

/**
 * The place nearest to where the path leaves, on that side, at which the button covers no vertex; that one where there is none.
 *
 * @param {{ side: keyof typeof ARROWS, at: Spot }} out
 * @param {Sight} sight
 * @param {{ x: number, y: number, half: number }[]} boxes
 * @returns {Spot}
 */
function freePlace({ side, at }, { left, top, right, bottom }, boxes) {
  const isUpright = side === "left" || side === "right"; // the side, along which it may move
  const [low, high] = isUpright ? [top, bottom - BUTTON.lower - BUTTON.height] : [left + BUTTON.width / 2, right - BUTTON.width / 2];
  const from = isUpright ? at.y : at.x;
  for (let off = 0; off <= high - low; off += STEP) {
    for (const place of [from + off, from - off]) {
      const spot = isUpright ? { x: at.x, y: place } : { x: place, y: at.y };
      if (low <= place && place <= high && !boxes.some((box) => isCovered(box, side, spot))) return spot;
    }
  }
  return at;
}

/**
 * @param {{ x: number, y: number, half: number }} box
 * @param {keyof typeof ARROWS} side
 * @param {Spot} at the place of the button.
 */
function isCovered(box, side, at) {
  const { width, height, lower } = BUTTON;
  const x = { below: at.x, above: at.x, right: at.x - width / 2, left: at.x + width / 2 }[side];
  const y = { below: at.y - height / 2, above: at.y + height / 2, right: at.y + lower + height / 2, left: at.y + lower + height / 2 }[side];
  return Math.abs(x - box.x) < width / 2 + box.half && Math.abs(y - box.y) < height / 2 + BOX.high;
}

/**
 * Where the way to a vertex out of sight leaves the panel: it goes to another lane first, then along.
 *
 * @param {Spot} turn where it turns to that lane.
 * @param {Spot} to
 * @param {Sight} sight
 * @returns {{ side: keyof typeof ARROWS, at: Spot }}
 */
function wayOut(turn, to, { left, top, right, bottom }) {
  const x = Math.max(left + CORNER, Math.min(right - CORNER, turn.x));
  const y = Math.max(top + CORNER, Math.min(bottom - CORNER, to.y));
  if (to.y > bottom - EDGE) return { side: "below", at: { x, y: bottom } };
  if (to.y < top + EDGE) return { side: "above", at: { x, y: top } };
  return to.x > right - EDGE ? { side: "right", at: { x: right, y } } : { side: "left", at: { x: left, y } };
}
