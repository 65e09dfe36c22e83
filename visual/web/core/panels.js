// The panels of a player, all but the pictures of the tree and of the decision: headline, running text, figures, lanes, theory. A panel is an entry
// of the list: what it does when a run begins, a step comes, a view is drawn, a scene moves, and when the run is over.

/** @import * as T from "../types" */
/** @import { RunSoFar } from "../figures/figures.js" */
import { AltText } from "../panels/alt_text.js";
import { DecisionPanel } from "../decision/panel.js";
import { find } from "../base/dom.js";
import { decisionInView } from "../decision/decision.js";
import { DecisionTable } from "../panels/decision_table.js";
import { Bookmarks } from "../timeline/bookmarks.js";
import { Figures, countedAt } from "../figures/figures.js";
import { Headline } from "../story/headline.js";
import { Glossary } from "../glossary/glossary.js";
import { Lanes } from "../lanes/lanes.js";
import { SourcePanel } from "../sources/panel.js";
import { SpeedDetails } from "../figures/speed_details.js";
import { Stepper } from "../story/stepper.js";
import { RedrawPanel } from "../redraw/panel.js";
import { RunningText } from "../panels/running_text.js";
import { Theory } from "../panels/theory.js";
import { TreeLegend } from "../tree/tree_legend.js";
import { WatermarkPanel } from "../watermark/watermark.js";
import { WhatIf } from "../what_if/what_if.js";

/**
 * @typedef {object} Counted what follows from a view
 * @property {boolean} isFinished the step is shown at its end
 * @property {T.InView} shown the decision in view
 * @property {RunSoFar} soFar
 * @property {T.StepMessage | undefined} counted the step up to which figures count
 *
 * @typedef {T.View & Counted} PanelView
 *
 * @typedef {object} Panel
 * @property {(message: T.BeginMessage, steps: T.StepMessage[]) => void} [begin] `steps`: of the run; they grow while it goes on
 * @property {(view: PanelView) => void} [draw]
 * @property {(story: T.Story, scene: T.Scene) => void} [move] what moves within a phase
 * @property {(message?: T.EndMessage) => void} [finish] without a message the run was stopped, or failed
 */

/** Draws all panels but tree, decision and timeline, which `Pictures` keeps. */
export class Panels {
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
   * @param {(redrawAt: T.RedrawAt | null) => void} on.redraw
   * @param {AbortSignal} ended
   */
  constructor(root, kit, on, ended) {
    this.root = root;
    this.where = find(root, ".ersd-where");
    this.headline = new Headline(find(root, ".ersd-headlines"), find(root, ".ersd-headline"), find(root, ".ersd-status"), kit);
    const glossary = new Glossary(root, kit.glossary, ended);
    this.text = new RunningText(find(root, ".ersd-text-card"), find(root, ".ersd-text"), this.inSettings(".ersd-fed-place"), on.step);
    this.card = new DecisionPanel(find(root, ".ersd-decision-card"), kit, on, glossary);
    this.altText = new AltText(root);
    this.redraw = root.querySelector(".ersd-redraw") ? new RedrawPanel(root, kit, on.redraw, ended) : null; // not every player has one
    /** @type {T.StepMessage[]} */
    this.steps = [];
    this.isOver = false; // the run has come to its end
    this.panels = this.listed(kit, glossary, on);
  }

  /** An element among the settings of the tab, which a saved file has not. @param {string} selector @returns {HTMLElement | null} */
  inSettings(selector) {
    return this.root.closest("[role=tabpanel]")?.querySelector(selector) ?? null;
  }

  /**
   * @param {T.Kit} kit
   * @param {Glossary} glossary
   * @param {{ step: (index: number) => void, phase: (phase: T.Phase) => void }} on
   * @returns {Panel[]} in the order in which they are drawn
   */
  listed(kit, glossary, on) {
    const { root, text, redraw, headline, card, altText, where } = this;
    const speed = new SpeedDetails(find(root, ".ersd-speed-details"));
    const figures = new Figures(find(root, ".ersd-stats"), () => speed.open());
    const whatIfCard = root.querySelector(".ersd-what-if");
    return [
      { begin: (message) => nameRun(root, kit, glossary, message) },
      text,
      ...(redraw ? [redraw] : []),
      headline,
      figures,
      speed,
      new SourcePanel(find(root, ".ersd-sources"), kit, this.inSettings(".ersd-sources-place")),
      new Lanes(find(root, ".ersd-lanes"), kit),
      new WatermarkPanel(find(root, ".ersd-watermark"), kit),
      new DecisionTable(find(root, ".ersd-every"), kit, glossary),
      new Bookmarks(find(root, ".ersd-find"), kit, on.step),
      card,
      new Stepper(find(root, ".ersd-phases"), kit, on.phase),
      new TreeLegend(find(root, ".ersd-tree-card"), kit),
      { draw: ({ step }) => altText.draw(step, this.steps.length) },
      new Theory(find(root, ".ersd-theory"), glossary),
      ...(whatIfCard ? [new WhatIf(/** @type {HTMLElement} */ (whatIfCard), kit.what_if)] : []), // not every player has one
      { draw: ({ index }) => (where.textContent = `Step ${index + 1} of ${this.steps.length}`) },
    ];
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

  /** @param {T.BeginMessage} message @param {T.StepMessage[]} steps */
  begin(message, steps) {
    this.steps = steps;
    this.isOver = false;
    for (const panel of this.panels) panel.begin?.(message, steps);
  }

  /** The run is over. @param {string} words @param {"" | "error"} mood @param {T.EndMessage} [message] of a run that came to its end. */
  finish(words, mood, message) {
    this.isOver = message !== undefined;
    for (const panel of this.panels) panel.finish?.(message);
    this.say(words, mood);
  }

  /** @param {T.View} view */
  draw(view) {
    const { step, before, focus, scene } = view;
    const isFinished = scene.phase === "text";
    const soFar = { step, before, newest: this.steps.at(-1) ?? step, isOver: this.isOver };
    const { figures: counted } = countedAt(scene, soFar);
    this.root.classList.toggle("playing-step", !isFinished);
    this.root.classList.toggle("figureless", !counted);
    this.root.classList.toggle("draftless", !step.tree.q.length);
    for (const panel of this.panels) panel.draw?.({ ...view, isFinished, soFar, counted, shown: decisionInView(step, focus) });
  }

  /** What moves within a phase. @param {T.Story} story @param {T.Scene} scene */
  move(story, scene) {
    for (const panel of this.panels) panel.move?.(story, scene);
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

/**
 * The name of the run, what it promises, and why.
 * @param {HTMLElement} root
 * @param {T.Kit} kit
 * @param {Glossary} glossary
 * @param {T.BeginMessage} message
 */
function nameRun(root, kit, glossary, { name, exact, kind }) {
  glossary.write(find(root, ".ersd-run"), name);
  const badge = find(root, ".ersd-exact");
  badge.dataset.term = exact.term;
  badge.textContent = exact.words;
  badge.dataset.exact = exact.kind;
  const why = exact.kind === "biased" ? "" : kit.kinds[kind].exact_because;
  find(root, ".ersd-because").textContent = why && `Why exact: ${why}.`;
}
