// The visible part of a tree in its scrolling panel, and the edges past which the tree goes on.

/** @import { Size } from "../core/pictures.js" */
/** @import { Drawing } from "./tree_overlay.js" */

export const HALF_HEIGHT = 10; // pixels above and below the middle of a vertex
const HALF_MARKER = 6; // pixels left and right of the middle of one without a box, without its label

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Seen a part of the picture, in its pixels */

/** The scroll position and size of the panel. */
export class Viewport {
  /**
   * @param {HTMLElement} element the tree's panel.
   * @param {() => void} onScroll
   */
  constructor(element, onScroll) {
    this.element = element;
    this.scrolled = { left: 0, top: 0 }; // from the scroll event: reading it while drawing would cost a layout of the page
    /** @type {Size} */
    this.panel = { width: 0, height: 0 };
    element.addEventListener("scroll", () => {
      this.scrolled = { left: element.scrollLeft, top: element.scrollTop };
      onScroll();
    });
  }

  /** Scrolls to the start of the picture, unless it is there already: even that would cost a layout of the page. */
  toStart() {
    const { left, top } = this.scrolled;
    if (!left && !top) return;
    this.element.scrollTo(0, 0);
    this.scrolled = { left: 0, top: 0 };
  }

  /** @returns {Seen} */
  get seen() {
    const { left, top } = this.scrolled;
    return { left, top, right: left + this.panel.width, bottom: top + this.panel.height };
  }
}

/**
 * Positions and half widths of the vertices.
 *
 * @param {Drawing} drawing
 * @param {number} bare half width of a vertex without a box, pixels.
 */
export function boxesOf({ tree, spotOf }, bare) {
  return tree.vertices.map((vertex) => ({ ...spotOf(vertex), half: tree.style.boxes ? tree.half(vertex) : bare }));
}

/**
 * The edges past which vertices of this step lie. The panel fits the run's largest tree and is often empty there.
 *
 * @param {Drawing} drawing
 * @param {Seen} seen
 */
export function hiddenEdges(drawing, { left, top, right, bottom }) {
  const boxes = boxesOf(drawing, HALF_MARKER);
  const beyond = {
    left: boxes.some(({ x, half }) => x - half < left),
    right: boxes.some(({ x, half }) => x + half > right),
    above: boxes.some(({ y }) => y - HALF_HEIGHT < top),
    below: boxes.some(({ y }) => y + HALF_HEIGHT > bottom),
  };
  return Object.entries(beyond).flatMap(([edge, isSo]) => (isSo ? [edge] : []));
}
