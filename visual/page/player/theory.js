// The theory beside the measurement: cells of a few lines, each a bar and a number.

import { make, panelOf } from "./dom.js";

const PROBABILITIES = new Set(["here", "acceptance", "bias"]); // on a scale from 0 to 1; the others on that of their largest

function written(value, cell) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) && cell === "rejections" ? String(value) : value.toFixed(value >= 99.5 ? 0 : value >= 9.995 ? 1 : 2);
}

export class Theory {
  constructor(box, kit) {
    Object.assign(this, { box, kit, cells: {} });
  }

  begin(names) {
    this.cells = Object.fromEntries(names.map((name) => [name, this.cell(name)]));
    this.box.replaceChildren(...Object.values(this.cells).map((cell) => cell.box));
  }

  cell(name) {
    const { label, lines } = this.kit.theory[name];
    const box = make("div", `ersd-cell ersd-cell-${name}`);
    const title = make("div", "ersd-label", label);
    const rows = lines.map((line) => {
      const row = make("div", `ersd-line ${line.theory ? "theory" : "measured"}`);
      row.title = `${line.theory ? "theory" : "measured"}: ${line.help}`;
      const bar = make("i");
      const value = make("b", "", "–");
      row.append(make("span", "", line.label), bar, value);
      return { row, bar, value };
    });
    box.append(title, ...rows.map(({ row }) => row));
    return { box, title, rows };
  }

  draw(step, vertex) {
    const here = panelOf(step, vertex)?.facts || [];
    for (const [name, cell] of Object.entries(this.cells)) {
      const values = name === "here" ? here : step.stats.theory[name] || [];
      const largest = PROBABILITIES.has(name) ? 1 : Math.max(1e-9, ...cell.rows.map((_, i) => values[i] || 0));
      cell.rows.forEach(({ bar, value }, i) => {
        value.textContent = written(values[i], name);
        bar.style.setProperty("--share", Math.min(1, (values[i] || 0) / largest));
      });
    }
    const entropy = step.stats.entropy;
    if (this.cells.calls) this.cells.calls.title.textContent = `${this.kit.theory.calls.label}${entropy ? ` · H[R] ${entropy.toFixed(2)}` : ""}`;
  }
}
