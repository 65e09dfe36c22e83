// The step in words: what was drafted, who chose the last token, what the target made of the draft's favourite, one drafted token alone.

/** @import { Glossary } from "./glossary.js" */
import { make } from "./dom.js";

/** Draws the list of them. */
export class Summary {
  /**
   * @param {HTMLElement} list
   * @param {{ id: string, label: string }[]} labels
   * @param {Glossary} glossary
   */
  constructor(list, labels, glossary) {
    this.glossary = glossary;
    this.places = labels.map(({ id, label }) => {
      const words = make("dd", "", "\u00a0");
      const entry = make("div", `ersd-summary-${id}`);
      entry.append(make("dt", "", label), words);
      list.append(entry);
      return { id, words };
    });
  }

  /** @param {Record<string, string>} summary */
  draw(summary) {
    for (const { id, words } of this.places) this.glossary.write(words, summary[id]);
  }
}
