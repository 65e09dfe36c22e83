// Helpers for DOM elements: make one, find one, and the nearest one around an event.

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} tag
 * @param {string} [className]
 * @param {string} [text] set as text, never as HTML.
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * Text that a model or a user wrote: of any direction, and not for a browser's translator.
 *
 * @param {string} text
 * @param {string} [className]
 */
export function foreign(text, className) {
  const element = make("bdi", className, text);
  element.translate = false;
  return element;
}

/**
 * The element inside `root` that matches a selector; an Error if the template has none.
 *
 * @param {Element} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(root, selector) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`the player's template has no ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

/**
 * The nearest ancestor of an event's target, or the target itself, that matches a selector.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Does an element begin below the middle of the window?
 *
 * @param {HTMLElement} element
 */
export const isBelow = (element) => element.getBoundingClientRect().top > window.innerHeight / 2;
