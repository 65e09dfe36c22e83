// What a tree's picture shows: a box or a dot for each token, and one box for each group of tokens that is folded away.

/** @import * as T from "../types" */

import { isolate } from "../base/format.js";

export const ROOT = -1;

/**
 * @typedef {object} Item
 * @property {string} key
 * @property {number} id its node; of a group its first one
 * @property {Item | null} parent null: the root
 * @property {Item[]} children those on the path first, then by rank
 * @property {number} depth columns from the root
 * @property {number} rank among its siblings
 * @property {T.VertexState | "root"} state
 * @property {string} name
 * @property {number} hidden tokens in a group; 0: a token
 * @property {number[]} folded the nodes of a group in the middle of the path
 * @property {boolean} isDot
 */

/**
 * @typedef {object} Folding
 * @property {boolean} dots tokens that were not reached, or were cut after another one, are dots
 * @property {number} ends tokens that stay at each end of a long path; those between are folded
 * @property {number} tail most dots in a row
 * @property {number} siblings most rejected siblings of one parent that are shown
 * @property {boolean} branches off the path only the likeliest continuation of each token is shown
 * @property {Set<string>} open keys of what a reader opened
 */

/** The items of a step's tree, parents first. @param {T.StepMessage["tree"]} tree @param {Folding} folding @returns {Item[]} */
export function itemsOf(tree, folding) {
  const { names, parents, states, draws, ranks, q } = tree;
  const rank = (/** @type {number} */ vertex) => (vertex < q.length ? ranks[vertex] : q.length + 1);
  const isOnPath = (/** @type {number} */ vertex) => states[vertex] === "accepted" || states[vertex] === "target";
  /** @type {Map<number, number[]>} */
  const below = new Map();
  parents.forEach((parent, vertex) => below.set(parent, [...(below.get(parent) ?? []), vertex]));
  for (const children of below.values())
    children.sort((one, other) => Number(isOnPath(other)) - Number(isOnPath(one)) || rank(one) - rank(other));
  const root = /** @type {Item} */ ({
    key: "root",
    id: ROOT,
    parent: null,
    children: [],
    depth: 0,
    rank: 1,
    state: "root",
    name: tree.root,
    hidden: 0,
    folded: [],
    isDot: false,
  });
  const items = [root];
  const skipped = middleOf(tree, folding);
  const add = (/** @type {Item} */ parent, /** @type {Partial<Item> & { id: number, key: string, name: string }} */ more) => {
    const item = /** @type {Item} */ ({
      parent,
      children: [],
      depth: parent.depth + 1,
      rank: rank(more.id),
      state: states[more.id],
      hidden: 0,
      folded: [],
      isDot: false,
      ...more,
    });
    parent.children.push(item);
    items.push(item);
    return item;
  };
  const grow = (/** @type {Item} */ parent, /** @type {number} */ vertex, isOpened = false) => {
    const children = below.get(vertex) ?? [];
    const rejected = children.filter((child) => states[child] === "rejected");
    const key = `siblings ${vertex}`;
    const most = folding.open.has(key) || rejected.length <= folding.siblings + 1 ? Infinity : folding.siblings;
    let shown = 0;
    for (const child of children) {
      if (skipped.has(child)) {
        const path = [...skipped];
        const group = { id: child, key: "path", name: `… ${path.length} more ✓`, hidden: path.length, folded: path };
        grow(add(parent, group), path[path.length - 1]);
        continue;
      }
      if (states[child] === "rejected" && ++shown > most) continue;
      if (folding.branches && !isOpened && (parent.isDot || parent.state === "rejected") && parent.children.length) continue;
      if (!isOpened && dotsBefore(parent) >= folding.tail) continue;
      const opens = isOpened || folding.open.has(`branch ${child}`);
      const times = (draws[child] ?? 1) > 1 ? ` ×${draws[child]}` : "";
      const item = add(parent, { id: child, key: `${child}`, name: isolate(names[child]) + times });
      const isLost = item.state === "not reached" || (item.state === "rejected" && parent.state === "rejected");
      item.isDot = folding.dots && !opens && isLost;
      grow(item, child, opens);
    }
    if (shown > most) add(parent, { id: rejected[most], key, name: `+${shown - most} rejected`, hidden: shown - most });
  };
  grow(root, ROOT);
  return items;
}

/** What is known of an item. @template T @param {Map<Item, T>} of @param {Item} item */
export const at = (of, item) => /** @type {T} */ (of.get(item));

/** The item of a node, also the one that it is folded into with the middle of the path. @param {Item[]} items @param {number} vertex */
export const itemOf = (items, vertex) =>
  items.find(({ id, hidden }) => id === vertex && !hidden) ?? items.find(({ folded }) => folded.includes(vertex));

/** The vertices in the middle of a path that is folded, from first to last. @param {T.StepMessage["tree"]} tree @param {Folding} folding */
function middleOf({ states }, { ends, open }) {
  const path = states.flatMap((state, vertex) => (state === "accepted" ? [vertex] : []));
  return new Set(!open.has("path") && path.length > 2 * ends + 1 ? path.slice(ends, -ends) : []);
}

/** How many dots stand in a row down to an item. @param {Item | null} item */
function dotsBefore(item) {
  let count = 0;
  for (let each = item; each?.isDot; each = each.parent) count += 1;
  return count;
}
