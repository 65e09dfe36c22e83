// The table below the plot, which is its legend too, and the same numbers as a file.

/** @import * as T from "../types" */
import { decimal, sum } from "../base/numbers.js";
import { cellsOf, drawIn, headsOf, plain } from "../base/templates.js";
import { html } from "../lit-html.js";
import { curvesOf } from "./picture.js";
import { fastest, speeds } from "./speed.js";

const SYMBOLS = /** @type {Record<string, string>} */ ({ circle: "●", "triangle-up": "▲", square: "■", "circle-open": "○" });
const SHOWN_TOKEN = 16; // single tokens: the row of shares that has this one

/** @param {HTMLElement} table @param {T.Drawing} drawing @param {T.Curves.CurvesKit} kit */
export function drawTable(table, drawing, kit) {
  const columns = drawing.temperatures.map((temperature) => columnsOf(temperature, drawing, kit));
  const rows = Object.entries(kit.curves).map(
    ([name, { symbol, label, about }]) =>
      html`<tr class="curve-${name}">
        <th scope="row"><i .textContent=${SYMBOLS[symbol]}></i> ${plain(label)}</th>
        <td class="curves-what" .textContent=${about}></td>
        ${columns.map(({ cells }) => cellsOf(cells(name)))}
      </tr>`,
  );
  drawIn(table, {
    thead: html`<tr>
        <td></td>
        <td class="curves-what"></td>
        ${columns.map(({ title, heads }) => html`<th scope="colgroup" colspan=${heads.length} .textContent=${title}></th>`)}
      </tr>
      <tr>
        <td></td>
        <td class="curves-what"></td>
        ${columns.map(({ heads }) => headsOf(heads))}
      </tr>`,
    tbody: rows,
  });
}

/**
 * The columns of one temperature.
 * @param {number} temperature
 * @param {T.Drawing} drawing
 * @param {T.Curves.CurvesKit} kit
 * @returns {{ title: string, heads: string[], cells: (curve: string) => string[] }}
 */
function columnsOf(temperature, drawing, kit) {
  const { view, costs, points } = drawing;
  const lines = drawing.lines.find((each) => each.temperature === temperature);
  const own = points.filter((point) => point.temperature === temperature);
  const at = `Temperature ${temperature}`;
  if (view === "speed") {
    const cells = (/** @type {string} */ curve) => {
      if (!lines) return ["–", "–"];
      const { k, speed } = fastest(speeds(curve, lines.curves[curve], costs));
      return [k === kit.most ? `${k} or more` : String(k), `${decimal(speed, 2)}×`];
    };
    return { title: at, heads: ["best k", "speed"], cells };
  }
  const k = Math.max(...points.map((point) => point.k), 0) || kit.most;
  const pointOf = (/** @type {string} */ curve) => own.find((point) => point.curve === curve && point.k === k);
  if (view === "accepted") {
    const cells = (/** @type {string} */ curve) => [
      lines ? decimal(lines.curves[curve].accepted[k - 1], 2) : "–",
      measured(pointOf(curve)?.accepted, 1, 2),
    ];
    return { title: `${at}, ${k} drafted`, heads: ["expected", "measured"], cells };
  }
  const shareOf = (/** @type {string} */ curve) => pointOf(curve)?.next.find((share) => share.first === first);
  const [first, last] = sharesShown(own.flatMap((point) => point.next)) ?? [SHOWN_TOKEN / 2 + 1, SHOWN_TOKEN];
  const cells = (/** @type {string} */ curve) => [
    lines ? `${decimal(100 * meanOf(lines.curves[curve].next, first, last), 1)}%` : "–",
    measured(shareOf(curve), 100, 1, "%"),
  ];
  return { title: `${at}, ${first === last ? `token ${first}` : `tokens ${first} to ${last}`}`, heads: ["expected", "measured"], cells };
}

/** @param {T.Curves.Measured | undefined} value @param {number} factor @param {number} decimals @param {string} unit */
function measured(value, factor, decimals, unit = "") {
  if (!value) return "–";
  const error = value.error === null ? "" : ` ± ${decimal(2 * factor * value.error, decimals)}`;
  return `${decimal(factor * value.mean, decimals)}${error}${unit}`;
}

/** @param {T.Curves.Shares[]} shares */
function sharesShown(shares) {
  const last = Math.max(...shares.filter((share) => share.last <= SHOWN_TOKEN).map((share) => share.last));
  const found = shares.find((share) => share.last === last);
  return found && /** @type {const} */ ([found.first, found.last]);
}

/** @param {number[]} values of the 1st, 2nd, … token @param {number} first @param {number} last */
function meanOf(values, first, last) {
  return sum(values.slice(first - 1, last)) / (last - first + 1);
}

/** The numbers of a view as CSV. @param {T.Drawing} drawing @param {T.Curves.CurvesKit} kit */
export function csv(drawing, kit) {
  const { view, points } = drawing;
  const rows = [["temperature", "method", "k", view === "speed" ? "speed-up" : "expected", "measured", "standard error", "calls"]];
  for (const lines of drawing.lines) {
    for (const { name, style, x, y } of curvesOf(drawing, lines, kit)) {
      const own = points.filter((point) => point.curve === name && point.temperature === lines.temperature);
      x.forEach((k, place) => {
        const found = view === "accepted" && own.find((point) => point.k === k);
        const more = found ? [found.accepted.mean, found.accepted.error ?? "", found.calls] : ["", "", ""];
        rows.push([lines.temperature, style.label, k, Number(y[place].toPrecision(6)), ...more].map(String));
      });
      if (view === "next") rows.push(...shareRows(lines, style.label, own));
    }
    if (view === "accepted") {
      rows.push(...lines.limit.map((value, place) => [lines.temperature, "limit", place + 1, value ?? "", "", "", ""].map(String)));
    }
  }
  return `${rows.map((row) => row.join(",")).join("\n")}\n`;
}

/**
 * Measured shares; tokens that were counted together stand as "3-4".
 * @param {T.Curves.Lines} lines
 * @param {string} label
 * @param {T.Curves.Point[]} points
 */
function shareRows({ temperature }, label, points) {
  const largest = points.toSorted((one, other) => other.k - one.k).slice(0, 1);
  return largest.flatMap(({ next, calls }) =>
    next.map(({ first, last, mean, error }) =>
      [temperature, label, first === last ? first : `${first}-${last}`, "", mean, error ?? "", calls].map(String),
    ),
  );
}
