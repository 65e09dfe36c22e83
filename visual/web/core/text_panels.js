// The panels of a player that are text and numbers: status line, running text, tiles, theory, the texts of a decision.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { BeginMessage, EndMessage, StepMessage } from "../base/types.js" */
/** @import { Choice } from "../decision/decision.js" */
/** @import { View } from "./pictures.js" */
/** @import { Phase } from "../story/story.js" */
import { AltText } from "../panels/alt_text.js";
import { CallBars } from "../story/call_bars.js";
import { DecisionCard } from "../decision/decision_card.js";
import { find } from "../base/dom.js";
import { decisionOf } from "../decision/decision.js";
import { DecisionTable } from "../panels/decision_table.js";
import { FindStep } from "../timeline/find_step.js";
import { Glossary } from "../panels/glossary.js";
import { RacePlayer } from "../motion/race_player.js";
import { PhaseBar } from "../story/phase_bar.js";
import { RunningText } from "../panels/running_text.js";
import { SpeedupStrip } from "../panels/speedup.js";
import { Theory } from "../panels/theory.js";
import { figuresOf, tookOf, Tiles } from "../panels/tiles.js";
import { TreeLegend } from "../tree/tree_legend.js";
import { WalkList } from "../decision/walk_list.js";
import { WhatIf } from "../panels/what_if.js";

const FIGURE_SPACE = "\u2007"; // as wide as a digit

/** Draws all panels that are not Plotly pictures. */
export class TextPanels {
  /**
   * @param {HTMLElement} root the player.
   * @param {Kit} kit
   * @param {object} on callbacks.
   * @param {(index: number) => void} on.step
   * @param {(choice: Choice) => void} on.choice
   * @param {(phase: Phase) => void} on.phase
   * @param {() => void} on.pause
   * @param {(picked: number | null) => void} on.pick the butterfly at one of its tries; null: as it was decided.
   */
  constructor(root, kit, on) {
    this.root = root;
    this.kit = kit;
    this.status = find(root, ".ersd-status");
    this.name = find(root, ".ersd-run");
    this.exact = find(root, ".ersd-exact");
    this.glossary = new Glossary(root, kit.glossary);
    this.every = new DecisionTable(find(root, ".ersd-every"), kit, this.glossary);
    this.where = find(root, ".ersd-where");
    this.figures = find(root, ".ersd-figures");
    this.took = find(root, ".ersd-took");
    this.text = new RunningText(find(root, ".ersd-text-card"), find(root, ".ersd-text"), on.step);
    this.tiles = new Tiles(find(root, ".ersd-stats"), kit);
    this.speedup = new SpeedupStrip(find(root, ".ersd-speedup"));
    this.find = new FindStep(find(root, ".ersd-find"), kit, on.step);
    this.theory = new Theory(find(root, ".ersd-theory"), this.glossary);
    this.card = new DecisionCard(find(root, ".ersd-race-card"), kit, on, this.glossary, find(root, ".ersd-echo"));
    this.glossary.mark(root.querySelectorAll(".ersd-tile .ersd-label, [data-key=target], [data-key=twice], [data-key=space]"));
    this.altText = new AltText(root);
    this.race = new RacePlayer(find(root, ".ersd-race-card"), kit, {
      announce: (words) => this.altText.announce(words),
      pause: on.pause,
    });
    this.treeLegend = new TreeLegend(find(root, ".ersd-tree-card"), kit);
    this.walk = new WalkList(find(root, ".ersd-walk"), kit, on.choice);
    const card = root.querySelector(".ersd-what-if");
    this.whatIf = card instanceof HTMLElement ? new WhatIf(card, kit.what_if) : null; // not every player has one
    this.phases = new PhaseBar(find(root, ".ersd-phases"), on.phase);
    this.calls = new CallBars(find(root, ".ersd-calls"));
    this.steps = 0;
    /** @type {StepMessage | undefined} */
    this.newest = undefined;
  }

  /**
   * Writes the status line. The messages of a busy run are not announced: there would be too many.
   *
   * @param {string} words
   * @param {"" | "busy" | "error"} [mood]
   */
  say(words, mood = "") {
    this.status.textContent = words;
    this.status.dataset.kind = mood;
    if (mood !== "busy") this.altText.announce(words);
  }

  /** @param {BeginMessage} message */
  begin(message) {
    const { prompt, fed, theory, name, exact, kind, elsewhere } = message;
    this.steps = 0;
    this.whatIf?.begin(message);
    this.text.begin(prompt, fed);
    this.theory.begin(theory);
    this.speedup.begin(elsewhere);
    this.find.begin(kind);
    this.treeLegend.begin(kind);
    this.glossary.write(this.name, name);
    this.exact.dataset.term = exact.term;
    this.exact.textContent = exact.words;
    this.exact.dataset.exact = exact.kind;
    this.newest = undefined;
    // space for a list is reserved once, so that nothing moves from step to step
    this.root.classList.toggle("listed", this.kit.kinds[kind].list !== "");
  }

  /** @param {StepMessage} step */
  add(step) {
    this.steps += 1;
    this.newest = step;
    this.text.add(step);
    this.speedup.add(step.speedup);
    this.find.add(step.find);
    this.whatIf?.add(step);
  }

  /**
   * The run is over.
   *
   * @param {string} words
   * @param {"" | "error"} mood
   * @param {EndMessage} [message] of a run that came to its end; without one it was stopped, or failed.
   */
  finish(words, mood, message) {
    if (message) this.whatIf?.end(message);
    else this.whatIf?.cutShort();
    this.say(words, mood);
  }

  /** @param {View} view */
  draw({ step, before, index, choice, focus, story, scene, caption }) {
    const isTold = scene.phase === "text";
    const isDecided = isTold || (scene.visit >= 0 && scene.settled > scene.visit);
    // until this step's story is over, the figures leave it out and its time is hidden
    const figures = isTold ? step : before;
    const shown = decisionOf(step, focus);
    const { decision } = shown;
    this.root.classList.toggle("untold", !isTold);
    this.root.classList.toggle("undecided", !isDecided);
    this.root.classList.toggle("figureless", !figures);
    this.root.classList.toggle("draftless", !step.tree.q.length);
    this.text.draw(isTold ? index : index - 1);
    this.tiles.draw((figures ?? step).stats, (this.newest ?? step).stats, decision, isTold);
    this.every.draw(step, isTold);
    this.find.draw(index);
    this.speedup.draw((figures ?? step).speedup);
    this.card.draw(step, choice, shown);
    if (!isTold) this.card.tell(caption, scene);
    this.race.draw(step, shown.vertex);
    this.walk.draw(step, shown);
    this.walk.reveal(isTold ? Infinity : scene.settled);
    this.calls.draw(step, scene);
    this.phases.draw(story, scene, caption.line);
    this.treeLegend.draw(step);
    this.altText.draw(step, this.steps, this.card.title.textContent ?? "", shown);
    this.theory.draw((figures ?? step).stats, decision);
    const place = String(index + 1).padStart(String(this.steps).length, FIGURE_SPACE);
    this.figures.textContent = figuresOf(figures ?? step, this.newest ?? step, isTold);
    this.took.textContent = tookOf(step);
    this.took.title = step.speedup.step;
    this.where.textContent = `step ${place} / ${this.steps}${isTold ? ` · ${step.title}` : ""}`;
  }

  /** The player has another width: what was in sight may be hidden. */
  resize() {
    this.card.list.isNew = true;
    this.scroll();
  }

  /** Scrolls the current items into sight. It measures positions, so it comes last: the page is laid out once per step. */
  scroll() {
    for (const part of [this.text, this.walk, this.card.list]) part.scroll();
  }

  /** Announces the view to screen readers. */
  announce() {
    const { title, sentence, note } = this.card;
    this.altText.announce([this.where, this.phases.line, title, sentence, note].map(({ textContent }) => textContent).join(". "));
  }
}
