// Helpers for DOM elements: find one, keep the focus while others are turned off or clicked, the nearest one around an event, and downloads.

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

/** Offers what is at an address as a file. @param {string} address @param {string} name */
export function download(address, name) {
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  link.click();
}

/** Offers a text as a file. @param {string} text @param {string} type as servers name it @param {string} name */
export function downloadText(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  download(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * A mouse click leaves the focus where it is: on a button, space would press that button again.
 * @param {EventTarget} root
 * @param {string} [buttons] selector
 */
export function keepFocus(root, buttons = "button") {
  root.addEventListener("mousedown", (event) => {
    if (around(event, buttons)) event.preventDefault();
  });
}
