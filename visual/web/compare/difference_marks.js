// Marks the first token that differs in the texts of the players, also after a redraw.

/** @import * as T from "../types" */
import { until } from "../base/lifetime.js";

const MARK = "differs";

export class DifferenceMarks {
  /** @param {string} id of the board; that of the first player is `<id>-1` @param {AbortSignal} ended */
  constructor(id, ended) {
    this.id = id;
    /** @type {number[][]} */
    this.places = []; // by method, the tokens to mark
    /** @type {Set<Element>} */
    this.watched = new Set();
    this.texts = until(ended, new MutationObserver(() => this.draw()));
  }

  /** A comparison begins. */
  begin() {
    this.places = [];
  }

  /** @param {T.Compare.Lane[]} lanes */
  update(lanes) {
    const firsts = lanes.flatMap(({ text }) => (text && text.first !== null ? [text.first] : []));
    this.places = lanes.map(({ text }) => {
      if (text?.kind === "yardstick") return firsts;
      return text && text.first !== null ? [text.first] : [];
    });
    this.draw();
  }

  draw() {
    this.places.forEach((places, lane) => {
      const text = document.getElementById(`${this.id}-${lane + 1}-text`);
      if (!text) return;
      if (!this.watched.has(text)) {
        this.watched.add(text);
        this.texts.observe(text, { childList: true });
      }
      const tokens = text.getElementsByClassName("ersd-token");
      for (const marked of text.querySelectorAll(`.${MARK}`)) {
        if (!places.some((place) => tokens[place] === marked)) marked.classList.remove(MARK);
      }
      for (const place of places) tokens[place]?.classList.add(MARK);
    });
  }
}
