// The texts around the picture of a decision: title, idea, what happened, legend, and the list of coins. The idea is said once, over the first
// step of its kind; at other steps it opens by a button beside the title.

/** @import * as T from "../types" */
import { find, offWhile } from "../base/dom.js";
import { fill, isolated } from "../base/format.js";
import { unboxed } from "../base/templates.js";
import { render } from "../lit-html.js";
import { reason } from "../tree/reasons.js";
import { ALL, knownAt } from "./motion.js";
import { pictureKindOf } from "./picture_kinds.js";
import { Tries } from "./tries.js";

export class DecisionPanel {
  /**
   * @param {HTMLElement} panel
   * @param {T.Kit} kit
   * @param {{ choice: (choice: T.Choice) => void, pick: (stage: number | null) => void, run: (done: () => void) => void, pause: () => void }} on
   * @param {T.Glossary} glossary
   */
  constructor(panel, kit, on, glossary) {
    this.kit = kit;
    this.glossary = glossary;
    this.title = find(panel, ".ersd-decision-title");
    this.idea = find(panel, ".ersd-idea");
    this.why = find(panel, ".ersd-why");
    /** @type {Map<string, T.StepMessage>} the step over which the idea of a kind was said */
    this.saidAt = new Map();
    /** @type {boolean | null} what a reader has chosen for all steps */
    this.isIdeaOpen = null;
    this.why.addEventListener("click", () => this.showIdea((this.isIdeaOpen = this.idea.hidden)));
    this.picture = find(panel, ".ersd-decision-plot");
    this.sentence = find(panel, ".ersd-say");
    this.note = find(panel, ".ersd-note");
    this.legend = find(panel, ".ersd-decision-legend");
    this.list = new Tries(find(panel, ".ersd-tries"), find(panel, ".ersd-tries-head"), kit, on);
    /** @type {{ kind: string, step: T.StepMessage } | undefined} what is drawn */
    this.inView = undefined;
    this.button = /** @type {HTMLButtonElement} */ (find(panel, ".ersd-run-race"));
    this.button.addEventListener("click", () => {
      on.pause();
      offWhile(this.button, (done) => on.run(done));
    });
  }

  /** @param {T.PanelView} view */
  draw({ step, choice, shown: { decision, subject }, story, scene }) {
    const kind = this.kit.kinds[decision.kind];
    const known = knownAt(story, scene, decision);
    const isFinished = known === ALL;
    render(unboxed(decision.title), this.title);
    this.inView = { kind: decision.kind, step };
    this.glossary.write(this.idea, ideaOf(decision, kind));
    this.showIdea(this.isIdeaOpen ?? (this.saidAt.get(decision.kind) ?? step) === step);
    const words = isFinished ? decision.say : captionOf(decision, kind, scene, known.scored);
    this.glossary.write(this.sentence, words);
    this.glossary.write(this.note, this.noteAt(scene, step, choice, subject));
    const isCut = scene.phase === "text" && step.block && step.block.kept > 0 && step.block.kept < step.block.coin.length;
    const marks = decision.leaf ? kind.legend_at_leaf : kind.legend;
    this.legend.style.visibility = scene.phase === "draft" && kind.list ? "hidden" : ""; // p and coins are not there yet
    const more = [...(isCut ? [this.kit.words.cut] : []), ...(decision.recorded ? [this.kit.redraw.words.ticks] : [])];
    this.legend.textContent = [...marks, ...more].join(" · ");
    this.list.draw(step, decision);
    const isBlock = step.block !== undefined;
    const fallen = isBlock ? 0 : known.tries;
    this.list.reveal(isFinished ? Infinity : fallen, known.scored && (isFinished || scene.phase === "walk"));
    this.button.hidden = !pictureKindOf(decision, this.kit).canRun || scene.phase !== "text";
    this.picture.setAttribute("aria-label", isolated(`${decision.title} ${words}`));
  }

  /** @param {boolean} isShown */
  showIdea(isShown) {
    if (!isShown && this.idea.contains(document.activeElement)) this.why.focus({ preventScroll: true });
    this.idea.hidden = !isShown;
    this.why.setAttribute("aria-expanded", String(isShown));
  }

  /** What is drawn is on the page: an idea in sight has been said. It measures, so it comes after the drawing. */
  noteSaid() {
    const { kind, step } = this.inView ?? {};
    if (kind && step && !this.saidAt.has(kind) && this.idea.offsetParent) this.saidAt.set(kind, step);
  }

  /**
   * What is said below the sentence.
   * @param {T.Scene} scene
   * @param {T.StepMessage} step
   * @param {T.Choice | null} choice
   * @param {number | null} subject
   */
  noteAt(scene, step, choice, subject) {
    if (scene.phase === "text") return this.noteOn(step, choice, subject);
    const isShort = scene.phase !== "draft" || step.draft_calls < 2 || step.block;
    return isShort ? "" : this.kit.words.first_call;
  }

  /**
   * Why the decision shown is not the one about the children of the node chosen; empty where it is.
   * @param {T.StepMessage} step
   * @param {T.Choice | null} choice
   * @param {number | null} subject
   */
  noteOn(step, choice, subject) {
    const { tree, block } = step;
    const { words } = this.kit;
    if (!choice || choice.about || subject === null || choice.vertex >= tree.q.length) return "";
    const isReached = subject === choice.vertex && !block;
    const why = isReached ? fill(words.absent, { name: tree.names[subject] }) : reason(step, choice.vertex, this.kit);
    return `${why} ${fill(words.about, { name: tree.names[subject] })}`;
  }
}

/** @param {T.Decision} decision @param {T.Kind} kind */
function ideaOf({ facts, leaf, row_of: rowOf, p }, { idea }) {
  if (idea.certain && p.includes(1)) return idea.certain;
  if (leaf) return idea.at_leaf;
  if (facts.rho !== undefined) return idea.scaled || idea.usual;
  if (facts.bias !== undefined && idea.lenient) return idea.lenient;
  return (Object.keys(rowOf).length === 1 && idea.single) || idea.usual;
}

/** @param {T.Decision} decision @param {T.Kind} kind @param {T.Scene} scene @param {boolean} isScored */
function captionOf({ leaf }, { story }, { phase }, isScored) {
  if (phase === "draft") return story.guess;
  if (phase === "score") return isScored ? story.scored : "";
  return leaf ? story.at_leaf : story.deciding;
}
