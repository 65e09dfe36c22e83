// Keyboard navigation in the tree: ↑ and ↓ go from node to node, the path first. ← and → stay the keys of the steps.

/** @import * as T from "../types" */
import { isPlain } from "../base/keys.js";
import { decisionInView } from "../decision/decision.js";
import { itemsOf } from "./items.js";

/** @typedef {{ view: () => T.View | null, choose: (choice: T.Choice) => void }} Chooser a player, as far as its tree goes. */

/** @type {Record<string, number>} */
const MOVES = { ArrowUp: -1, ArrowDown: 1 };

/** Lets the keys go through a tree that has the focus. @param {HTMLElement} element @param {Chooser} player */
export function listenInTree(element, player) {
  element.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    const view = move && player.view();
    if (!view || !isPlain(event)) return;
    event.preventDefault(); // the decision would scroll
    const order = inReadingOrder(view.step);
    const vertex = order[order.indexOf(view.choice?.vertex ?? decisionInView(view.step, null).vertex) + move];
    if (vertex !== undefined) player.choose({ vertex, about: false });
  });
}

/**
 * The root, and after each node its children: those on the path first, then by rank; the target's own token comes before its siblings.
 * @param {T.StepMessage} step
 */
function inReadingOrder({ tree }) {
  const all = { dots: false, ends: Infinity, tail: Infinity, siblings: Infinity, branches: false, open: new Set() };
  return itemsOf(tree, all).map(({ id }) => id);
}
