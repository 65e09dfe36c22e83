// A draft tree as Plotly's traces and shapes: from rows, names and states (visual/tree.py) to boxes, edges and hover labels.

import { about, escape, number, ordinal, ranges, shorten, width, wrapped } from "./format.js";

const STATES = { a: "accepted", r: "rejected", o: "open", t: "target" };
const ROOT = -1;
const HALF = 12; // pixels, half a box's height
const CORNER = 5;
const HOVER_COLUMNS = 46;

// A rounded rectangle of half sides x and y around an origin, as an SVG path; `at` writes a point, given in pixels from that origin.
function rounded(x, y, r, at) {
  return (
    `M ${at(r - x, -y)} L ${at(x - r, -y)} Q ${at(x, -y)} ${at(x, r - y)} L ${at(x, y - r)} Q ${at(x, y)} ${at(x - r, y)} ` +
    `L ${at(r - x, y)} Q ${at(-x, y)} ${at(-x, y - r)} L ${at(-x, r - y)} Q ${at(-x, -y)} ${at(r - x, -y)} Z`
  );
}

const inPixels = (x, y) => ({ xref: "x", yref: "y", xsizemode: "pixel", ysizemode: "pixel", xanchor: x, yanchor: y });

// Many like pieces as one shape: a shape costs Plotly far more than a longer path.
const together = (paths, look) => (paths.length ? [{ type: "path", path: paths.join(" "), layer: "below", ...look }] : []);

// The tries of every vertex, by number, where more than one was tried side by side: vertex -> [1, 3].
export function orders(step) {
  const found = new Map();
  for (const panel of Object.values(step.panels)) {
    if (!panel.tries || panel.tries.length < 2) continue;
    panel.tries.forEach(([vertex], i) => found.set(vertex, [...(found.get(vertex) || []), i + 1]));
  }
  return found;
}

// As short as fits beside a token; the hover label has them all.
function brief(numbers, most) {
  const all = ranges(numbers);
  return all.length <= most ? all : `${numbers[0]}…×${numbers.length}`;
}

export class Tree {
  constructor(step, style, kit) {
    Object.assign(this, { step, style, kit, drawing: kit.tree });
    const { names, states, rows } = step.tree;
    const own = step.parents.length;
    this.parents = names.length > own ? [...step.parents, step.shown] : step.parents;
    this.orders = orders(step);
    this.vertices = [{ id: ROOT, column: 0, row: 0, state: "root", label: shorten(step.tree.root, style.root_columns, true) }];
    names.forEach((name, id) => {
      const vertex = { id, state: STATES[states[id]], row: rows[id], column: this.at(this.parents[id]).column + 1, name };
      this.vertices.push({ ...vertex, ...this.label(vertex) });
    });
  }

  at(id) {
    return this.vertices[id + 1];
  }

  get columns() {
    return 1 + Math.max(...this.vertices.map((vertex) => vertex.column));
  }

  get rows() {
    return 1 + Math.max(...this.vertices.map((vertex) => vertex.row));
  }

  // Where the walk ended.
  get end() {
    const { step } = this;
    return this.at(this.parents.length > step.parents.length ? step.parents.length : step.shown);
  }

  // What is written at a vertex: with its sign in a box, else with the number of its try.
  label({ id, state, name }) {
    const numbers = this.orders.get(id);
    const columns = this.style.label_columns;
    if (this.style.boxes) {
      const sign = this.drawing.signs[state];
      return { label: (sign ? `${sign} ` : "") + shorten(name, columns), order: numbers ? brief(numbers, 7) : "" };
    }
    const order = numbers ? brief(numbers, 5) : "";
    return { label: shorten(name, columns - (order ? width(order) + 1 : 0)), order };
  }

  written({ label, order }) {
    return this.style.boxes || !order ? escape(label) : `<span style="font-size:9px">${order}</span> ${escape(label)}`;
  }

  // --- what is drawn ----------------------------------------------------------------------------------------------------------

  // The traces' data in the order of the templates; `row` and `pitch` are pixels of one row and one column.
  data(row, pitch) {
    const { boxes, alternate } = this.style;
    const lines = boxes ? [] : this.edges().map((ends) => this.line(ends)); // edges between boxes are shapes, below them
    const markers = this.drawing.states.map((state) => {
      const chosen = this.vertices.filter((vertex) => vertex.state === state);
      const data = {
        x: chosen.map((vertex) => vertex.column),
        y: chosen.map((vertex) => vertex.row),
        text: chosen.map((vertex) => this.written(vertex)),
        hovertext: chosen.map((vertex) => this.hover(vertex)),
        customdata: chosen.map((vertex) => vertex.id),
      };
      // in a long chain neighbouring labels take turns above and below
      if (alternate) data.textposition = chosen.map(({ column }) => (column % 2 ? "bottom center" : "top center"));
      return data;
    });
    const badges = this.badges();
    const place = { x: badges.map(({ vertex, dx }) => vertex.column + dx / pitch), y: badges.map(({ vertex, dy }) => vertex.row + dy / row) };
    return [...lines, ...markers, { ...place, text: badges.map(({ vertex }) => vertex.order) }];
  }

  // The shapes behind the labels, one for all that look alike: edges (the path comes last, on top), boxes, badges of the tries.
  shapes(row, pitch) {
    if (!this.style.boxes) return [];
    const around = (vertex, dx = 0, dy = 0) => (x, y) => `${(vertex.column + (x + dx) / pitch).toFixed(4)},${(vertex.row + (y + dy) / row).toFixed(4)}`;
    const edges = this.edges().flatMap((ends, i) => {
      const [color, thickness] = this.drawing.lines[i];
      return together(ends.map((points) => "M " + points.map((point) => point.join(",")).join(" L ")), { line: { color, width: thickness } });
    });
    const boxes = this.drawing.states.flatMap((state) => {
      const mine = this.vertices.filter((vertex) => vertex.state === state);
      return together(mine.map((vertex) => rounded(this.half(vertex), HALF, CORNER, around(vertex))), this.look(state));
    });
    const badges = this.drawing.states.flatMap((state) => {
      const mine = this.badges().filter(({ vertex }) => vertex.state === state);
      const line = { color: this.drawing.boxes[state][1], width: 1 };
      return together(mine.map(({ vertex, dx, dy, half }) => rounded(half, 6, 4, around(vertex, dx, dy))), { fillcolor: "$panel", line });
    });
    return [...edges, ...boxes, ...badges];
  }

  // The corner badges: offset and half width in pixels.
  badges() {
    if (!this.style.boxes) return [];
    const marked = this.vertices.filter((vertex) => vertex.order);
    return marked.map((vertex) => {
      const half = (vertex.order.length * 5.8 + 5) / 2;
      return { vertex, half, dx: 7 - this.half(vertex) - half, dy: -HALF };
    });
  }

  half(vertex) {
    return (width(vertex.label) * this.drawing.letter + 11) / 2;
  }

  look(state) {
    const [fillcolor, color] = this.drawing.boxes[state];
    return { fillcolor, line: { color, width: 1.5 } };
  }

  // A ring around a vertex.
  ring(id) {
    const vertex = this.at(id);
    if (!vertex) return null;
    const line = { color: "$leader", width: 3 };
    const place = inPixels(vertex.column, vertex.row);
    if (!this.style.boxes) return { type: "circle", ...place, x0: -9, x1: 9, y0: -9, y1: 9, line };
    const path = rounded(this.half(vertex), HALF, CORNER, (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`);
    return { type: "path", path, ...place, fillcolor: "rgba(0,0,0,0)", line, layer: "above" };
  }

  // The edges by line template: by draft probability, then the accepted path, then the edge to the target's own token.
  edges() {
    if (this.found) return this.found;
    const { edges, lines } = this.drawing;
    this.found = lines.map(() => []);
    for (const child of this.vertices.slice(1)) {
      const parent = this.at(this.parents[child.id]);
      const turn = parent.column + this.style.trunk;
      const thickness = edges.filter((bound) => this.step.tree.q[child.id] >= bound).length;
      const line = child.state === "accepted" ? lines.length - 2 : child.state === "target" ? lines.length - 1 : thickness;
      // across, down, across: siblings share the way down, and no line passes under a label of another row
      this.found[line].push([[parent.column, parent.row], [turn, parent.row], [turn, child.row], [child.column, child.row]]);
    }
    return this.found;
  }

  line(ends) {
    const points = ends.flatMap((each) => [...each, [null, null]]);
    return { x: points.map(([x]) => x), y: points.map(([, y]) => y) };
  }

  // --- what is told on hover ---------------------------------------------------------------------------------------------------

  hover(vertex) {
    if (vertex.id === ROOT) return `<b>${escape(this.step.tree.root)}</b><br>the text so far`;
    const { tree, panels, parents } = this.step;
    const own = vertex.id >= parents.length;
    const panel = panels[this.parents[vertex.id]];
    const row = panel ? (own ? panel.marks.indexOf("t") : (panel.kids.find(([kid]) => kid === vertex.id) || [0, -1])[1]) : -1;
    const lines = [`<b>${escape(vertex.name)}</b>${own ? ", the target's own" : ""}`];
    if (!own) lines.push(`draft q ${number(tree.q[vertex.id])}, the draft's ${ordinal(tree.ranks[vertex.id])} here`);
    if (row >= 0) {
      lines.push(`target p ${number(panel.p[row])}${own && panel.q ? `, draft q ${number(panel.q[row])}` : ""}`);
      if (panel.clock) {
        const arrives = (chance) => number(panel.clock[row] / chance);
        lines.push(`arrives: ${panel.q ? `draft ${arrives(panel.q[row])}, ` : ""}target ${arrives(panel.p[row])}`);
      }
    }
    const numbers = this.orders.get(vertex.id);
    if (numbers) lines.push(`tried as number ${ranges(numbers)} of ${panel.tries.length}`);
    lines.push(wrapped(this.reason(vertex.id, panel), HOVER_COLUMNS));
    return lines.join("<br>");
  }

  // Why a vertex was accepted, rejected or not visited, in one sentence.
  reason(id, panel) {
    const { tree, panels, parents } = this.step;
    if (tree.why[id]) return tree.why[id];
    if (panel) {
      if (id >= parents.length) return panel.say;
      const tried = (panel.tries || []).filter((one) => one[0] === id);
      if (tried.length) return (tried.find((one) => one[4]) || tried.at(-1))[6];
      if (tree.states[id] === "a") return panel.say;
      const chosen = parents.findIndex((parent, other) => parent === parents[id] && tree.states[other] === "a");
      return chosen < 0 ? this.kit.words.beyond : about(this.kit.words.untried, tree.names[chosen]);
    }
    let lost = id;
    while (!panels[parents[lost]]) lost = parents[lost];
    if (tree.states[lost] === "a") return this.kit.words.beyond;
    return about(this.kit.words.unvisited, tree.names[lost]);
  }
}
