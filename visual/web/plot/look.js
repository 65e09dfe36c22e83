// How the page looks: light or dark, and the size of its letters. Pictures are drawn for it, and anew when it changes.

/** @import * as T from "../types" */
import { kitOfPage } from "../base/kit.js";
import { until } from "../base/lifetime.js";

/** @typedef {{ width: number, height: number, letter: number }} Size of an element and of the interface's letters in it, in pixels */
/** @typedef {Size & { palette: T.Palette }} PageLook */

/** Is the page a dark one? Gradio marks it so. */
const isDark = () => Boolean(document.querySelector("body.dark, html.dark"));

/** How the page looks at an element. @param {HTMLElement} element @returns {PageLook} */
export function lookOf(element) {
  const { clientWidth: width, clientHeight: height } = element;
  const letter = parseFloat(getComputedStyle(element).getPropertyValue("--letter")) || 13;
  return { palette: kitOfPage().palettes[isDark() ? "dark" : "light"], letter, width, height };
}

/**
 * Calls a function when an element has another size, and when the page becomes light or dark, or large for a room and back.
 * @param {AbortSignal} ended
 * @param {() => void} changed
 * @param {HTMLElement[]} elements
 * @returns {ResizeObserver} for elements that come later
 */
export function watchLook(ended, changed, elements) {
  const sizes = until(ended, new ResizeObserver(() => changed()));
  for (const element of elements) sizes.observe(element);
  const look = until(ended, new MutationObserver(() => changed()));
  look.observe(document.body, { attributes: true, attributeFilter: ["class"] });
  look.observe(document.documentElement, { attributes: true, attributeFilter: ["data-view"] });
  return sizes;
}

/**
 * Draws what depends on how the page looks at an element, again whenever that changes, and when it is asked for.
 * @param {AbortSignal} ended
 * @param {HTMLElement} element
 * @param {(look: PageLook) => unknown} draw
 * @returns {() => unknown} asks for it
 */
export function drawnByLook(ended, element, draw) {
  const redraw = () => draw(lookOf(element));
  watchLook(ended, redraw, [element]);
  return redraw;
}

/**
 * How the page looks at some elements. It is measured once and not while drawing: between two changes of the page each measurement costs a
 * layout of the whole page.
 * @template {Record<string, HTMLElement>} Elements
 */
export class Looks {
  /** @param {AbortSignal} ended @param {Elements} elements @param {(before: Record<keyof Elements, PageLook>) => void} changed */
  constructor(ended, elements, changed) {
    this.elements = elements;
    this.now = this.measured();
    watchLook(ended, () => this.refresh(changed), Object.values(elements));
  }

  measured() {
    const looks = Object.entries(this.elements).map(([name, element]) => [name, lookOf(element)]);
    return /** @type {Record<keyof Elements, PageLook>} */ (Object.fromEntries(looks));
  }

  /** @param {(before: Record<keyof Elements, PageLook>) => void} changed */
  refresh(changed) {
    const before = this.now;
    this.now = this.measured();
    if (JSON.stringify(this.now) !== JSON.stringify(before)) changed(before);
  }
}
