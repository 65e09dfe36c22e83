// The table of a comparison and its plot: tokens written against target calls.

/** @import * as T from "../types" */
import { resolve, withData } from "../plot/colours.js";
import { CostRatio, formatFactor, signOf, speedupAt } from "../figures/cost_ratio.js";
import { find } from "../base/dom.js";
import { FrameLoop } from "../plot/frame_loop.js";
import { drawnByLook } from "../plot/look.js";
import { Plot } from "../plot/plotly_adapter.js";
import { drawIn, headsOf } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";

const REST_MS = 150; // least time between drawings: the models need the processor
const SIGNS = ["①", "②", "③"]; // of the lines in the plot, which is not shown for more
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
    /** @type {T.Compare.CompareBegin | null} */
    this.message = null;
    /** @type {CostRatio | null} */
    this.ratio = null;
    this.redraw = () => {};
    this.ended = ended;
  }

  /** @param {string} part */
  part(part) {
    return document.getElementById(`${this.id}-${part}`);
  }

  /** @param {T.Compare.CompareBegin} message */
  begin(message) {
    const [table, element] = [this.part("table"), this.part("plot")];
    if (!table || !element) return;
    this.message = message;
    this.lanes = [];
    const about = ["All calls of one text", message.on_average, message.here].filter(Boolean);
    drawIn(table, {
      caption: about.join(" · "),
      thead: html`<tr>
        ${headsOf(COLUMNS)}
        <th scope="col" title=${message.here}>speed measured</th>
        <th scope="col">
          <span>expected at </span
          ><select aria-label="What a target call costs, in draft calls"></select>
        </th>
        <th scope="col">exact?</th>
      </tr>`,
    });
    if (!this.ratio) {
      this.ratio = new CostRatio(/** @type {HTMLSelectElement} */ (find(table, "select")), () => this.drawTable());
      const plot = new Plot(element);
      const draw = drawnByLook(this.ended, element, (look) => this.drawPlot(plot, look));
      const frames = new FrameLoop(
        async () => void (await draw()),
        () => REST_MS,
      );
      this.redraw = () => frames.request();
    }
    this.ratio.begin(message.elsewhere);
    this.drawTable();
  }

  /** @param {T.Compare.Lane[]} lanes */
  update(lanes) {
    this.lanes = lanes;
    this.drawTable();
    this.redraw();
  }

  drawTable() {
    const table = this.part("table");
    if (table && this.message) drawIn(table, { tbody: this.message.lanes.map((lane, place) => this.line(lane, place)) });
  }

  /** @param {T.Compare.LaneBegin} lane @param {number} place */
  line({ name, exact, average, place: own }, place) {
    const { row, text } = this.lanes[place] ?? {};
    // other guesses than those of the menu have their own costs, on this machine only, which comes first
    const costs = own && this.ratio?.index !== 0 ? null : (own ?? this.ratio?.place);
    const expected = costs && row?.basis ? speedupAt(costs, ...row.basis) : null;
    const figures = row
      ? [row.per_call, row.calls, row.tokens, row.accepted, row.ms, speed(row.factor), speed(expected?.factor ?? null)]
      : Array.from({ length: COLUMNS.length + 1 }, () => "–");
    const cells = figures.map((figure, column) => {
      const formula = column === figures.length - 1 && expected?.formula;
      return html`<td
        class=${figure.startsWith("▼") ? "slower" : nothing}
        data-average=${(column === 0 && average) || nothing}
        title=${formula || nothing}
        .textContent=${figure}
      ></td>`;
    });
    return html`<tr data-exact=${exact.kind} data-text=${text?.kind ?? ""}>
      <th class="lane-${place + 1}" scope="row" .textContent=${this.message?.one_text ? name : `${SIGNS[place]} ${name}`}></th>
      ${cells}
      <td title=${exact.words} .textContent=${exact.short}></td>
    </tr>`;
  }

  /** @param {number} position calls made. */
  draw(position) {
    this.position = position;
    this.redraw();
  }

  /** @param {Plot} plot @param {T.PageLook} look */
  async drawPlot(plot, { palette, width }) {
    if (!width || !this.lanes.length || this.message?.one_text) return;
    const lines = this.lanes.map(({ counts }) => cumulated(counts));
    const calls = Math.max(1, ...lines.map((y) => y.length - 1));
    const places = placesOfSigns(lines, (SIGN_ROOM * calls) / width);
    const traces = lines.map((y, place) => {
      const text = y.map((_, call) => (call === y.length - 1 ? SIGNS[place] : ""));
      const hovertext = y.map((tokens, call) => `${SIGNS[place]} call ${call}: ${tokens} tokens`);
      const data = { x: y.map((_, call) => call), y, text, hovertext, textposition: places[place] };
      return withData(resolve(this.kit.lines[place], palette), data, palette);
    });
    const layout = /** @type {Record<string, object>} */ (this.kit.layout);
    const tokens = Math.max(1, ...lines.map((y) => y[y.length - 1]));
    const whole = {
      ...layout,
      width,
      xaxis: { ...layout.xaxis, range: [0, calls * 1.04] },
      yaxis: { ...layout.yaxis, range: [0, tokens * 1.16] },
      shapes: [{ ...this.kit.here, x0: this.position, x1: this.position }],
    };
    await plot.draw(traces, resolve(whole, palette));
  }
}

/** A speed as a multiple of that without a draft, in words where it is slower. @param {number | null} factor */
function speed(factor) {
  if (factor === null) return formatFactor(factor);
  return signOf(factor) === "▼" ? `▼ ${formatFactor(factor)}× slower` : `${formatFactor(factor)}×`;
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
