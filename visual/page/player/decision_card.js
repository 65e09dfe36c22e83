// What is said of a decision around its butterfly: title, sentence, what the sides are, legend, figures, and the list under it.

/** @import { Kit, Panel, StepMessage } from "./types.js" */
import { DecisionList } from "./decision_list.js";
import { find, make } from "./dom.js";
import { about } from "./format.js";
import { decisionAbout, panelOf } from "./panel.js";
import { captions } from "./sides.js";

/** The words beside the tree. */
export class DecisionCard {
  /**
   * @param {HTMLElement} card
   * @param {Kit} kit
   * @param {{ vertex: (vertex: number) => void, pick: (picked: number | null) => void }} on what a reader can ask for: the decision
   *   about a vertex, or how the butterfly was at one of its tries (null: as it was decided).
   */
  constructor(card, kit, on) {
    this.kit = kit;
    this.on = on;
    this.title = find(card, ".ersd-race-title");
    this.sentence = find(card, ".ersd-say");
    this.note = find(card, ".ersd-note");
    this.facts = find(card, ".ersd-facts");
    this.legend = find(card, ".ersd-race-legend");
    this.draftSide = find(card, ".left");
    this.targetSide = find(card, ".right");
    this.caption = find(card, ".ersd-view");
    this.list = new DecisionList(find(card, ".ersd-tries"), kit, { vertex: on.vertex, pick: (picked) => this.pick(picked) });
    /** @type {Panel | null} */
    this.panel = null;
  }

  /**
   * @param {StepMessage} step
   * @param {number | null} vertex the one chosen.
   */
  draw(step, vertex) {
    const panel = panelOf(step, vertex);
    const absent = this.absence(step, vertex);
    this.panel = panel;
    if (panel) this.drawPanel(panel, absent);
    else this.drawNothing(absent);
    this.list.draw(step, panel, vertex);
  }

  /**
   * @param {Panel} panel
   * @param {string} note
   */
  drawPanel(panel, note) {
    const { headings, legend, leaf_legend: leafLegend } = this.kit.kinds[panel.kind];
    const known = this.kit.facts.flatMap(({ id, label }) => {
      const value = panel.facts[id];
      return value === undefined ? [] : `${label} ${value.toFixed(2)}`;
    });
    this.title.textContent = panel.title;
    this.sentence.textContent = panel.say;
    this.note.textContent = note;
    this.facts.textContent = known.join(" · ");
    this.draftSide.textContent = panel.q ? headings.draft : "";
    this.targetSide.textContent = headings.target;
    const keys = (panel.leaf ? leafLegend : legend).map(({ colour, words }) => make("span", `ersd-key ${colour}`, words));
    this.legend.replaceChildren(...keys);
    if (!panel.tries) this.caption.textContent = "";
  }

  /** @param {string} words */
  drawNothing(words) {
    this.title.textContent = this.kit.words.no_decision;
    this.sentence.textContent = words;
    for (const place of [this.note, this.facts, this.draftSide, this.targetSide, this.caption, this.legend]) place.textContent = "";
  }

  /**
   * The butterfly as it was at one of its tries.
   *
   * @param {number | null} picked null: as it was decided.
   */
  pick(picked) {
    if (!this.panel) return;
    const words = captions(this.panel, this.kit.kinds[this.panel.kind], picked);
    this.caption.textContent = words.under;
    this.draftSide.textContent = words.draft;
    this.targetSide.textContent = words.target;
    this.on.pick(picked);
  }

  /**
   * What to say at a vertex without a decision of its own; nothing at the others.
   *
   * @param {StepMessage} step
   * @param {number | null} vertex
   */
  absence(step, vertex) {
    const { tree, panels, block } = step;
    const { words } = this.kit;
    if (vertex === null || panels[vertex] || vertex >= tree.q.length) return "";
    const why = block ? tree.why[vertex] : about(words.absent, tree.names[vertex]);
    return `${why} ${decisionAbout(step, vertex) ? words.about : words.nothing}`;
  }
}
