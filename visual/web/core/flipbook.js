// A picture that is another one at every step. Each that was drawn is kept for a while, out of the page, and so is what was drawn ahead:
// to put one of them in takes the browser a fifth of the time that drawing it takes.

/** @import { Layout, Point, Trace } from "../base/plotly_adapter.js" */
import { Plot } from "../base/plotly_adapter.js";

/**
 * @typedef {object} Page
 * @property {Plot} plot
 * @property {unknown[]} state what it depends on
 * @property {Promise<void>} ready
 * @typedef {() => { data: Trace[], layout: Layout }} Picture made only if it is to be drawn
 */

/** The pages of a picture, one of them in view. */
export class Flipbook {
  /**
   * @param {HTMLElement} host empty; has nothing but the page in view.
   * @param {(point: Point) => void} [onClick] told the point clicked.
   */
  constructor(host, onClick) {
    this.host = host;
    this.onClick = onClick;
    this.most = 1; // pages to keep besides the one in view
    /** @type {Page[]} */
    this.pages = []; // the one used last comes last
    /** @type {Page | null} */
    this.shown = null;
    /** @type {Page | null} */
    this.asked = null; // to be shown, as soon as it is drawn
    /** @type {MouseEvent | null} */
    this.pointer = null; // where it is, as long as it is over the picture
    host.addEventListener("pointermove", (event) => (this.pointer = event));
    host.addEventListener("pointerleave", () => (this.pointer = null));
  }

  /** The plot in view. */
  get plot() {
    if (!this.shown) throw new Error("nothing was drawn yet");
    return this.shown.plot;
  }

  /** @param {unknown[]} state what a picture depends on. */
  has(state) {
    return this.pages.some((page) => isSame(page.state, state));
  }

  /**
   * Puts a picture in, drawn before or now.
   *
   * @param {unknown[]} state
   * @param {Picture} picture
   */
  async show(state, picture) {
    const page = this.pageOf(state, picture);
    this.asked = page;
    await page.ready;
    const { shown, pointer } = this;
    if (page === shown || page !== this.asked) return;
    shown?.plot.leave();
    this.host.replaceChildren(page.plot.element);
    this.shown = page;
    if (pointer) page.plot.pointAt(pointer);
  }

  /**
   * Draws a picture for later.
   *
   * @param {unknown[]} state
   * @param {Picture} picture
   */
  async keep(state, picture) {
    await this.pageOf(state, picture).ready;
  }

  /**
   * @param {unknown[]} state
   * @param {Picture} picture
   */
  pageOf(state, picture) {
    const known = this.pages.find((page) => isSame(page.state, state));
    const page = known ?? this.free();
    if (!known) {
      const { data, layout } = picture();
      page.state = state;
      page.ready = page.plot.draw(data, layout);
    }
    this.pages = [...this.pages.filter((each) => each !== page), page];
    return page;
  }

  /**
   * A page to draw on, out of view: what is not in the page of the browser is drawn faster.
   *
   * @returns {Page}
   */
  free() {
    const others = this.pages.filter((page) => page !== this.shown);
    const old = others.slice(0, Math.max(0, 1 + others.length - this.most));
    this.pages = this.pages.filter((page) => !old.includes(page));
    return old[0] ?? { plot: new Plot(document.createElement("div"), this.onClick), state: [], ready: Promise.resolve() };
  }
}

/**
 * @param {unknown[]} one
 * @param {unknown[]} other
 */
const isSame = (one, other) => one.length === other.length && one.every((each, place) => each === other[place]);
