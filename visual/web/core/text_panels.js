// The panels of a player that are text and numbers: headline, running text, figures, theory, the texts of a decision.

/** @import * as T from "../types" */
import { AltText } from "../panels/alt_text.js";
import { DecisionPanel } from "../decision/panel.js";
import { find } from "../base/dom.js";
import { decisionInView } from "../decision/decision.js";
import { DecisionTable } from "../panels/decision_table.js";
import { Bookmarks } from "../timeline/bookmarks.js";
import { Figures, countedAt, timesOf } from "../panels/figures.js";
import { Headline } from "../story/headline.js";
import { Glossary } from "../panels/glossary.js";
import { Lanes } from "../lanes/lanes.js";
import { SpeedDetails } from "../panels/speed_details.js";
import { Stepper } from "../story/stepper.js";
import { RedrawPanel } from "../redraw/panel.js";
import { RunningText } from "../panels/running_text.js";
import { Theory } from "../panels/theory.js";
import { TreeLegend } from "../tree/tree_legend.js";
import { WhatIf } from "../panels/what_if.js";

/** Draws all panels that are not Plotly pictures. */
export class TextPanels {
  /**
   * @param {HTMLElement} root the player.
   * @param {T.Kit} kit
   * @param {object} on callbacks.
   * @param {(index: number) => void} on.step
   * @param {(choice: T.Choice) => void} on.choice
   * @param {(phase: T.Phase) => void} on.phase
   * @param {() => void} on.pause
   * @param {(stage: number | null) => void} on.pick the decision at one of its tries; null: as it was decided.
   * @param {(done: () => void) => void} on.run the race in view, once more
   * @param {(whatIf: T.WhatIf | null) => void} on.redraw
   * @param {AbortSignal} ended
   */
  constructor(root, kit, on, ended) {
    this.root = root;
    this.kit = kit;
    this.headline = new Headline(find(root, ".ersd-headlines"), find(root, ".ersd-headline"), find(root, ".ersd-status"), kit);
    this.name = find(root, ".ersd-run");
    this.exact = find(root, ".ersd-exact");
    this.because = find(root, ".ersd-because");
    this.glossary = new Glossary(root, kit.glossary, ended);
    this.every = new DecisionTable(find(root, ".ersd-every"), kit, this.glossary);
    this.where = find(root, ".ersd-where");
    const fed = root.closest("[role=tabpanel]")?.querySelector(".ersd-fed-place") ?? null;
    this.text = new RunningText(find(root, ".ersd-text-card"), find(root, ".ersd-text"), /** @type {HTMLElement | null} */ (fed), on.step);
    this.speed = new SpeedDetails(find(root, ".ersd-speed-details"));
    this.lanes = new Lanes(find(root, ".ersd-lanes"), kit);
    this.figures = new Figures(find(root, ".ersd-stats"), () => this.speed.open());
    this.bookmarks = new Bookmarks(find(root, ".ersd-find"), kit, on.step);
    this.theory = new Theory(find(root, ".ersd-theory"), this.glossary);
    this.card = new DecisionPanel(find(root, ".ersd-race-card"), kit, on, this.glossary);
    this.altText = new AltText(root);
    this.treeLegend = new TreeLegend(find(root, ".ersd-tree-card"), kit);
    const card = root.querySelector(".ersd-what-if");
    this.whatIf = card instanceof HTMLElement ? new WhatIf(card, kit.what_if) : null; // not every player has one
    this.redraw = root.querySelector(".ersd-redraw") ? new RedrawPanel(root, kit, on.redraw) : null;
    this.redraw?.listen(ended);
    this.stepper = new Stepper(find(root, ".ersd-phases"), kit, on.phase);
    this.steps = 0;
    this.isOver = false; // the run has come to its end
    /** @type {T.StepMessage | undefined} */
    this.newest = undefined;
  }

  /**
   * Writes the status line. The messages of a busy run are not announced: there would be too many.
   * @param {string} words
   * @param {"" | "busy" | "error"} [mood]
   */
  say(words, mood = "") {
    this.headline.say(words, mood);
    if (mood !== "busy") this.altText.announce(words);
  }

  /** @param {T.BeginMessage} message */
  begin(message) {
    const { prompt, fed, theory, name, exact, kind, elsewhere, one_text: oneText } = message;
    this.steps = 0;
    this.isOver = false;
    this.headline.clear();
    this.stepper.begin(kind);
    this.whatIf?.begin(message);
    this.redraw?.begin(message);
    this.text.begin(prompt, fed);
    this.theory.begin(theory);
    this.speed.begin(elsewhere);
    this.lanes.begin(message);
    this.figures.begin(oneText);
    this.bookmarks.begin(kind);
    this.treeLegend.begin(kind);
    this.glossary.write(this.name, name);
    this.exact.dataset.term = exact.term;
    this.exact.textContent = exact.words;
    this.exact.dataset.exact = exact.kind;
    const why = exact.kind === "biased" ? "" : this.kit.kinds[kind].exact_because;
    this.because.textContent = why && `Why exact: ${why}.`;
    this.newest = undefined;
  }

  /** @param {T.StepMessage} step */
  add(step) {
    this.steps += 1;
    this.newest = step;
    this.text.add(step);
    this.bookmarks.add(step.find);
    this.lanes.add(step);
    this.whatIf?.add(step);
  }

  /**
   * The run is over.
   * @param {string} words
   * @param {"" | "error"} mood
   * @param {T.EndMessage} [message] of a run that came to its end; without one it was stopped, or failed.
   */
  finish(words, mood, message) {
    this.isOver = message !== undefined;
    if (message) this.whatIf?.end(message);
    else this.whatIf?.cutShort();
    this.redraw?.finish(message);
    this.lanes.finish(message);
    this.say(words, mood);
  }

  /** @param {T.View} view */
  draw({ step, before, index, choice, focus, story, scene, whatIf, redrawn }) {
    const isFinished = scene.phase === "text";
    const known = { step, before, newest: this.newest ?? step, isOver: this.isOver };
    const { figures } = countedAt(scene, known);
    const shown = decisionInView(step, focus);
    const { decision } = shown;
    this.root.classList.toggle("playing-step", !isFinished);
    this.root.classList.toggle("figureless", !figures);
    this.root.classList.toggle("draftless", !step.tree.q.length);
    this.text.draw(isFinished ? index : index - 1, isFinished);
    this.text.redraw(index, redrawn);
    this.redraw?.draw(whatIf);
    this.headline.draw(story, scene);
    this.figures.draw(story, scene, known);
    this.speed.draw(figures?.speedup, isFinished ? timesOf(step, known.newest.speedup.alone) : "");
    this.lanes.draw(index);
    this.every.draw(step, isFinished);
    this.bookmarks.draw(index, scene.isOver);
    this.card.draw(step, choice, shown, story, scene);
    this.stepper.draw(story, scene);
    this.treeLegend.draw(step, scene);
    this.altText.draw(step, this.steps);
    this.theory.draw((isFinished ? step : (before ?? step)).stats, decision);
    this.where.textContent = `Step ${index + 1} of ${this.steps}`;
  }

  /** What moves within a phase. @param {T.Story} story @param {T.Scene} scene */
  move(story, scene) {
    this.stepper.move(scene);
    this.figures.move(story, scene);
  }

  /** The player has another width: what was in sight may be hidden. */
  resize() {
    this.scroll();
  }

  /** Scrolls the current items into sight. It measures positions, so it comes last: the page is laid out once per step. */
  scroll() {
    this.headline.fit();
    this.card.noteSaid();
    this.text.scroll();
  }

  /** Announces the view to screen readers. */
  announce() {
    const { title, sentence, note } = this.card;
    this.altText.announce([this.where, this.headline.headline, title, sentence, note].map(({ textContent }) => textContent).join(". "));
  }
}
