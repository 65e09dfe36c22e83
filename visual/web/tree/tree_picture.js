// The picture of the draft tree: its size in the panel, and the scroll position of a tree larger than its panel.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage, TreeStyle } from "../base/types.js" */
/** @import { Layout } from "../base/plotly_adapter.js" */
/** @import { Size, Theme } from "../core/pictures.js" */
/** @import { Drawing } from "./tree_overlay.js" */
import { fill, resolve } from "../base/colours.js";
import { BOX_PADDING, DraftTree } from "./draft_tree.js";
import { Plot } from "../base/plotly_adapter.js";
import { PathCue } from "./path_cue.js";
import { hiddenEdges, Viewport } from "./viewport.js";
import { TreeOverlay } from "./tree_overlay.js";

const MARGIN = 30; // pixels of the picture that are not lanes
const SLACK = 4; // pixels, so that a tree that fits shows no scroll bar
const SIDES = 12; // pixels left and right of the columns
const TAIL = 0.6; // columns after the last one of a long chain, for half of its label
const AIR = 1.2; // least space above and below the tree together, lanes
const WIDEST = 2.4; // columns grow to at most this multiple of their least distance
const LONGEST = 16; // most characters of a label in wide columns
const MARKER_LETTER = 6.4; // pixels of a label beside a marker
const MARKER_GAP = 6;
const BOX_GAP = 4; // least pixels between two boxes
const SIGN = 2; // characters, with its space
const EDGE = 40; // free pixels around a vertex that is scrolled to: the marker may stand above it
const HIGHEST_BOX_LANE = 46; // pixels
const HIGHEST_LANE = 56;

/** Draws the trees of a run on one scale, so that nothing moves from step to step. */
export class TreePicture {
  /**
   * @param {HTMLElement} element the panel; it scrolls.
   * @param {Kit} kit
   * @param {(vertex: number) => void} onVertex gets the vertex clicked.
   */
  constructor(element, kit, onVertex) {
    this.element = element;
    this.kit = kit;
    element.replaceChildren(document.createElement("div"));
    this.plot = new Plot(/** @type {HTMLElement} */ (element.firstChild), ({ customdata }) => onVertex(Number(customdata)));
    this.overlay = new TreeOverlay(element, kit, onVertex);
    this.cue = new PathCue(element);
    this.viewport = new Viewport(element, () => this.mark());
    /** @type {Drawing | null} */
    this.drawing = null; // the tree on the screen
    /** @type {unknown[]} */
    this.drawn = []; // what the picture on the screen depends on
    /** @type {WeakMap<StepMessage, DraftTree>} */
    this.trees = new WeakMap();
    this.isAtRoot = false; // a run is scrolled to its root once, when it begins
    this.labelColumns = 0; // characters that a label may take
    this.columns = 2; // of the largest tree so far
    this.lanes = 1;
  }

  /** @param {TreeStyle} style */
  begin(style) {
    this.style = style;
    this.drawn = [];
    this.isAtRoot = false;
    this.labelColumns = style.label_columns;
    this.columns = 2;
    this.lanes = 1;
  }

  /** @param {StepMessage} step */
  add(step) {
    const tree = this.treeOf(step);
    this.columns = Math.max(this.columns, tree.columns);
    this.lanes = Math.max(this.lanes, tree.lanes);
  }

  /** @param {StepMessage} step */
  treeOf(step) {
    const known = this.trees.get(step);
    if (known?.labelColumns === this.labelColumns) return known;
    const tree = new DraftTree(step, this.styleOfRun(), this.kit, this.labelColumns);
    this.trees.set(step, tree);
    return tree;
  }

  styleOfRun() {
    if (!this.style) throw new Error("a step came before its run began");
    return this.style;
  }

  /**
   * @param {StepMessage} step
   * @param {number} vertex the vertex to ring.
   * @param {Size} panel
   * @param {Theme} theme
   * @param {boolean} isChosen a reader chose the vertex: scroll to it. From step to step nothing scrolls by itself.
   */
  async draw(step, vertex, panel, theme, isChosen) {
    const state = [step, vertex, panel.width, panel.height, theme, this.columns, this.lanes, isChosen];
    if (state.every((each, place) => each === this.drawn[place])) return;
    this.drawn = state;
    const { layout, pitch } = this.measured(panel, theme.tree.layout);
    this.labelColumns = this.longestLabel(pitch.column);
    const tree = this.treeOf(step);
    const data = tree.data(pitch);
    const templates = this.styleOfRun().boxes ? theme.tree.boxes : theme.tree.markers;
    const traces = Object.entries(templates).map(([name, template]) => fill(template, data[name], theme.palette));
    await this.plot.draw(traces, { ...layout, shapes: resolve(tree.shapes(pitch, vertex), theme.palette) });
    if (!this.isAtRoot) this.viewport.toStart();
    this.isAtRoot = true;
    if (isChosen) this.show(tree.at(vertex), layout, panel);
    if (isChosen) this.overlay.hasStrayed = false;
    this.drawing = {
      tree,
      spotOf: ({ column, lane }) => this.plot.spotOf(column, lane),
      show: (place) => this.show(place, layout, panel),
      size: { width: layout.width, height: layout.height },
      room: panel.width,
    };
    this.viewport.panel = panel;
    this.overlay.set(this.drawing);
    this.mark();
  }

  /** Marks what is hidden: the edges past which the tree goes on, and where the path leaves the panel. */
  mark() {
    if (!this.drawing) return;
    const { seen } = this.viewport;
    this.element.dataset.beyond = hiddenEdges(this.drawing, seen).join(" ");
    this.cue.place(this.drawing, seen);
  }

  /**
   * Most characters of a label.
   *
   * @param {number} pitch pixels of a column.
   */
  longestLabel(pitch) {
    const { boxes, alternate, label_columns: least } = this.styleOfRun();
    const beside = ((alternate ? 2 : 1) * pitch - MARKER_GAP) / MARKER_LETTER - (alternate ? SIGN : 0);
    const room = boxes ? (pitch - BOX_PADDING - BOX_GAP) / this.kit.tree.letter - SIGN : beside;
    return Math.max(least, Math.min(LONGEST, Math.floor(room)));
  }

  /**
   * The layout of all trees of the run, with room for the largest so far.
   *
   * @param {Size} panel
   * @param {Layout} base
   */
  measured(panel, base) {
    const { columns, lanes } = this;
    const style = this.styleOfRun();
    const room = panel.height - MARGIN - SLACK;
    const highest = style.boxes ? HIGHEST_BOX_LANE : HIGHEST_LANE;
    const lane = Math.max(style.lane, Math.min(highest, room / (lanes + AIR)));
    const height = Math.max(room, lane * (lanes + AIR));
    const air = (height / lane - lanes) / 2; // above and below, so that a small tree stands in the middle
    const tail = style.alternate ? TAIL : 0;
    const width = Math.max(panel.width, style.pitch * (columns + tail) + SIDES);
    const spare = Math.max(tail, (width - SIDES) / (style.pitch * WIDEST) - columns); // a few columns keep together on a wide panel
    const lead = leadOf(style, columns);
    const ticks = Array.from({ length: columns }, (_, column) => column);
    const layout = {
      ...base,
      width,
      height: height + MARGIN,
      xaxis: {
        .../** @type {Layout} */ (base.xaxis),
        range: [-lead, columns - lead + spare],
        tickvals: ticks,
        ticktext: ticks.map((column) => (column ? `+${column}` : rootTick(style))),
      },
      yaxis: { .../** @type {Layout} */ (base.yaxis), range: [lanes - 0.5 + air, -0.5 - air] },
    };
    return { layout, pitch: { column: (width - SIDES) / (columns + spare), lane: height / (lanes + 2 * air) } };
  }

  /**
   * Scrolls a tree larger than its panel just far enough to show a vertex.
   *
   * @param {{ column: number, lane: number }} vertex
   * @param {ReturnType<TreePicture["measured"]>["layout"]} layout
   * @param {Size} panel
   */
  show({ column, lane }, { width, height, xaxis, yaxis }, panel) {
    if (width <= panel.width && height <= panel.height) return;
    if (column === 0) {
      this.viewport.toStart(); // the root, as the tree was opened
      return;
    }
    const [left, right] = xaxis.range;
    const [bottom, top] = yaxis.range;
    const x = ((column - left) / (right - left)) * width;
    const y = ((lane - top) / (bottom - top)) * (height - MARGIN) + MARGIN;
    const half = width / (right - left) / 2;
    const { scrollLeft, scrollTop } = this.element;
    this.element.scrollTo(nearest(scrollLeft, x, half, panel.width), nearest(scrollTop, y, EDGE, panel.height));
  }
}

/**
 * Scroll offset along one axis that shows a position with a margin on both sides, nearest to the present one.
 *
 * @param {number} now
 * @param {number} place
 * @param {number} around
 * @param {number} length of the panel.
 */
function nearest(now, place, around, length) {
  return Math.max(0, Math.min(now, place - around), place + around - length);
}

/**
 * Columns left of the root, for half of its label.
 *
 * @param {TreeStyle} style
 * @param {number} columns
 */
function leadOf(style, columns) {
  if (style.boxes || columns < 3) return 0.5;
  return style.alternate ? 0.8 : 0.25;
}

/**
 * The tick label above the root; short where there is little room.
 *
 * @param {TreeStyle} style
 */
const rootTick = (style) => (style.boxes ? "text so far" : "now");
