// Theory next to measurement: cells of a few lines, each a bar and a number.

/** @import * as T from "../types" */
import { draw } from "../base/templates.js";
import { html } from "../lit-html.js";

export class Theory {
  /** @param {HTMLElement} box @param {T.Glossary} glossary */
  constructor(box, glossary) {
    this.glossary = glossary;
    this.box = box;
    /** @type {T.Cell[]} */
    this.cells = [];
  }

  /** @param {T.BeginMessage} message */
  begin({ theory }) {
    this.cells = theory;
    this.show(undefined, null);
  }

  /** @param {T.PanelView} view */
  draw({ step, before, isFinished, shown }) {
    this.show((isFinished ? step : (before ?? step)).stats, shown.decision);
  }

  /** @param {T.Stats | undefined} stats undefined: none yet @param {T.Decision | null} decision in view */
  show(stats, decision) {
    const cells = this.cells.map((cell) => this.cellOf(cell, stats, decision));
    draw(this.box, cells);
  }

  /** @param {T.Cell} cell @param {T.Stats | undefined} stats @param {T.Decision | null} decision */
  cellOf(cell, stats, decision) {
    /** @type {Record<string, number | null | undefined>} */
    const values = (cell.of === "vertex" ? { ...decision?.facts } : stats?.theory[cell.id]) ?? {};
    const largest = Math.max(1e-9, ...cell.lines.map(({ id }) => values[id] ?? 0));
    const full = cell.scale === "probability" ? 1 : largest;
    const lines = cell.lines.map((line) => {
      const source = line.theory ? "theory" : "measured";
      const label = (cell.id === "calls" && stats?.labels[line.id]) || line.label;
      const share = Math.min(1, (values[line.id] ?? 0) / full);
      return html`<div class="ersd-line ${source}" title="${source}: ${line.help}">
        <span>${this.glossary.marked(label)}</span><i style="--share: ${share}"></i
        ><b .textContent=${formatCell(values[line.id], line)}></b>
      </div>`;
    });
    const note = stats?.notes[cell.id];
    const title = this.glossary.marked(note ? `${cell.label} · ${note}` : cell.label);
    return html`<div class="ersd-cell ersd-cell-${cell.id}">
      <div class="ersd-label">${title}</div>
      ${lines}
    </div>`;
  }
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
