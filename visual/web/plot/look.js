// How the page looks: light or dark, and the size of its letters. Pictures are drawn for it, and anew when it changes.

/** @import * as T from "../types" */
import { kitOfPage } from "../base/kit.js";
import { until } from "../base/lifetime.js";

/** @typedef {{ palette: T.Palette, letter: number, width: number, height: number }} PageLook letters and size, in pixels, of an element */

/** Is the page a dark one? Gradio marks it so. */
const isDark = () => Boolean(document.querySelector("body.dark, html.dark"));

/** The colours of the page as it looks now. @param {{ light: T.Palette, dark: T.Palette }} palettes */
export const paletteOf = ({ light, dark }) => (isDark() ? dark : light);

/** Pixels of the interface's letters in an element. @param {Element} element */
export const letterOf = (element) => parseFloat(getComputedStyle(element).getPropertyValue("--letter")) || 13;

/** How the page looks at an element. @param {HTMLElement} element @returns {PageLook} */
export function lookOf(element) {
  const { clientWidth: width, clientHeight: height } = element;
  return { palette: paletteOf(kitOfPage().palettes), letter: letterOf(element), width, height };
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
