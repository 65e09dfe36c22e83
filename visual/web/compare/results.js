// The table of a comparison and its plot: tokens written against target calls.

/** @import * as T from "../types" */
import { fill, resolve } from "../base/colours.js";
import { CostRatio, speedupAt, formatFactor } from "../panels/cost_ratio.js";
import { make } from "../base/dom.js";
import { FrameLoop } from "../base/frame_loop.js";
import { kitOfPage } from "../base/kit.js";
import { paletteOf, watchLook } from "../base/look.js";
import { Plot } from "../base/plotly_adapter.js";

const REST_MS = 150; // least time between drawings: the models need the processor
const SIGNS = ["①", "②", "③"];
const SIGN_ROOM = 24; // pixels from the end of a line to the next, so that their signs do not touch
const COLUMNS = ["method", "tokens per call", "calls", "tokens", "accepted", "ms per token"];

/** Draws table and plot once their elements are on the page. */
export class Results {
  /**
   * @param {string} id of the board; the table is `<id>-table`, the plot `<id>-plot`.
   * @param {T.Compare.BoardKit} kit
   * @param {AbortSignal} ended
   */
  constructor(id, kit, ended) {
    this.id = id;
    this.kit = kit;
    /** @type {T.Compare.Lane[]} */
    this.lanes = [];
    this.position = 0;
    /** @type {CostRatio | null} */
    this.ratio = null;
    /** @type {Plot | null} */
    this.plot = null;
    this.frames = new FrameLoop(
      () => this.drawPlot(),
      () => REST_MS,
    );
    this.sizes = watchLook(ended, () => this.frames.request(), []);
  }

  /** @param {string} part */
  part(part) {
    return document.getElementById(`${this.id}-${part}`);
  }

  /** @param {T.Compare.CompareBegin} message */
  begin({ lanes, elsewhere, here, on_average: onAverage }) {
    const table = this.part("table");
    const plot = this.part("plot");
    if (!table || !plot) return;
    this.sizes.observe(plot);
    if (!this.ratio) this.ratio = this.head(table);
    this.ratio.begin(elsewhere);
    table.querySelectorAll("[data-here]").forEach((cell) => cell.setAttribute("title", here));
    const about = ["All calls of one text", onAverage, here].filter(Boolean);
    table.querySelector("caption")?.replaceChildren(about.join(" · "));
    const rows = lanes.map((lane, place) => {
      const row = make("tr");
      const name = make("th", `lane-${place + 1}`, `${SIGNS[place]} ${lane.name}`);
      name.scope = "row";
      row.append(name, ...Array.from({ length: COLUMNS.length + 2 }, () => make("td", "", "–")));
      if (lane.average) /** @type {HTMLElement} */ (row.children[1]).dataset.average = lane.average;
      row.dataset.exact = lane.exact.kind;
      const exact = /** @type {HTMLElement} */ (row.children[COLUMNS.length + 2]);
      exact.textContent = lane.exact.short;
      exact.title = lane.exact.words;
      return row;
    });
    table.querySelector("tbody")?.replaceChildren(...rows);
  }

  /** @param {HTMLElement} table @returns {CostRatio} */
  head(table) {
    const head = make("tr");
    head.append(...COLUMNS.map((words) => make("th", "", words)));
    const [here, there, exact] = ["speed measured", "", "exact?"].map((words) => make("th", "", words));
    const menu = make("select");
    menu.ariaLabel = "What a target call costs, in draft calls";
    there.append(make("span", "", "expected at "), menu);
    here.dataset.here = "";
    head.append(here, there, exact);
    table.querySelector("thead")?.replaceChildren(head);
    return new CostRatio(menu, () => this.drawTable());
  }

  /** @param {T.Compare.Lane[]} lanes */
  update(lanes) {
    this.lanes = lanes;
    this.drawTable();
    this.frames.request();
  }

  drawTable() {
    const rows = [...(this.part("table")?.querySelectorAll("tbody tr") ?? [])];
    this.lanes.forEach(({ row, text }, place) => {
      const cells = rows[place]?.children;
      if (!row || !cells) return;
      const expected = this.ratio?.place && row.basis ? speedupAt(this.ratio.place, ...row.basis) : null;
      const figures = [row.per_call, row.calls, row.tokens, row.accepted, row.ms, speed(row.factor), speed(expected?.factor ?? null)];
      figures.forEach((figure, column) => {
        cells[column + 1].textContent = figure;
        cells[column + 1].classList.toggle("slower", figure.startsWith("▼"));
      });
      /** @type {HTMLElement} */ (cells[figures.length]).title = expected?.formula ?? "";
      /** @type {HTMLElement} */ (rows[place]).dataset.text = text?.kind ?? "";
    });
  }

  /** @param {number} position calls made. */
  draw(position) {
    this.position = position;
    this.frames.request();
  }

  async drawPlot() {
    const element = this.part("plot");
    if (!element?.clientWidth || !this.lanes.length) return;
    this.plot ??= new Plot(element);
    const palette = paletteOf(kitOfPage().palettes);
    const lines = this.lanes.map(({ counts }) => cumulated(counts));
    const calls = Math.max(1, ...lines.map((y) => y.length - 1));
    const places = placesOfSigns(lines, (SIGN_ROOM * calls) / element.clientWidth);
    const traces = lines.map((y, place) => {
      const text = y.map((_, call) => (call === y.length - 1 ? SIGNS[place] : ""));
      const hovertext = y.map((tokens, call) => `${SIGNS[place]} call ${call}: ${tokens} tokens`);
      return fill(
        resolve(this.kit.lines[place], palette),
        {
          x: y.map((_, call) => call),
          y,
          text,
          hovertext,
          textposition: places[place],
        },
        palette,
      );
    });
    const layout = /** @type {Record<string, object>} */ (this.kit.layout);
    const tokens = Math.max(1, ...lines.map((y) => y[y.length - 1]));
    const here = { ...this.kit.here, x0: this.position, x1: this.position };
    const whole = {
      ...layout,
      width: element.clientWidth,
      xaxis: { ...layout.xaxis, range: [0, calls * 1.04] },
      yaxis: { ...layout.yaxis, range: [0, tokens * 1.16] },
      shapes: [here],
    };
    await this.plot.draw(traces, resolve(whole, palette));
  }
}

/** A speed as a multiple of that without a draft, in words where it is slower. @param {number | null} factor */
function speed(factor) {
  const written = formatFactor(factor);
  if (factor === null) return written;
  return Number(written) < 1 ? `▼ ${written}× slower` : `${written}×`;
}

/**
 * Position of each line's sign: above its end, or to its side where another line ends nearby.
 * @param {number[][]} lines
 * @param {number} near calls.
 */
function placesOfSigns(lines, near) {
  const places = lines.map(() => "top center");
  const order = lines.map((_, place) => place).sort((one, other) => lines[one].length - lines[other].length);
  let inRow = 0; // earlier ends near this one
  order.forEach((place, rank) => {
    const before = order[rank - 1];
    inRow = rank > 0 && lines[place].length - lines[before].length < near ? inRow + 1 : 0;
    if (!inRow) return;
    if (inRow === 1) places[before] = "top left";
    places[place] = inRow === 1 ? "top right" : "bottom right";
  });
  return places;
}

/** Cumulative tokens, starting with 0. @param {number[]} counts */
function cumulated(counts) {
  let all = 0;
  return [0, ...counts.map((tokens) => (all += tokens))];
}
