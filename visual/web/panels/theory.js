// Theory next to measurement: cells of a few lines, each a bar and a number.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";

/**
 * @typedef {{ line: T.Line, label: HTMLElement, bar: HTMLElement, value: HTMLElement }} Row
 * @typedef {{ cell: T.Cell, title: HTMLElement, rows: Row[] }} Place the elements of a cell
 */

/** Draws the strip. */
export class Theory {
  /** @param {HTMLElement} box @param {T.Glossary} glossary */
  constructor(box, glossary) {
    this.glossary = glossary;
    this.box = box;
    /** @type {Place[]} */
    this.places = [];
  }

  /** @param {T.Cell[]} cells those of this run. */
  begin(cells) {
    this.box.replaceChildren();
    this.places = cells.map((cell) => placeOf(cell, this.box));
    this.glossary.mark(this.box.querySelectorAll(".ersd-line > span"));
  }

  /**
   * @param {T.Stats} stats
   * @param {T.Decision | null} decision the decision in view.
   */
  draw(stats, decision) {
    for (const { cell, title, rows } of this.places) {
      /** @type {Record<string, number | null | undefined>} */
      const values = (cell.of === "vertex" ? { ...decision?.facts } : stats.theory[cell.id]) ?? {};
      const largest = Math.max(1e-9, ...rows.map(({ line }) => values[line.id] ?? 0));
      const full = cell.scale === "probability" ? 1 : largest;
      for (const { line, label, bar, value } of rows) {
        const known = values[line.id];
        if (cell.id === "calls") this.glossary.write(label, stats.labels[line.id] ?? line.label);
        value.textContent = formatCell(known, line);
        bar.style.setProperty("--share", String(Math.min(1, (known ?? 0) / full)));
      }
      const note = stats.notes[cell.id];
      this.glossary.write(title, note ? `${cell.label} · ${note}` : cell.label);
    }
  }
}

/** @param {T.Cell} cell @param {HTMLElement} box @returns {Place} */
function placeOf(cell, box) {
  const element = make("div", `ersd-cell ersd-cell-${cell.id}`);
  const title = make("div", "ersd-label", cell.label);
  element.append(title);
  const rows = cell.lines.map((line) => {
    const source = line.theory ? "theory" : "measured";
    const row = make("div", `ersd-line ${source}`);
    row.title = `${source}: ${line.help}`;
    const bar = make("i");
    const value = make("b", "", "–");
    const label = make("span", "", line.label);
    row.append(label, bar, value);
    element.append(row);
    return { line, label, bar, value };
  });
  box.append(element);
  return { cell, title, rows };
}

/**
 * About three digits, so that a column keeps its width. A probability of 0.996 is not written 1.00, nor 0.004 as 0.00.
 * @param {number | null | undefined} value
 * @param {T.Line} line
 */
function formatCell(value, line) {
  if (value === null || value === undefined) return "–";
  if (line.whole && Number.isInteger(value)) return String(value);
  const fewer = [9.995, 99.5].filter((from) => value >= from).length;
  const isNearly = (value >= 0.995 && value < 1) || (value > 0 && value < 0.005);
  return `${line.least ? "≥ " : ""}${value.toFixed(isNearly ? 3 : 2 - fewer)}`;
}
