// How long a part of the page lives. What would outlive its element, a listener of the document, an observer or a timer, ends with the signal.

const MARK = "ersd-lifetime"; // an element whose removal browsers report

/** A signal that is aborted when an element is taken out of the page; not when it is moved. @param {HTMLElement} root */
export function lifetimeOf(root) {
  if (!customElements.get(MARK)) customElements.define(MARK, reporter());
  const ended = new AbortController();
  const mark = document.createElement(MARK);
  mark.hidden = true;
  mark.addEventListener("removed", () => ended.abort(), { once: true });
  root.append(mark);
  return ended.signal;
}

/** The class of such an element, made where there are elements. */
const reporter = () =>
  class extends HTMLElement {
    disconnectedCallback() {
      queueMicrotask(() => this.isConnected || this.dispatchEvent(new Event("removed")));
    }
  };

/**
 * Lets an observer end with a signal.
 * @template {{ disconnect: () => void }} Observer
 * @param {AbortSignal} ended
 * @param {Observer} observer
 */
export function until(ended, observer) {
  ended.addEventListener("abort", () => observer.disconnect());
  return observer;
}
