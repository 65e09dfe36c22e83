// Helpers for DOM elements: make one, find one, fill one, and the nearest one around an event.

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
 * @param {Element} root
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(root, selector) {
  const element = root.querySelector(selector);
  if (!element) throw new Error(`the player's template has no ${selector}`);
  return /** @type {HTMLElement} */ (element);
}

const CONTROLS = "a[href], button, input, select, textarea, [tabindex]";

/**
 * Draws what is in an element anew. If a control in it had the focus, the one that is now in its place gets it: of controls that share one tab
 * stop the one that is the stop.
 * @param {HTMLElement} element
 * @param {() => void} change
 */
export function keepFocus(element, change) {
  if (!element.contains(document.activeElement)) return change();
  const controls = () => /** @type {HTMLElement[]} */ ([...element.querySelectorAll(CONTROLS)]);
  const place = controls().findIndex((control) => control === document.activeElement);
  change();
  if (place < 0) return;
  const now = controls();
  const next = now.find((control) => control.getAttribute("tabindex") === "0") ?? now[Math.min(place, now.length - 1)];
  (next ?? /** @type {HTMLElement | null} */ (element.closest("[tabindex]")))?.focus({ preventScroll: true });
}

/** @param {HTMLElement} element @param {(Node | string)[]} parts */
export const refill = (element, ...parts) => keepFocus(element, () => element.replaceChildren(...parts));

/**
 * Turns a control on or off. One that is turned off would lose the focus, so another gets it.
 * @param {HTMLButtonElement} control
 * @param {boolean} isOff
 * @param {HTMLElement} heir
 */
export function turnOff(control, isOff, heir) {
  const hasFocus = isOff && control === document.activeElement;
  control.disabled = isOff;
  if (hasFocus) heir.focus({ preventScroll: true });
}

/**
 * Turns a button off while something runs; its focus comes back with it.
 * @param {HTMLButtonElement} button
 * @param {(done: () => void) => void} run
 */
export function offWhile(button, run) {
  const hasFocus = button === document.activeElement;
  button.disabled = true;
  run(() => {
    button.disabled = false;
    if (hasFocus && document.activeElement === document.body) button.focus({ preventScroll: true });
  });
}

/**
 * The nearest ancestor of an event's target, or the target itself, that matches a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function around(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/** Does the reader want nothing to move? */
export const prefersStill = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Scrolls to an element that begins below the middle of the window: on a phone what shows a run is below the controls, out of sight.
 * @param {HTMLElement} element
 */
export function bringUp(element) {
  if (element.getBoundingClientRect().top <= window.innerHeight / 2) return;
  element.scrollIntoView({ block: "start", behavior: prefersStill() ? "instant" : "smooth" });
}
