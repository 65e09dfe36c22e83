// The speed-up over decoding without a draft: on this machine, of this step, and with the call costs of other pairs.

/** @import { Elsewhere, Speedup } from "../base/types.js" */
import { CostRatio, reckoned, times } from "./cost_ratio.js";
import { find } from "../base/dom.js";

/** Draws the strip under the tiles. */
export class SpeedupStrip {
  /** @param {HTMLElement} strip */
  constructor(strip) {
    this.strip = strip;
    this.value = find(strip, ".ersd-factor");
    this.words = find(strip, ".ersd-worth");
    this.step = find(strip, ".ersd-step-ms");
    this.ratio = new CostRatio(/** @type {HTMLSelectElement} */ (find(strip, "select")), () => this.drawElsewhere());
    this.other = find(strip, ".ersd-other");
    this.source = find(strip, ".ersd-source");
    /** @type {Speedup | null} */
    this.shown = null;
    /** @type {Speedup | null} */
    this.newest = null;
  }

  /** @param {Elsewhere[]} places */
  begin(places) {
    this.newest = null;
    this.ratio.begin(places);
  }

  /** @param {Speedup} speedup up to the newest step. */
  add(speedup) {
    this.newest = speedup;
  }

  /** @param {Speedup} speedup up to the step in view. */
  draw(speedup) {
    this.shown = speedup;
    this.strip.dataset.value = speedup.factor === null ? "" : String(speedup.factor);
    this.value.textContent = times(speedup.factor);
    // at the newest step both are the same: shown once
    const shown = this.newest?.over === speedup.over ? [speedup] : [speedup, this.newest];
    const figures = shown.flatMap((one) => (one && one.factor !== null ? [one] : []));
    const phrases = figures.map(({ factor, over }, place) => {
      const named = place ? "" : "times as fast as one by one ";
      return `${speedup.factor !== null && !place ? "" : `${times(factor)} `}${named}${over}`;
    });
    const parts = speedup.factor === null ? [speedup.words, ...phrases] : [...phrases, speedup.words];
    this.words.textContent = parts.filter(Boolean).join(" · ");
    this.step.textContent = `This step: ${speedup.step}`;
    this.drawElsewhere();
  }

  drawElsewhere() {
    const { index, place } = this.ratio;
    const other = this.shown?.elsewhere[index];
    this.other.textContent = other === undefined ? "–" : `${times(other)} times`;
    this.other.title = place && this.shown?.basis ? reckoned(place.calls, ...this.shown.basis).formula : "";
    this.source.textContent = place?.source ?? "";
    this.source.title = place?.help ?? "";
  }
}
