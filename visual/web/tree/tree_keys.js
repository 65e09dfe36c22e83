// Keyboard navigation in the tree: ↑ and ↓ go from vertex to vertex, in the order of the lanes. ← and → stay the keys of the steps.

/** @import { Choice } from "../decision/decision.js" */
/** @import { StepMessage } from "../base/types.js" */

/** @typedef {{ steps: StepMessage[], index: number, choice: Choice | null, choose: (choice: Choice) => void }} Chooser a player, as far as its tree goes. */

/** @type {Record<string, number>} */
const MOVES = { ArrowUp: -1, ArrowDown: 1 };

/**
 * Lets the keys go through a tree that has the focus.
 *
 * @param {HTMLElement} element
 * @param {Chooser} player
 */
export function listenInTree(element, player) {
  element.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    const step = player.steps[player.index];
    if (!move || !step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault(); // the decision would scroll
    const order = inReadingOrder(step);
    const vertex = order[order.indexOf(player.choice?.vertex ?? step.walk_end) + move];
    if (vertex !== undefined) player.choose({ vertex, about: false });
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
