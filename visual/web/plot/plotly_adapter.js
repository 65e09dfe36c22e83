// The only module that calls Plotly, and the only one that uses its private names, which begin with an underscore. Checked with plotly.js 4.1.1 (assets/plotly, the partial bundle with scatter and bar traces). With another version look at these:
// `element._fullLayout` is there once a plot was drawn and holds the axes; `element._context` holds the configuration in use, in it
// `_hasZeroWidth` and `_hasZeroHeight`. d3 keeps the data of an element in `__data__`.

/**
 * @typedef {Record<string, unknown>} Trace
 * @typedef {Record<string, unknown>} Layout
 * @typedef {{ customdata?: unknown }} Point
 * @typedef {{ group: SVGElement, points: SVGElement[], texts: SVGElement[] }} Piece  a drawn trace: bars or markers, and texts, by the index of the point
 * @typedef {object} Plotted
 * @property {unknown} [_fullLayout]
 * @property {{ _hasZeroWidth: boolean, _hasZeroHeight: boolean }} _context
 * @property {(event: "plotly_click", handler: (event: { points: Point[] }) => void) => void} on
 * @typedef {SVGElement & { __data__?: { i?: number, trace?: { name?: string } } & { trace?: { name?: string } }[] }} Drawn
 * @typedef {object} Plotly
 * @property {(element: HTMLElement, data: Trace[], layout: Layout, config?: Record<string, unknown>) => Promise<unknown>} react
 * @property {{ unhover: (element: HTMLElement) => void }} Fx
 * @property {(figure: { data: Trace[], layout: Layout }, options: { format: "png" | "svg", width: number, height: number, scale: number }) => Promise<string>} toImage
 */

const CONFIG = { displayModeBar: false, responsive: false, doubleClick: false, showTips: false };

const FOR_POINTER = ".draglayer, .hoverlayer, .zoomlayer, .menulayer";

let clips = 0; // names of clipping paths, unique on the page

/** @type {Plotly | undefined} */
let plotly;

/** The library as first found: other parts of a page may load another version later. @returns {Plotly} */
function library() {
  plotly ??= /** @type {Window & { Plotly?: Plotly }} */ (window).Plotly;
  if (!plotly) throw new Error("Plotly is not loaded");
  return plotly;
}

/** One Plotly picture in one element. */
export class Plot {
  /**
   * @param {HTMLElement} element empty, in the page or not; its size is the layout's.
   * @param {(point: Point) => void} [onClick] gets the point clicked: of several on top of one another the first with customdata.
   */
  constructor(element, onClick) {
    this.element = /** @type {HTMLElement & Plotted} */ (element);
    this.onClick = onClick;
    element.translate = false; // a translator would take the nodes that Plotly goes on to use
    /** @type {MouseEvent | null} */
    this.pointer = null; // its last move, while it is over the picture
    element.addEventListener("pointermove", (event) => (this.pointer = event));
    element.addEventListener("pointerleave", () => (this.pointer = null));
  }

  /** Draws, for the first time or anew. @param {Trace[]} data @param {Layout} layout with width and height. */
  async draw(data, layout) {
    const { element } = this;
    const first = !element._fullLayout;
    if (this.pointer) library().Fx.unhover(element); // the label of what is replaced
    const seen = data.map((trace) => (isEmpty(trace) ? { ...trace, visible: false } : trace)); // or Plotly would work on it as on any other
    const drawn = first ? library().react(element, seen, layout, CONFIG) : library().react(element, seen, layout);
    // every size is in the layout; measuring it before each drawing would cost Plotly a layout of the whole page
    Object.assign(element._context, { _hasZeroWidth: true, _hasZeroHeight: true });
    await drawn;
    if (first) this.listen();
    if (this.pointer) this.hover(this.pointer);
  }

  listen() {
    const { onClick } = this;
    if (!onClick) return;
    this.element.on("plotly_click", ({ points }) => {
      const point = points.find(({ customdata }) => customdata !== undefined);
      if (point) onClick(point);
    });
  }

  /**
   * Repeats the last move of a pointer that rests on the picture, so that the label and the target of a click are those of the new drawing.
   * @param {{ clientX: number, clientY: number }} pointer
   */
  hover({ clientX, clientY }) {
    const under = document.elementFromPoint(clientX, clientY);
    if (under && this.element.contains(under)) under.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY, bubbles: true }));
  }

  /** The drawn traces by name. @returns {Map<string, Piece>} */
  pieces() {
    /** @type {Map<string, Piece>} */
    const found = new Map();
    for (const group of /** @type {Iterable<Drawn>} */ (this.element.querySelectorAll("g.trace"))) {
      const name = group.__data__?.[0]?.trace?.name;
      if (name) found.set(name, { group, points: byIndex(group, ".point"), texts: byIndex(group, ".textpoint") });
    }
    return found;
  }

  /** The drawn shapes, in their order. */
  shapes() {
    const shapes = /** @type {SVGElement[]} */ ([...this.element.querySelectorAll(".shapelayer path[data-index]")]);
    return shapes.sort((one, other) => Number(one.dataset.index) - Number(other.dataset.index));
  }

  /**
   * Shows only a part of an element.
   * @param {SVGElement} element
   * @param {{ x: number, y: number, width: number, height: number } | null} box pixels of the picture; null: all
   */
  clip(element, box) {
    if (!box) {
      element.style.clipPath = "";
      return;
    }
    const svg = element.ownerSVGElement;
    if (!svg) return;
    element.dataset.clip ??= `ersd-clip-${(clips += 1)}`;
    let path = svg.querySelector(`#${element.dataset.clip}`);
    if (!path) {
      const make = (/** @type {string} */ tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
      path = make("clipPath");
      path.id = element.dataset.clip;
      path.append(make("rect"));
      svg.append(path);
    }
    for (const [name, value] of Object.entries(box)) path.firstElementChild?.setAttribute(name, String(Math.max(0, value)));
    element.style.clipPath = `url(#${path.id})`;
  }
}

/** The picture drawn in a part of the page. @param {Element} root @returns {HTMLElement | null} */
export const plotIn = (root) => root.querySelector(".js-plotly-plot");

/** What a picture is made of, without what is there for the pointer, and its size. @param {HTMLElement} element that a Plot has drawn in */
export function partsOf(element) {
  const papers = [...element.querySelectorAll("svg.main-svg")]; // one above the other
  const [width, height] = ["width", "height"].map((side) => papers[0]?.getAttribute(side) ?? "0");
  return { width, height, parts: papers.flatMap((paper) => [...paper.children]).filter((part) => !part.matches(FOR_POINTER)) };
}

/** The elements of a trace's points, by their index. @param {SVGElement} group @param {string} selector */
function byIndex(group, selector) {
  /** @type {SVGElement[]} */
  const found = [];
  for (const element of /** @type {Iterable<Drawn>} */ (group.querySelectorAll(selector))) found[element.__data__?.i ?? 0] = element;
  return found;
}

const SHARPNESS = 3; // pixels of a saved image for each on the screen

/**
 * The address of an image of a picture.
 * @param {Trace[]} data
 * @param {Layout} layout with width and height.
 * @param {"png" | "svg"} format
 */
export function image(data, layout, format) {
  const { width, height } = /** @type {{ width: number, height: number }} */ (layout);
  return library().toImage({ data, layout }, { format, width, height, scale: format === "png" ? SHARPNESS : 1 });
}

/** @param {Trace} trace */
const isEmpty = ({ x }) => Array.isArray(x) && x.length === 0;
