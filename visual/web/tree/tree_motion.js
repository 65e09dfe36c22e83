// A scene of the step as a filter over the finished tree: classes, outlines and transforms of Plotly's own elements, nothing drawn anew.

/** @import * as T from "../types" */
import { statesAt } from "../story/story.js";
import { at, itemOf } from "./items.js";
import { DOT } from "./lanes.js";
import { boxAround } from "./outlines.js";
import { wayTo } from "./tree_figure.js";

const FALL = "translate(8px, 16px) rotate(7deg)";
const DRAFTED_DOT = { width: DOT - 1, height: DOT - 1 };
const RING = 4; // pixels between a box and its ring
const IS_STYLED = typeof CSS !== "undefined" && CSS.supports("d", 'path("M 0 0")'); // outlines that move by themselves

/** @typedef {"absent" | "drafted" | "decided"} Known what is known of an item */

export class TreeMotion {
  /** @param {T.TreeLayout} layout @param {T.Figure} figure @param {T.Plot} plot */
  constructor(layout, figure, plot) {
    this.layout = layout;
    this.figure = figure;
    const shapes = plot.shapes();
    this.edges = figure.edges.map(({ items }, index) => ({ items, element: shapes[index] }));
    this.boxes = new Map(figure.boxes.map((item, index) => [item, shapes[figure.edges.length + index]]));
    for (const { element } of this.edges) element.classList.add("ersd-edge");
    for (const element of this.boxes.values()) element.classList.add("ersd-box");
    this.low = Math.min(...figure.boxes.map((item) => at(layout.looks, item).height)); // of every box before its decision
    const rest = figure.edges.length + figure.boxes.length;
    this.frame = shapes[rest];
    this.ring = shapes[rest + 1];
    const pieces = plot.pieces();
    const elementsOf = (/** @type {"points" | "texts"} */ part) =>
      new Map(
        Object.entries(figure.points).flatMap(([state, items]) => items.map((item, index) => [item, pieces.get(state)?.[part][index]])),
      );
    this.points = elementsOf("points");
    this.texts = elementsOf("texts");
  }

  /** @param {T.Story} story @param {T.Scene} scene @param {number} ringed the node whose decision is shown */
  show(story, scene, ringed) {
    const { layout } = this;
    const { items, isFolded } = layout;
    const isFinished = scene.phase === "text" || scene.settled === story.visits.length;
    const states = statesAt(story, scene);
    const decided = new Set(
      states.flatMap((state, vertex) => (["accepted", "rejected", "not reached", "target"].includes(state) ? [vertex] : [])),
    );
    const onPath = new Set([...decided].filter((vertex) => states[vertex] === "accepted" || states[vertex] === "target"));
    const spots = isFinished ? layout.spots : layout.spotsFor(onPath, decided);
    const falling = scene.phase === "walk" ? story.visits[scene.visit]?.vertex : undefined;
    const knownOf = (/** @type {T.Item} */ { id, state, hidden }) => {
      if (state === "root" || isFinished) return "decided";
      if (states[id] === "hidden") return "absent";
      return decided.has(id) && !hidden ? "decided" : "drafted";
    };
    const isSmall = (/** @type {T.Item} */ item) => isFolded && item.depth > 1 && knownOf(item) !== "decided";
    const looks = new Map(items.map((item) => [item, isSmall(item) ? DRAFTED_DOT : at(layout.looks, item)]));
    const isFalling = (/** @type {T.Item} */ item) =>
      !isFinished && knownOf(item) === "decided" && item.state === "rejected" && item.parent?.id === falling;
    for (const item of items) this.place(item, at(spots, item), knownOf(item), isSmall(item), isFalling(item));
    for (const { items: ends, element } of this.edges) {
      outline(element, ends.map((item) => wayTo(item, { ...layout, looks, spots })).join(" "));
      const item = ends[0];
      mark(element, knownOf(item));
      element.classList.toggle("fading", isFalling(item));
    }
    this.frame.style.clipPath = `inset(-9px ${((1 - scene.sweep) * 100).toFixed(1)}% -9px -9px)`;
    this.frame.classList.toggle("absent", scene.phase !== "score");
    const around = itemOf(items, ringed);
    this.ring.classList.toggle("absent", !around);
    if (!around) return;
    outline(this.ring, boxAround(at(spots, around), at(looks, around), RING));
  }

  /**
   * @param {T.Item} item
   * @param {T.Spot} spot
   * @param {Known} known
   * @param {boolean} isDot its box is a dot as long as it looks like all others
   * @param {boolean} isFalling
   */
  place(item, spot, known, isDot, isFalling) {
    const home = at(this.layout.spots, item);
    const look = at(this.layout.looks, item);
    const box = this.boxes.get(item);
    if (box) {
      const drafted = isDot ? DRAFTED_DOT : draftedSize(look, this.low);
      outline(box, boxAround(spot, known === "drafted" ? drafted : look));
      box.style.transform = isFalling ? FALL : "";
      mark(box, known);
    }
    const text = this.texts.get(item);
    if (text) {
      const shift = known === "drafted" && look.sign ? -0.55 * look.font : 0;
      const words = /** @type {SVGElement} */ (text.firstElementChild ?? text); // Plotly moves its parent
      words.style.transform = `translate(${spot.x - home.x + shift}px, ${spot.y - home.y}px)${isFalling ? ` ${FALL}` : ""}`;
      mark(text, isDot ? "absent" : known);
    }
    const point = this.points.get(item);
    if (!point) return;
    point.style.transform = item.isDot ? `translate(${spot.x}px, ${spot.y}px)` : ""; // Plotly uses an element again, for another item
    mark(point, item.isDot ? known : "decided");
  }
}

/** All drafted tokens look alike: the box of a bold label is no larger than the others. @param {T.Look} look @param {number} height */
function draftedSize({ width, font, isBold }, height) {
  return { width: isBold ? width - font * 0.6 : width, height };
}

/** @param {SVGElement} element @param {Known} known */
function mark(element, known) {
  element.classList.toggle("absent", known === "absent");
  element.classList.toggle("drafted", known !== "decided"); // also while it fades in
}

/** @param {SVGElement} element @param {string} path */
function outline(element, path) {
  if (IS_STYLED) element.style.setProperty("d", `path('${path}')`);
  else element.setAttribute("d", path);
}
