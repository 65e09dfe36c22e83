// The headline, the largest text of a page: what is known of the step at a moment. The one of a finished step comes from Python.

/** @import * as T from "../types" */
import { count, shortenStart } from "../base/format.js";
import { foreign, plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";
import { acceptedAt, statesAt } from "./story.js";

/** @typedef {T.StepMessage["headline"]} Parts */

const FITS = [1, 0.92, 0.85, 0.78, 0.7, 0.63]; // sizes of its letters, tried in this order
const ROOM = 40; // columns for the accepted tokens of a step that plays

/** Writes the headline and, beside it or in its place, the status of the run. */
export class Headline {
  /** @param {HTMLElement} box of both. @param {HTMLElement} headline @param {HTMLElement} status @param {T.Kit} kit */
  constructor(box, headline, status, kit) {
    this.box = box;
    this.headline = headline;
    this.status = status;
    this.signs = kit.signs;
    this.fitted = "";
  }

  /**
   * The status of the run. It takes the headline's place as long as there is none, and where something went wrong.
   * @param {string} words
   * @param {"" | "busy" | "error"} mood
   */
  say(words, mood) {
    this.status.textContent = words;
    this.status.dataset.kind = mood;
    this.box.dataset.mood = mood;
  }

  /** Nothing of this run is known yet. */
  begin() {
    render(nothing, this.headline);
  }

  /** @param {T.PanelView} view */
  draw({ story, scene }) {
    const token = (/** @type {string} */ kind, /** @type {string} */ words) =>
      html`<span class=${kind}><i .textContent=${this.signs[kind]}></i>${foreign(words)}</span>`;
    const parts = headlineAt(story, scene).map(([kind, words]) => (kind ? token(kind, words) : plain(words)));
    render(parts, this.headline);
  }

  /** Makes the letters as large as the headline's place allows: its height never changes. */
  fit() {
    const { headline, box } = this;
    const fitted = `${headline.textContent}${box.clientWidth}`;
    if (this.fitted === fitted) return;
    this.fitted = fitted;
    for (const size of FITS) {
      headline.style.setProperty("--fit", String(size));
      if (headline.scrollWidth <= headline.clientWidth && headline.scrollHeight <= headline.clientHeight + 4) return;
    }
  }
}

/** The headline of a scene in parts. @param {T.Story} story @param {T.Scene} scene @returns {Parts} */
export function headlineAt(story, scene) {
  const { step } = story;
  const drafted = step.tree.q.length;
  if (scene.phase === "text") return step.headline;
  if (scene.phase === "draft") {
    const known = statesAt(story, scene).filter((state) => state !== "hidden").length;
    return [["", `The draft is guessing: ${known} of ${count(drafted, "token")} so far`]];
  }
  if (scene.phase === "score") {
    const guesses = drafted === 1 ? "the one guess" : `all ${drafted} guesses at once`;
    const prompt = step.index === 0 ? ", and reads the prompt" : "";
    return [["", drafted ? `One call of the target scores ${guesses}${prompt}` : `One call of the target, without a draft${prompt}`]];
  }
  const right = acceptedAt(story, scene);
  if (!drafted) return [["", "The target chooses the next token"]];
  if (!right) return [["", "No guess right yet"]];
  return [
    ["", `${right} ${right === 1 ? "guess" : "guesses"} right so far: `],
    ["accepted", acceptedWords(step, right)],
  ];
}

/**
 * The first accepted tokens as running text, its end if it is long; where it has no letters, their names.
 * @param {T.StepMessage} step
 * @param {number} right how many.
 */
function acceptedWords({ text, tree }, right) {
  const tokens = text.slice(0, right).map((token) => token.text);
  const words = tokens.join("").replaceAll("\n", " ↵ ").replaceAll(/\s+/g, " ").trim();
  const names = tree.names.filter((_, vertex) => tree.states[vertex] === "accepted").slice(0, right);
  return shortenStart(words || names.join(" "), ROOM);
}
