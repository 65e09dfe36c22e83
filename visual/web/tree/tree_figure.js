// The finished tree as Plotly traces and shapes. What belongs to an item is remembered by its index, so that motion finds its elements.

/** @import * as T from "../types" */
import { escape, isolate } from "../base/format.js";
import { at, ROOT } from "./items.js";
import { boxAround, edgeBetween } from "./outlines.js";
import { vertexLabel } from "./reasons.js";

const THINNEST = 1.5; // pixels, of an edge
const THICKER = 8.5; // by a draft probability of 1
const OWN = 2; // the edge of the target's own token, which no draft probability belongs to
const FOLDED = 0.5; // all edges of a tree with dots are thinner by this factor, or they would hide them
const SPACE = "\u00a0"; // of a dot: Plotly loses the elements of empty texts, and of those after them
const STATES = ["root", "accepted", "rejected", "not reached", "target"];

/** @typedef {{ items: T.Item[], width: number, colour: string }} Edge  edges drawn as one shape: those between dots that came with one call */

/**
 * @typedef {object} Figure
 * @property {Record<string, T.Trace>} traces data by state, for those states there are
 * @property {Record<string, T.Item[]>} points the items of each trace
 * @property {Edge[]} edges the first shapes
 * @property {T.Item[]} boxes the shapes after them; then come the frame and the ring
 * @property {Record<string, unknown>[]} shapes
 */

/** @param {T.StepMessage} step @param {T.TreeLayout} layout @param {T.Kit} kit @returns {Figure} */
export function figureOf(step, layout, kit) {
  const { items, looks, spots } = layout;
  const edges = edgesOf(step, layout, kit);
  const boxes = items.filter(({ isDot }) => !isDot);
  /** @type {Figure["points"]} */
  const points = {};
  for (const item of items) (points[item.state] ??= []).push(item);
  const tries = triesOf(step);
  const hoverOf = (/** @type {T.Item} */ item) => hover(step, item, tries, kit);
  const present = STATES.filter((state) => points[state]);
  const traces = Object.fromEntries(present.map((state) => [state, traceOf(points[state], layout, hoverOf)]));
  const { box_colours: colours } = kit.tree;
  const shape = { type: "path", layer: "below" };
  const shapes = [
    ...edges.map((edge) => ({
      ...shape,
      path: edge.items.map((item) => wayTo(item, layout)).join(" "),
      line: { color: edge.colour, width: edge.width },
      fillcolor: "rgba(0,0,0,0)",
    })),
    ...boxes.map((item) => ({
      ...shape,
      path: boxAround(at(spots, item), at(looks, item)),
      fillcolor: colours[item.state].fill,
      line: { color: colours[item.state].line, width: 1.5, dash: item.state === "not reached" ? "3px,3px" : "solid" },
    })),
    { ...shape, path: frameAround(layout), fillcolor: "rgba(0,0,0,0)", line: { color: "$drafted", width: 1.5, dash: "6px,4px" } },
    { ...shape, path: boxAround({ x: 0, y: 0 }, { width: 9, height: 9 }), fillcolor: "rgba(0,0,0,0)", line: { color: "$ink", width: 2.5 } },
  ];
  return { traces, points, edges, boxes, shapes };
}

/**
 * The way of an edge to an item, whatever its lane now.
 * @param {T.Item} item
 * @param {Pick<T.TreeLayout, "spots" | "isTurned"> & { looks: Map<T.Item, { width: number, height: number }> }} layout
 */
export function wayTo(item, { looks, spots, isTurned }) {
  const parent = /** @type {T.Item} */ (item.parent);
  return edgeBetween(at(spots, parent), at(looks, parent), at(spots, item), isTurned);
}

/** @param {T.TreeLayout} layout */
function frameAround({ items, looks, spots }) {
  const drafted = items.filter(({ state }) => state !== "target");
  const sides = (/** @type {"x" | "y"} */ axis, /** @type {"width" | "height"} */ size) => {
    const ends = drafted.flatMap((item) => [
      at(spots, item)[axis] - at(looks, item)[size] / 2,
      at(spots, item)[axis] + at(looks, item)[size] / 2,
    ]);
    return [Math.min(...ends), Math.max(...ends)];
  };
  const [[left, right], [top, bottom]] = [sides("x", "width"), sides("y", "height")];
  return boxAround({ x: (left + right) / 2, y: (top + bottom) / 2 }, { width: right - left, height: bottom - top }, 4);
}

/** @param {T.Item[]} items @param {T.TreeLayout} layout @param {(item: T.Item) => string} hoverOf @returns {T.Trace} */
function traceOf(items, { looks, spots }, hoverOf) {
  const all = items.map((item) => ({ item, look: at(looks, item), spot: at(spots, item) }));
  return {
    x: all.map(({ spot }) => spot.x),
    y: all.map(({ spot }) => spot.y),
    text: all.map(({ look }) => (look.sign ? `<b>${look.sign} </b>` : "") + escape(look.label || SPACE)),
    hovertext: items.map(hoverOf),
    customdata: items.map(({ id }) => id),
    marker: {
      size: all.map(({ item, look }) => (item.isDot ? look.width - 1 : look.width)),
      opacity: items.map(({ isDot }) => Number(isDot)),
    },
    textfont: { size: all.map(({ look }) => look.font || 10), weight: all.map(({ look }) => (look.isBold ? 700 : 400)) },
  };
}

/** @param {T.StepMessage} step @param {T.TreeLayout} layout @param {T.Kit} kit @returns {Edge[]} */
function edgesOf({ tree }, { items, isFolded }, { tree: { edge_colours: colours } }) {
  /** @type {Map<string, Edge>} */
  const found = new Map();
  for (const item of items) {
    if (!item.parent) continue;
    const usual = item.state === "target" ? OWN : THINNEST + THICKER * tree.q[item.id];
    const width = isFolded ? Math.max(1, FOLDED * usual) : usual;
    const key = item.isDot ? `${tree.call_of[item.id]} ${width.toFixed(0)}` : item.key;
    const edge = found.get(key) ?? { items: [], width, colour: item.isDot ? colours["not reached"] : colours[item.state] };
    edge.items.push(item);
    found.set(key, edge);
  }
  const order = ["not reached", "rejected", "target", "accepted"];
  return [...found.values()].sort((one, other) => order.indexOf(one.items[0].state) - order.indexOf(other.items[0].state));
}

/** @param {T.StepMessage} step @param {T.Item} item @param {Map<number, number[]>} tries @param {T.Kit} kit */
function hover(step, { id, hidden, name }, tries, kit) {
  if (id === ROOT) return `<b>${escape(isolate(step.tree.root))}</b><br>the text so far`;
  if (hidden) return `<b>${escape(name)}</b><br>click to show all ${hidden}`;
  return vertexLabel(step, id, tries.get(id) ?? [], kit);
}

/**
 * The numbers of the tries of every node, where more than one was tried side by side.
 * @param {T.StepMessage} step
 * @returns {Map<number, number[]>} node -> [1, 3]
 */
export function triesOf(step) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const { tries = [] } of Object.values(step.decisions)) {
    if (tries.length < 2) continue;
    tries.forEach(({ vertex }, place) => found.set(vertex, [...(found.get(vertex) ?? []), place + 1]));
  }
  return found;
}
