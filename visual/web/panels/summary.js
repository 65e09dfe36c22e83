// The summary of a step: what was drafted, why the step ended, how the target judged the draft's favourite, and a single drafted token.
// While the step's story plays, each entry shows what is known so far.

/** @import { Glossary } from "./glossary.js" */
/** @import { Scene, Story } from "../story/story.js" */
import { make } from "../base/dom.js";
import { statesAt } from "../story/story.js";

const LISTED = 4; // accepted tokens that are named
const UNKNOWN = "Not decided yet.";

/** Draws the list of entries. */
export class Summary {
  /**
   * @param {HTMLElement} list
   * @param {{ id: string, label: string, more: string }[]} labels
   * @param {Glossary} glossary
   */
  constructor(list, labels, glossary) {
    this.glossary = glossary;
    this.places = labels.map(({ id, label, more }) => {
      // both in one cell, so that nothing moves when all is known
      const [whole, soFar] = [make("span", "whole", "\u00a0"), make("span", "so-far")];
      const words = make("dd");
      words.append(whole, soFar);
      const entry = make("div", `ersd-summary-${id}`);
      const name = make("dt", "", label);
      name.append(make("span", "more", more));
      entry.append(name, words);
      list.append(entry);
      return { id, whole, soFar };
    });
  }

  /**
   * @param {Story} story
   * @param {Scene} scene
   */
  draw(story, scene) {
    const { summary } = story.step;
    const known = scene.phase === "text" ? {} : knownSoFar(story, scene);
    for (const { id, whole, soFar } of this.places) {
      this.glossary.write(whole, summary[id]);
      whole.classList.toggle("untold", id in known);
      soFar.textContent = known[id] ?? "";
    }
  }
}

/**
 * Texts of the entries that are not fully known yet.
 *
 * @param {Story} story
 * @param {Scene} scene
 * @returns {Record<string, string>}
 */
function knownSoFar(story, scene) {
  const { step, visits } = story;
  const { names, q, call_of: callOf } = step.tree;
  if (scene.settled === visits.length) return {};
  if (!q.length) return { last: UNKNOWN };
  const others = { last: UNKNOWN, favourite: UNKNOWN, alone: UNKNOWN };
  if (scene.phase === "draft")
    return {
      drafted: `${callOf.filter((call) => call <= scene.calls).length} of ${q.length} drafted so far.`,
      ...others,
    };
  if (scene.phase === "score") return { drafted: `${q.length} drafted, none decided yet.`, ...others };
  const accepted = statesAt(story, scene).flatMap((state, vertex) => (state === "accepted" ? [`“${names[vertex]}”`] : []));
  const listed = `${accepted.slice(0, LISTED).join(", ")}${accepted.length > LISTED ? " …" : ""}`;
  return {
    drafted: accepted.length ? `${accepted.length} of ${q.length} accepted so far: ${listed}.` : `None of ${q.length} accepted so far.`,
    ...others,
  };
}
