// The speed with the call costs of other machines and pairs, in a section that opens on demand.

/** @import * as T from "../types" */
import { CostRatio, speedupAt, formatFactor } from "./cost_ratio.js";
import { find } from "../base/dom.js";
import { timesOf } from "./figures.js";

export class SpeedDetails {
  /** @param {HTMLElement} details */
  constructor(details) {
    this.details = /** @type {HTMLDetailsElement} */ (details);
    this.ratio = new CostRatio(/** @type {HTMLSelectElement} */ (find(details, "select")), () => this.drawElsewhere());
    this.other = find(details, ".ersd-other");
    this.formula = find(details, ".ersd-formula");
    this.source = find(details, ".ersd-source");
    this.step = find(details, ".ersd-step-ms");
    /** @type {T.Speedup | null} */
    this.shown = null;
  }

  /** @param {T.BeginMessage} message */
  begin({ elsewhere }) {
    this.ratio.begin(elsewhere);
  }

  open() {
    this.details.open = true;
    this.details.scrollIntoView({ block: "nearest" });
    this.ratio.menu.focus({ preventScroll: true });
  }

  /** @param {T.PanelView} view */
  draw({ step, counted, soFar, isFinished }) {
    this.shown = counted?.speedup ?? null;
    const times = isFinished ? timesOf(step, soFar.newest.speedup.alone) : ""; // not known before
    this.step.textContent = times && `This step: ${times}`;
    this.drawElsewhere();
  }

  drawElsewhere() {
    const { place } = this.ratio;
    const found = place && this.shown?.basis ? speedupAt(place, ...this.shown.basis) : null;
    this.other.textContent = found ? `${formatFactor(found.factor)}× expected` : "–";
    this.formula.textContent = found?.formula ?? "";
    this.source.textContent = place?.source ?? "";
    this.source.title = place?.help ?? "";
  }
}
