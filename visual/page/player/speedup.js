// Was it worth it: the speed-up over one by one on this machine, this step's time, and what as many tokens per call would give elsewhere.

/** @import { Elsewhere, Speedup } from "./types.js" */
import { find, make } from "./dom.js";

/** Draws the strip under the tiles. */
export class SpeedupStrip {
  /** @param {HTMLElement} strip */
  constructor(strip) {
    this.strip = strip;
    this.value = find(strip, ".ersd-factor");
    this.words = find(strip, ".ersd-worth");
    this.step = find(strip, ".ersd-step-ms");
    this.choice = /** @type {HTMLSelectElement} */ (find(strip, "select"));
    this.other = find(strip, ".ersd-other");
    this.source = find(strip, ".ersd-source");
    /** @type {Elsewhere[]} */
    this.places = [];
    /** @type {Speedup | null} */
    this.shown = null;
    /** @type {Speedup | null} */
    this.newest = null;
    this.steps = 0;
    this.choice.addEventListener("change", () => this.drawElsewhere());
  }

  /** @param {Elsewhere[]} places */
  begin(places) {
    this.newest = null;
    this.steps = 0;
    const labels = places.map(({ label }) => label);
    if (labels.join() !== this.places.map(({ label }) => label).join()) {
      const chosen = this.choice.selectedIndex - this.places.length; // counted from the end: only the first is not there in every run
      this.choice.replaceChildren(...labels.map((label) => make("option", "", label)));
      this.choice.selectedIndex = Math.max(0, this.places.length ? chosen + places.length : 0);
    }
    this.places = places;
  }

  /** @param {Speedup} speedup up to the newest step. */
  add(speedup) {
    this.newest = speedup;
    this.steps += 1;
  }

  /** @param {Speedup} speedup up to the step in view. */
  draw(speedup) {
    this.shown = speedup;
    this.strip.dataset.value = speedup.factor === null ? "" : String(speedup.factor);
    this.value.textContent = times(speedup.factor);
    const all = this.newest?.factor ?? null;
    const parts = [
      speedup.factor === null ? "" : "up to this step",
      all === null ? "" : `${times(all)} in all ${this.steps} steps`,
      speedup.words,
    ];
    this.words.textContent = parts.filter(Boolean).join(" · ");
    this.step.textContent = `This step: ${speedup.step}`;
    this.drawElsewhere();
  }

  drawElsewhere() {
    const place = this.choice.selectedIndex;
    this.other.textContent = times(this.shown?.elsewhere[place] ?? null);
    this.source.textContent = this.places[place]?.source ?? "";
    this.source.title = this.places[place]?.help ?? "";
  }
}

/** @param {number | null} factor */
const times = (factor) => (factor === null ? "–" : `${factor.toFixed(factor < 9.995 ? 2 : 1)}×`);
