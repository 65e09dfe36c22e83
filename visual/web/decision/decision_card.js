// The card of a decision around its butterfly: title, sentence, headings of the sides, legend, figures, and the list under it.

/** @import { Kind, Kit } from "../base/kit_types.js" */
/** @import { Decision, StepMessage } from "../base/types.js" */
/** @import { Choice, InView } from "./decision.js" */
/** @import { Scene } from "../story/story.js" */
/** @import { Caption } from "../story/captions.js" */
/** @import { Glossary } from "../panels/glossary.js" */
import { DecisionList } from "./decision_list.js";
import { find, make } from "../base/dom.js";
import { about } from "../base/format.js";
import { number } from "../base/numbers.js";
import { reason } from "../tree/reasons.js";
import { captions, isBeyond, barValuesOf } from "./bar_values.js";

/** The texts next to the tree. */
export class DecisionCard {
  /**
   * @param {HTMLElement} card
   * @param {Kit} kit
   * @param {{ choice: (choice: Choice) => void, pick: (picked: number | null) => void }} on callbacks:
   *   another decision, or the butterfly at one of its tries (null: at the decision).
   * @param {Glossary} glossary
   * @param {HTMLElement} echo repeats the sentence next to the tree on a phone.
   */
  constructor(card, kit, on, glossary, echo) {
    this.kit = kit;
    this.glossary = glossary;
    this.on = on;
    this.title = find(card, ".ersd-race-title");
    this.sentence = find(card, ".ersd-say");
    this.echo = echo;
    this.note = find(card, ".ersd-note");
    this.facts = find(card, ".ersd-facts");
    this.legend = find(card, ".ersd-race-legend");
    this.draftSide = find(card, ".left");
    this.targetSide = find(card, ".right");
    this.axis = find(card, ".ersd-axis");
    this.symbols = find(card, ".ersd-symbols");
    this.under = find(card, ".ersd-view");
    this.list = new DecisionList(find(card, ".ersd-tries"), kit, { choice: on.choice, pick: (picked) => this.pick(picked) }, glossary);
    /** @type {Decision | null} */
    this.decision = null;
  }

  /**
   * @param {StepMessage} step
   * @param {Choice | null} choice
   * @param {InView} shown the one that belongs to it.
   */
  draw(step, choice, shown) {
    this.decision = shown.decision;
    this.title.textContent = this.titleOf(step, shown);
    this.note.textContent = this.noteOn(step, choice, shown);
    this.drawDecision(shown.decision);
    this.list.draw(step, choice, shown);
    this.list.reveal(0, true);
  }

  /**
   * Shows the caption of a story while the decision is open or has just been made.
   *
   * @param {Caption} caption
   * @param {Scene} scene
   */
  tell({ title, say }, { phase, tries, settled, visit }) {
    this.title.textContent = title;
    this.say(say);
    this.list.reveal(phase === "walk" ? tries : 0, phase === "walk" && settled > visit);
  }

  /** @param {string} words the sentence. */
  say(words) {
    this.glossary.write(this.sentence, words);
    this.echo.textContent = words;
  }

  /** @param {Decision} decision */
  drawDecision(decision) {
    const kind = this.kit.kinds[decision.kind];
    const known = this.kit.facts.flatMap(({ id, label }) => {
      const value = decision.facts[id];
      return value === undefined ? [] : `${label} ${number(value, this.kit.numbers, (value ?? 1) < 1 ? 2 : 3)}`;
    });
    this.say(decision.say);
    this.glossary.write(this.facts, known.join(" · "));
    this.caption(captions(decision, kind, null), decision);
    this.glossary.write(this.symbols, symbolsOf(decision, kind));
    const { name, good, left, right } = kind.bars;
    this.axis.replaceChildren(make("span", "", decision.q ? left : ""), make("b", "", `${name}: ${good}`), make("span", "", right));
    this.legend.replaceChildren(...this.keys(decision, kind).map(({ colour, words }) => make("span", `ersd-key ${colour}`, words)));
  }

  /**
   * The legend's keys of what is in the picture.
   *
   * @param {Decision} decision
   * @param {Kind} kind
   */
  keys(decision, kind) {
    const { marks, butterfly } = this.kit;
    const drawn = new Set(decision.marks.flatMap((mark) => [decision.q ? marks[mark].draft : "", marks[mark].target]));
    const keys = (decision.leaf ? kind.leaf_legend : kind.legend).filter(({ colour }) => drawn.has(`$${colour}`));
    const { draft, target } = barValuesOf(decision, kind, null);
    const isCut = kind.axis === "time" && [...(draft ?? []), ...target].some((time) => isBeyond(time, butterfly.decades));
    return isCut ? [...keys, butterfly.cut] : keys;
  }

  /**
   * Shows the butterfly at one of its tries.
   *
   * @param {number | null} picked null: as it was decided.
   */
  pick(picked) {
    if (!this.decision) return;
    this.caption(captions(this.decision, this.kit.kinds[this.decision.kind], picked), this.decision);
    this.on.pick(picked);
  }

  /**
   * @param {ReturnType<typeof captions>} words
   * @param {Decision} decision
   */
  caption({ under, draft, target }, decision) {
    this.under.textContent = decision.left ? under : "";
    this.glossary.write(this.draftSide, decision.q ? draft : "");
    this.glossary.write(this.targetSide, target);
  }

  /**
   * The title: where the decision was made, and the vertex it is shown for if it was chosen by its child.
   *
   * @param {StepMessage} step
   * @param {InView} decision
   */
  titleOf({ tree }, { decision: { title }, subject }) {
    if (subject === null) return title;
    return `${tree.names[subject]} in the ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
  }

  /**
   * Why the decision shown is not the one about the children of the vertex chosen; empty where it is.
   *
   * @param {StepMessage} step
   * @param {Choice | null} choice
   * @param {InView} decision
   */
  noteOn(step, choice, { subject }) {
    const { tree, block } = step;
    const { words } = this.kit;
    if (!choice || choice.about || subject === null || choice.vertex >= tree.q.length) return "";
    const isReached = subject === choice.vertex && !block;
    const why = isReached ? about(words.absent, tree.names[subject]) : reason(step, choice.vertex, this.kit);
    return `${why} ${about(words.about, tree.names[subject])}`;
  }
}

/**
 * What a decision compares.
 *
 * @param {Decision} decision
 * @param {Kind} kind
 */
function symbolsOf({ facts, leaf }, { symbols }) {
  if (leaf) return symbols.at_leaf;
  if (facts.rho !== undefined) return symbols.scaled;
  return facts.bias === undefined ? symbols.usual : symbols.lenient;
}
