// The tree under the keyboard: ↑ and ↓ go from vertex to vertex, in the order of the lanes. ← and → stay the keys of the steps.

/** @import { StepMessage } from "./types.js" */

/** @type {Record<string, number>} */
const MOVES = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Lets the keys go through a tree that has the focus.
 *
 * @param {HTMLElement} element
 * @param {() => { step: StepMessage, vertex: number } | null} current the step in view and the vertex from which they go on.
 * @param {(vertex: number) => void} onVertex told the vertex they come to.
 */
export function listenInTree(element, current, onVertex) {
  element.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    const from = current();
    if (!move || !from || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // the panel would scroll
    const order = inReadingOrder(from.step);
    const next = order[order.indexOf(from.vertex) + move];
    if (next !== undefined) onVertex(next);
  });
}

/**
 * The vertices lane by lane, each from left to right; the root comes first.
 *
 * @param {StepMessage} step
 */
function inReadingOrder({ tree: { columns, lanes } }) {
  const vertices = columns.map((_, vertex) => vertex);
  vertices.sort((one, other) => lanes[one] - lanes[other] || columns[one] - columns[other]);
  return [-1, ...vertices];
}
