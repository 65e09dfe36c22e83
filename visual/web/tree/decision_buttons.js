// Numbered buttons over the edges of the path: each opens the decision that was made there.

/** @import * as T from "../types" */
import { make, refill } from "../base/dom.js";
import { isolated } from "../base/format.js";
import { at } from "./tree_figure.js";

const BUTTON = 24; // pixels at letter 13
const LAST = 24; // pixels past a box that nothing follows

/** The buttons of one player. */
export class DecisionButtons {
  /** @param {HTMLElement} panel @param {(choice: T.Choice) => void} onChoice */
  constructor(panel, onChoice) {
    this.onChoice = onChoice;
    this.list = make("ol", "ersd-decisions");
    this.label = make("span", "ersd-decisions-label");
    this.label.setAttribute("aria-hidden", "true");
    panel.append(this.label, this.list);
    /** @type {{ button: HTMLButtonElement, vertex: number, place: number }[]} */
    this.buttons = [];
  }

  /**
   * Makes the buttons of a step, one for each visited node whose edge is in the picture.
   * @param {T.Story} story
   * @param {T.TreeLayout} layout
   * @param {T.Kind} kind
   * @param {number} letter
   */
  draw({ visits }, layout, kind, letter) {
    const { isTurned, spots } = layout;
    const size = Math.round((BUTTON * letter) / 13);
    const path = pathOf(layout);
    this.label.textContent = kind.decisions.many;
    this.label.hidden = isTurned;
    this.list.setAttribute("aria-label", `${kind.decisions.many} of this step`);
    const top = at(spots, path[0]).y - at(layout.looks, path[0]).height / 2;
    const row = isTurned ? size / 2 + 4 : Math.max(size / 2 + 2, top - size / 2 - 12);
    this.buttons = visits.flatMap(({ vertex, decision }, place) => {
      const item = path.find(({ id, hidden }) => id === vertex && !hidden);
      if (!item) return [];
      const along = between(item, path[path.indexOf(item) + 1], layout);
      const button = make("button", "", `${place + 1}`);
      button.type = "button";
      button.title = isolated(decision.say);
      button.setAttribute("aria-label", `${kind.decisions.one} ${place + 1}`);
      button.style.setProperty("--size", `${size}px`);
      const pole = (isTurned ? at(spots, path[0]).x : at(spots, path[0]).y) - row - size / 2 - 3;
      button.style.setProperty("--pole", `${Math.max(0, pole)}px`);
      button.style.left = `${isTurned ? row : along}px`;
      button.style.top = `${isTurned ? along : row}px`;
      button.addEventListener("click", () => this.onChoice({ vertex, about: false }));
      return [{ button, vertex, place }];
    });
    this.label.style.top = `${row}px`;
    this.label.hidden ||= this.buttons.length > 0 && parseFloat(this.buttons[0].button.style.left) < 5 * letter + size / 2;
    this.list.classList.toggle("turned", isTurned);
    refill(
      this.list,
      ...this.buttons.map(({ button }) => {
        const entry = make("li");
        entry.append(button);
        return entry;
      }),
    );
  }

  /**
   * @param {T.Scene} scene
   * @param {number} shown the node whose decision is shown
   */
  show(scene, shown) {
    const reached = scene.phase === "text" ? Infinity : Math.max(0, scene.visit);
    const isDecided = (/** @type {number} */ place) => scene.phase === "text" || place < scene.settled;
    for (const { button, vertex, place } of this.buttons) {
      button.hidden = place > reached;
      button.classList.toggle("undecided", !isDecided(place));
      if (vertex === shown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }
}

/** @param {T.TreeLayout} layout */
function pathOf({ items }) {
  const path = [items[0]];
  for (let next = nextOf(items[0]); next; next = nextOf(next)) path.push(next);
  return path;
}

/** @param {T.Item} item */
const nextOf = ({ children }) => children.find(({ state }) => state === "accepted" || state === "target");

/**
 * The middle of the edge between two items, along the depth of the tree.
 * @param {T.Item} item
 * @param {T.Item | undefined} next
 * @param {T.TreeLayout} layout
 */
function between(item, next, { looks, spots, isTurned }) {
  const [axis, side] = isTurned ? /** @type {const} */ (["y", "height"]) : /** @type {const} */ (["x", "width"]);
  const end = at(spots, item)[axis] + at(looks, item)[side] / 2;
  return next ? (end + at(spots, next)[axis] - at(looks, next)[side] / 2) / 2 : end + (isTurned ? LAST / 3 : LAST);
}
