// A draft tree as Plotly traces and shapes: labels, edges, boxes and hover labels from positions, names and states.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage, TreeStyle, VertexState } from "../base/types.js" */
/** @import { Trace } from "../base/plotly_adapter.js" */
/** @import { Pitch } from "./tree_shapes.js" */
import { escape, ranges, shorten, shortenStart, width } from "../base/format.js";
import { vertexLabel } from "./reasons.js";
import { badge, box, onCorner, ring, together } from "./tree_shapes.js";

const ROOT = -1;
export const BOX_PADDING = 11; // pixels that a box is wider than its label, a badge than its numbers
const BADGE_PADDING = 5;
const BADGE_LETTER = 6.4; // pixels
const BOX_BADGE = 7; // characters that a badge may take at a box, and beside a marker
const MARKER_BADGE = 5;
const LEAST_NAME = 5; // characters of a name next to the numbers of its tries; with less room only the hover label has the numbers

/**
 * @typedef {object} Vertex
 * @property {number} id
 * @property {number} column
 * @property {number} lane
 * @property {VertexState | "root"} state
 * @property {string} label as short as it must be, with its sign in a box
 * @property {string} bare the same without the sign
 * @property {string} order the numbers of its tries, where it was one of several
 */

/** @typedef {{ vertex: Vertex, column: number, lane: number, half: number }} Badge the numbers of the tries at a box's corner */

/** The tree of one step, in the style of its run. */
export class DraftTree {
  /**
   * @param {StepMessage} step
   * @param {TreeStyle} style
   * @param {Kit} kit
   * @param {number} labelColumns characters that a label may take.
   */
  constructor(step, style, kit, labelColumns) {
    this.labelColumns = labelColumns;
    this.step = step;
    this.style = style;
    this.kit = kit;
    this.tries = triesOf(step);
    const { root, names, states, columns, lanes } = step.tree;
    /** @type {Vertex[]} */
    this.vertices = [{ id: ROOT, column: 0, lane: 0, state: "root", ...same(shortenStart(root, style.root_columns)), order: "" }];
    names.forEach((name, id) => {
      const place = { id, column: columns[id], lane: lanes[id], state: states[id] };
      this.vertices.push({ ...place, ...this.labels(id, name, states[id]) });
    });
    this.columns = 1 + Math.max(...this.vertices.map(({ column }) => column));
    this.lanes = 1 + Math.max(...this.vertices.map(({ lane }) => lane));
    /** @type {Record<string, number[][][]> | undefined} */
    this.found = undefined;
  }

  /** @param {number} id */
  at(id) {
    return this.vertices[id + 1];
  }

  /**
   * The label of a vertex: with its sign in a box, else with the numbers of its tries.
   *
   * @param {number} id
   * @param {string} name
   * @param {VertexState} state
   */
  labels(id, name, state) {
    const drawn = this.step.tree.draws[id] ?? 1;
    const times = drawn > 1 ? ` ×${drawn}` : ""; // draws that coincide are one vertex
    const columns = this.labelColumns - times.length;
    const numbers = this.tries.get(id) ?? [];
    if (this.style.boxes) {
      const sign = this.kit.signs[state];
      const bare = `${shorten(name, columns)}${times}`;
      return { label: `${sign ? `${sign} ` : ""}${bare}`, bare, order: brief(numbers, BOX_BADGE) };
    }
    const order = brief(numbers, MARKER_BADGE);
    const room = columns - (order ? width(order) + 1 : 0);
    const hasRoom = room >= Math.min(LEAST_NAME, width(name));
    return { ...same(shorten(name, hasRoom ? room : columns) + times), order: hasRoom ? order : "" };
  }

  /** @param {Vertex} vertex */
  text({ label, order }) {
    const beside = order && !this.style.boxes ? `<span style="font-size:10.5px">${order}</span> ` : "";
    return beside + escape(label);
  }

  /**
   * The data of every trace, by the names of `kit.tree.boxes` or `kit.tree.markers`.
   *
   * @param {Pitch} pitch
   * @returns {Record<string, Trace>}
   */
  data(pitch) {
    // between boxes the edges are shapes, below the labels
    const edges = this.style.boxes ? [] : Object.entries(this.edges()).map(([name, ends]) => [`edge_${name}`, line(ends)]);
    const states = Object.keys(this.kit.tree.box_colours).map((state) => [state, this.markers(state)]);
    const badges = this.badges(pitch);
    const tries = {
      x: badges.map(({ column }) => column),
      y: badges.map(({ lane }) => lane),
      text: badges.map(({ vertex }) => vertex.order),
    };
    return { ...Object.fromEntries([...edges, ...states]), tries };
  }

  /** @param {string} state */
  markers(state) {
    const chosen = this.vertices.filter((vertex) => vertex.state === state);
    const data = {
      x: chosen.map(({ column }) => column),
      y: chosen.map(({ lane }) => lane),
      text: chosen.map((vertex) => this.text(vertex)),
      hovertext: chosen.map(({ id }) => this.hover(id)),
      customdata: chosen.map(({ id }) => id),
    };
    // as wide as its box, so that a hover label begins beside it
    if (this.style.boxes) return { ...data, marker: { size: chosen.map((vertex) => 2 * this.half(vertex)) } };
    if (!this.style.alternate) return data;
    // in a long chain neighbouring labels take turns above and below
    return { ...data, textposition: chosen.map(({ column }) => (column % 2 ? "bottom center" : "top center")) };
  }

  /** @param {number} id */
  hover(id) {
    if (id === ROOT) return `<b>${escape(this.step.tree.root)}</b><br>the text so far`;
    return vertexLabel(this.step, id, this.tries.get(id) ?? [], this.kit);
  }

  /**
   * The shapes under the labels: edges (the path last, on top), boxes, badges of the tries, and a ring around one vertex.
   *
   * @param {Pitch} pitch
   * @param {number} ringed
   */
  shapes(pitch, ringed) {
    const around = this.at(ringed);
    const rings = [ring(around, this.style.boxes ? this.half(around) : null)];
    if (!this.style.boxes) return rings;
    const { edges, box_colours: colours } = this.kit.tree;
    const badges = this.badges(pitch);
    return [
      ...Object.entries(this.edges()).flatMap(([name, ends]) => together(ends.map(path), { line: pen(edges[name]) })),
      ...Object.entries(colours).flatMap(([state, { fill, line: color }]) => {
        const boxes = this.vertices.filter((vertex) => vertex.state === state);
        const paths = boxes.map((vertex) => box(vertex, this.half(vertex), pitch));
        return together(paths, { fillcolor: fill, line: { color, width: 1.5 } });
      }),
      ...Object.entries(colours).flatMap(([state, { line: color }]) => {
        const paths = badges.filter(({ vertex }) => vertex.state === state).map((each) => badge(each, each.half, pitch));
        return together(paths, { fillcolor: "$panel", line: { color, width: 1 } });
      }),
      ...rings,
    ];
  }

  /**
   * Half the width of a vertex's box, pixels.
   *
   * @param {Vertex} vertex
   */
  half({ label }) {
    return (width(label) * this.kit.tree.letter + BOX_PADDING) / 2;
  }

  /**
   * @param {Pitch} pitch
   * @returns {Badge[]}
   */
  badges(pitch) {
    if (!this.style.boxes) return [];
    const numbered = this.vertices.filter(({ order }) => order);
    return numbered.map((vertex) => {
      const half = (vertex.order.length * BADGE_LETTER + BADGE_PADDING) / 2;
      return { vertex, half, ...onCorner(vertex, this.half(vertex), half, pitch) };
    });
  }

  /** The points of every edge, by the names of `kit.tree.edges`. */
  edges() {
    if (this.found) return this.found;
    const { edges } = this.kit.tree;
    /** @type {Record<string, number[][][]>} */
    const found = Object.fromEntries(Object.keys(edges).map((name) => [name, []]));
    for (const child of this.vertices.slice(1)) {
      const named = child.state in edges ? child.state : this.byDraft(child.id);
      found[named].push(this.wayTo(child));
    }
    this.found = found;
    return found;
  }

  /**
   * The name of a vertex's edge, by its draft probability.
   *
   * @param {number} id
   */
  byDraft(id) {
    return `q${this.kit.tree.edge_steps.filter((least) => this.step.tree.q[id] >= least).length}`;
  }

  /**
   * From its parent to a vertex: across, down, across. Siblings share the way down, and no line passes under a label of another lane.
   *
   * @param {Vertex} child
   */
  wayTo(child) {
    const parent = this.at(this.step.tree.parents[child.id]);
    const turn = parent.column + this.style.trunk;
    return [
      [parent.column, parent.lane],
      [turn, parent.lane],
      [turn, child.lane],
      [child.column, child.lane],
    ];
  }

  /**
   * The edge to a vertex as it is before anything is decided.
   *
   * @param {Vertex} vertex
   * @returns {{ points: number[][], width: number } | null} null: it is the root.
   */
  edgeTo(vertex) {
    if (vertex.id === ROOT) return null;
    return { points: this.wayTo(vertex), width: this.kit.tree.edges[this.byDraft(vertex.id)].width };
  }
}

/**
 * The numbers of the tries of every vertex, where more than one was tried side by side.
 *
 * @param {StepMessage} step
 * @returns {Map<number, number[]>} vertex -> [1, 3]
 */
function triesOf(step) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const { tries = [] } of Object.values(step.decisions)) {
    if (tries.length < 2) continue;
    tries.forEach(({ vertex }, place) => found.set(vertex, [...(found.get(vertex) ?? []), place + 1]));
  }
  return found;
}

/**
 * Numbers of tries, as short as fits beside a token; the hover label has them all.
 *
 * @param {number[]} numbers
 * @param {number} most characters.
 */
function brief(numbers, most) {
  const all = ranges(numbers);
  return all.length <= most ? all : `${numbers[0]}…(${numbers.length})`;
}

/** @param {string} label without a sign. */
const same = (label) => ({ label, bare: label });

/** @param {number[][][]} ends */
function line(ends) {
  const points = ends.flatMap((each) => [...each, [null, null]]);
  return { x: points.map(([x]) => x), y: points.map(([, y]) => y) };
}

/** @param {number[][]} points */
const path = (points) => `M ${points.map((point) => point.join(",")).join(" L ")}`;

/** @param {{ colour: string, width: number }} edge */
const pen = ({ colour, width: thickness }) => ({ color: colour, width: thickness });
