// An overlay over the tree's picture that shows the same tree at a moment of its story. Plotly draws the finished step once, and the overlay
// covers it meanwhile. A scene sets classes and positions; the style sheet's transitions of opacity and transform move between them.

/** @import { DraftTree, Vertex } from "./draft_tree.js" */
/** @import { Scene, Story } from "../story/story.js" */
/** @import { Kit } from "../base/kit_types.js" */
import { around, make } from "../base/dom.js";
import { count, shortenStart } from "../base/format.js";
import { statesAt } from "../story/story.js";

const ROOT = -1;
const SVG = "http://www.w3.org/2000/svg";
const SWEEP_WIDTH = 70; // pixels
const CAPTION_GAP = 30; // pixels below the tree, and above the edge
const MARKER = { high: 30, half: 8, box: 10 }; // pixels: size of the marker; half the height of a box above it

/**
 * @typedef {{ x: number, y: number }} Spot pixels
 * @typedef {object} Drawing  where the finished tree is drawn
 * @property {DraftTree} tree
 * @property {(vertex: {column: number, lane: number}) => Spot} spotOf
 * @property {(vertex: Vertex) => void} show scrolls to it
 * @property {{ width: number, height: number }} size
 * @property {number} room  pixels of its panel's width
 * @typedef {{ vertex: Vertex, element: HTMLElement, edge: SVGPathElement | null, width: number, state: string }} Actor
 */

/** Shows scenes. */
export class TreeOverlay {
  /**
   * @param {HTMLElement} panel the tree's, with its picture in it.
   * @param {Kit} kit
   * @param {(vertex: number) => void} onVertex gets the vertex clicked.
   */
  constructor(panel, kit, onVertex) {
    this.panel = panel;
    this.signs = kit.signs;
    /** @type {Record<string, number>} */
    this.widths = { accepted: kit.tree.edges.accepted.width, target: kit.tree.edges.target.width };
    this.host = make("div", "ersd-stage");
    this.host.setAttribute("aria-hidden", "true");
    this.marker = make("div", "ersd-marker", "▼");
    this.sweep = make("div", "ersd-sweep");
    this.caption = make("div", "ersd-caption");
    /** @type {Drawing | null} */
    this.drawing = null;
    /** @type {Actor[] | null} */
    this.actors = null; // the root comes first
    this.joined = 0; // share of the path's way into the root
    /** @type {number | null} */
    this.eye = null; // the vertex scrolled to last
    this.hasStrayed = false; // the panel was scrolled to follow the story: a finished step returns to its root
    panel.append(this.host);
    this.host.addEventListener("click", (event) => {
      const element = around(event, "[data-vertex]");
      if (element) onVertex(Number(element.dataset.vertex));
    });
  }

  /** @param {Drawing} drawing what was drawn. */
  set(drawing) {
    this.drawing = drawing;
    this.actors = null;
    this.joined = 0;
    this.eye = null;
  }

  /**
   * @param {Story} story
   * @param {Scene} scene of the step that was drawn.
   */
  show(story, scene) {
    this.panel.classList.toggle("staged", !scene.isOver);
    if (scene.isOver) this.comeBack();
    if (scene.isOver || !this.drawing) return;
    this.actors ??= this.cast(this.drawing);
    this.host.dataset.act = scene.joined ? "join" : scene.phase;
    const states = statesAt(story, scene);
    this.actors.forEach((actor) => this.put(actor, actor.vertex.id < 0 ? "root" : states[actor.vertex.id]));
    this.putSweep(scene.sweep);
    this.putMarker(story, scene);
    this.join(story, scene);
    this.follow(eyeOf(story, scene));
    const caption = treeCaptionOf(story, scene);
    if (this.caption.textContent !== caption) this.caption.textContent = caption;
  }

  /**
   * @param {Drawing} drawing
   * @returns {Actor[]}
   */
  cast({ tree, spotOf, size, room }) {
    const { vertices, style } = tree;
    this.host.style.width = `${size.width}px`;
    this.host.style.height = `${size.height}px`;
    this.host.classList.toggle("boxes", style.boxes);
    const lines = document.createElementNS(SVG, "svg");
    const actors = vertices.map((vertex) => {
      const spot = spotOf(vertex);
      const element = this.vertexElement(tree, vertex, spot);
      const ends = tree.edgeTo(vertex);
      const edge = ends && document.createElementNS(SVG, "path");
      edge?.classList.add("branch");
      if (edge) edge.setAttribute("d", `M${ends.points.map(([column, lane]) => written(spotOf({ column, lane }))).join("L")}`);
      return { vertex, element, edge, width: ends?.width ?? 0, state: "" };
    });
    lines.append(...actors.flatMap(({ edge }) => edge ?? []));
    const lowest = Math.max(...vertices.map((vertex) => spotOf(vertex).y));
    const isBelow = lowest + CAPTION_GAP <= size.height - CAPTION_GAP;
    this.caption.style.marginTop = `${isBelow ? lowest + CAPTION_GAP : size.height - 2 * CAPTION_GAP}px`;
    this.caption.style.maxWidth = `${room}px`; // what is longer takes two lines
    this.caption.classList.toggle("beside", !isBelow); // under the root, where nothing else is
    this.host.replaceChildren(lines, this.sweep, ...actors.map(({ element }) => element), this.marker, this.caption);
    return actors;
  }

  /**
   * @param {DraftTree} tree
   * @param {Vertex} vertex
   * @param {Spot} spot
   */
  vertexElement(tree, vertex, { x, y }) {
    const { style } = tree;
    const side = style.alternate && vertex.column % 2 ? "below" : "above";
    const element = make("div", `ersd-vertex ${style.alternate ? side : ""}`);
    element.dataset.vertex = String(vertex.id);
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    if (style.boxes) element.style.width = `${2 * tree.half(vertex)}px`;
    element.append(make("i"), make("span", "", vertex.bare));
    return element;
  }

  /**
   * @param {Actor} actor
   * @param {string} state
   */
  put(actor, state) {
    if (actor.state === state) return;
    actor.state = state;
    const { element, edge, width } = actor;
    element.dataset.state = state;
    /** @type {HTMLElement} */ (element.firstChild).textContent = this.signs[state] ?? "";
    if (!edge) return;
    edge.dataset.state = state;
    edge.style.strokeWidth = String(this.widths[state] ?? width);
    if (state === "accepted") edge.parentElement?.append(edge); // on top of the others
  }

  /**
   * Scrolls to a vertex where the tree is larger than its panel.
   *
   * @param {number} vertex
   */
  follow(vertex) {
    if (vertex === this.eye || !this.drawing) return;
    this.eye = vertex;
    this.hasStrayed = true;
    this.drawing.show(this.drawing.tree.at(vertex));
  }

  /** Scrolls back to the root: the story scrolled, not the reader. */
  comeBack() {
    if (this.hasStrayed) this.drawing?.show(this.drawing.tree.at(ROOT));
    this.hasStrayed = false;
  }

  /**
   * Where a vertex stands on the screen; null where it was not drawn.
   *
   * @param {number} id
   */
  onScreen(id) {
    const vertex = this.drawing?.tree.at(id);
    const picture = this.panel.firstElementChild;
    if (!this.drawing || !vertex || !picture) return null;
    const { x, y } = this.drawing.spotOf(vertex);
    const { left, top, width } = picture.getBoundingClientRect();
    const zoom = width / this.drawing.size.width; // the lecture view enlarges the picture
    return { x: left + x * zoom, y: top + y * zoom };
  }

  /** @param {number} share of the way. */
  putSweep(share) {
    const width = this.drawing?.size.width ?? 0;
    this.sweep.hidden = share === 0 || share === 1;
    this.sweep.style.transform = `translateX(${(share * (width + SWEEP_WIDTH) - SWEEP_WIDTH).toFixed(1)}px)`;
  }

  /**
   * @param {Story} story
   * @param {Scene} scene
   */
  putMarker({ visits }, { phase, visit }) {
    const stand = visits[visit]?.vertex;
    this.marker.hidden = stand === undefined || phase === "text";
    if (stand === undefined || !this.drawing) return;
    const { tree, spotOf } = this.drawing;
    const vertex = tree.at(stand);
    const { x, y } = spotOf(vertex);
    const isAbove = this.isFreeAbove(vertex);
    const [sign, left] = isAbove ? ["▼", x] : ["▶", x - this.halfOf(vertex)];
    this.marker.classList.toggle("beside", !isAbove);
    this.marker.classList.toggle("higher", this.actors?.[stand + 1].element.classList.contains("above")); // above the label
    if (this.marker.textContent !== sign) this.marker.textContent = sign;
    this.marker.style.transform = `translate(${left.toFixed(1)}px, ${y.toFixed(1)}px)`;
  }

  /**
   * Can the marker stand above a vertex, or would it cover another one, or leave the picture?
   *
   * @param {Vertex} vertex
   */
  isFreeAbove(vertex) {
    if (!this.drawing) return true;
    const { tree, spotOf } = this.drawing;
    const { x, y } = spotOf(vertex);
    const reach = MARKER.high + (tree.style.boxes ? MARKER.box : 0);
    const isInTheWay = (/** @type {Vertex} */ other) => {
      const spot = spotOf(other);
      return spot.y < y && spot.y > y - reach && Math.abs(spot.x - x) < this.halfOf(other) + MARKER.half;
    };
    return y >= MARKER.high && !tree.vertices.some(isInTheWay);
  }

  /**
   * Half the width of what is drawn of a vertex, without a label beside it.
   *
   * @param {Vertex} vertex
   */
  halfOf(vertex) {
    const tree = this.drawing?.tree;
    return tree?.style.boxes ? tree.half(vertex) : MARKER.half;
  }

  /**
   * Moves the path into the root, which is then called as the next step's.
   *
   * @param {Story} story
   * @param {Scene} scene
   */
  join({ step }, { joined }) {
    if (!this.drawing || !this.actors || joined === this.joined) return;
    this.joined = joined;
    const { tree, spotOf } = this.drawing;
    const [root, ...others] = this.actors;
    const to = spotOf(root.vertex);
    const share = joined * joined * (3 - 2 * joined); // it starts and ends gently
    for (const { vertex, element } of others) {
      if (vertex.state !== "accepted" && vertex.state !== "target") continue;
      const from = spotOf(vertex);
      const [x, y] = [to.x - from.x, to.y - from.y].map((way) => `${(share * way).toFixed(1)}px`);
      element.style.transform = joined ? `translate(${x}, ${y})` : "";
    }
    const name = joined === 1 ? shortenStart(step.tree.next, tree.style.root_columns) : root.vertex.bare;
    const label = /** @type {HTMLElement} */ (root.element.lastChild);
    if (label.textContent !== name) label.textContent = name;
  }
}

/**
 * The vertex to be followed.
 *
 * @param {Story} story
 * @param {Scene} scene
 */
function eyeOf({ step, visits }, { phase, calls, visit, joined }) {
  if (phase === "walk") return visits[visit].vertex;
  if (phase === "text" && !joined) return step.tree.q.length;
  return phase === "draft" ? step.tree.call_of.indexOf(calls) : ROOT;
}

/**
 * @param {Story} story
 * @param {Scene} scene
 */
function treeCaptionOf({ step: { bar, draft_calls: all } }, { phase, calls, joined }) {
  if (phase === "draft") return `draft call ${calls} of ${all}`;
  if (joined) return `${count(bar.accepted + bar.own, "token")}, 1 call: the path becomes the root`;
  return phase === "score" ? "one call" : "";
}

/** @param {Spot} spot */
const written = ({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`;
