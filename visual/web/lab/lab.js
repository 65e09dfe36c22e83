// The race lab: probabilities that a reader pulls, one trial in the page's own frame, and thousands of trials counted. The server runs the
// trials by the engine's rules (visual/server/tabs/lab.py); here is what was chosen, and what is drawn of the answer.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { around, find, offWhile } from "../base/dom.js";
import { isPlain } from "../base/keys.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { drawnByLook } from "../plot/look.js";
import { partOf } from "../base/parts.js";
import { Questions } from "../base/questions.js";
import { boxed, drawIn, plain } from "../base/templates.js";
import { decisionInView } from "../decision/decision.js";
import { DecisionPicture } from "../decision/picture.js";
import { PICTURES, pictureKindOf } from "../decision/picture_kinds.js";
import { Tries } from "../decision/tries.js";
import { html } from "../lit-html.js";
import { choiceIn, keepInAddress } from "./address.js";
import { Bars } from "./bars.js";
import { LabCharts } from "./charts.js";
import { Controls } from "./controls.js";
import { drawFigures, drawOutput } from "./counts.js";
import { likeliest, scaleOf } from "./probabilities.js";
import { Strip } from "./strip.js";

/**
 * Starts the lab; the component (visual/ui/tabs/lab.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Lab.LabKit} kit
 */
export function mount(element, kit) {
  const lab = new Lab(element, kit, kitOfPage(), document.getElementById("lab") ?? element);
  lab.open(new URLSearchParams(location.search));
  lab.isInAddress = true;
}

/** One lab; a page may have several. */
export class Lab {
  /**
   * @param {HTMLElement} element
   * @param {T.Lab.LabKit} kit
   * @param {T.Kit} pageKit
   * @param {HTMLElement} host carries data-trials, data-tv, data-accepted.
   */
  constructor(element, kit, pageKit, host) {
    this.root = find(element, ".ersd-lab");
    this.host = host;
    this.isInAddress = false; // its choices are kept in the page's address
    this.kit = kit;
    this.pageKit = pageKit;
    const part = (/** @type {string} */ selector) => find(this.root, selector);
    this.choice = choiceIn(new URLSearchParams(), kit).choice;
    /** @type {T.Lab.LabAnswer | null} */
    this.answer = null;
    this.announcer = new Announcer(part(".ersd-announcer"));
    this.note = part(".lab-note");
    this.controls = new Controls(this.root, kit, { change: (change) => this.change(change), last: () => this.lastDecision() });
    this.bars = new Bars(part(".lab-bars"), this.note, (side, values) => this.change({ [side]: values, start: "own" }));
    this.picture = new DecisionPicture(part(".lab-decision"), pageKit);
    this.tries = new Tries(part(".ersd-tries"), part(".ersd-tries-head"), pageKit, {
      choice: () => {},
      pick: (stage) => this.picture.pick(stage),
    });
    this.charts = new LabCharts(part(".lab-curves"), part(".lab-shares"));
    this.strip = new Strip(part(".lab-strip"), part(".lab-summary"), part(".lab-jump"), (trial) => this.change({ trial }));
    /** @type {Questions<T.Lab.Choice, T.Lab.LabAnswer>} */
    this.questions = new Questions(
      kit.address,
      (answer) => this.receive(answer),
      (words) => (this.note.textContent = words),
    );
    this.redraw = drawnByLook(lifetimeOf(this.root), this.root, (look) => this.draw(look));
    this.listen();
  }

  /** @param {URLSearchParams} parameters what to begin with, as in an address. */
  open(parameters) {
    const { choice, problem } = choiceIn(parameters, this.kit);
    this.choice = choice;
    this.note.textContent = problem;
    this.show();
    this.ask();
  }

  listen() {
    this.root.addEventListener("click", (event) => {
      const action = around(event, "[data-do]")?.dataset.do;
      if (action) this.act(action);
      const view = around(event, "[data-view-of-lab]")?.dataset.viewOfLab;
      if (view) this.turnTo(view);
    });
    this.root.addEventListener("keydown", (event) => {
      const moves = { ArrowLeft: "previous", ArrowRight: "next" };
      const action = around(event, ".lab-strip") && moves[/** @type {keyof typeof moves} */ (event.key)];
      if (!action || !isPlain(event)) return;
      event.preventDefault();
      this.act(action);
    });
  }

  /** @param {string} action */
  act(action) {
    const { choice, kit } = this;
    if (action === "swap") this.change({ p: choice.q, q: choice.p, start: "own" });
    if (action === "count") this.change({ trials: Math.max(...kit.trials), seed: (choice.seed + 1) % Number.MAX_SAFE_INTEGER });
    if (action === "next") this.change({ trial: (choice.trial + 1) % Math.max(...kit.trials) });
    if (action === "previous") this.change({ trial: Math.max(0, choice.trial - 1) });
    if (action === "play") this.play();
  }

  /** @param {string} view */
  turnTo(view) {
    this.root.dataset.part = view;
    for (const button of /** @type {Iterable<HTMLElement>} */ (this.root.querySelectorAll("[data-view-of-lab]"))) {
      button.ariaPressed = String(button.dataset.viewOfLab === view);
    }
    this.redraw();
  }

  play() {
    const button = /** @type {HTMLButtonElement} */ (find(this.root, "[data-do=play]"));
    offWhile(button, (done) => this.picture.run(done));
  }

  /** @param {Partial<T.Lab.Choice>} change */
  change(change) {
    this.choice = { ...this.choice, ...change };
    this.note.textContent = "";
    this.show();
    this.ask();
  }

  /** What is known without the server. */
  show() {
    const { names, p, q } = this.choice;
    this.controls.draw(this.choice);
    this.bars.draw(names, p, q);
  }

  ask() {
    if (this.isInAddress) keepInAddress(this.choice, this.kit);
    this.questions.ask(this.choice);
  }

  /** @param {T.Lab.LabAnswer} answer */
  receive(answer) {
    this.answer = answer;
    this.redraw();
    const { counts, words } = answer;
    this.announcer.report(words.headline.map(([, text]) => text).join(""));
    Object.assign(this.host.dataset, { trials: counts.trials, tv: counts.tv, accepted: counts.accepted });
  }

  /** @param {T.PageLook} look of the whole lab */
  draw(look) {
    const { answer, pageKit } = this;
    if (!look.width) this.picture.stop(); // in a hidden tab
    if (!answer || !look.width) return;
    const { words, counts, charts, decision } = answer;
    const { rule, k, names, p, bug, trial } = this.choice;
    const { joint: isSequence, most, samples } = this.kit.rules[rule];
    const { lab: trials, canRun } = pictureKindOf(decision, pageKit);
    const broken = bug !== "" && counts.is_off && charts.deviates === 0;
    const [title, note] = sharesTitle(isSequence, broken, bug ? PICTURES.probabilities.lab : trials); // of a broken rule, too, guesses are counted
    drawIn(this.root, {
      ".lab-headline": words.headline.map(([kind, text]) => (kind ? sign(kind, text) : boxed(text))),
      ".lab-sentence": boxed(words.sentence),
      ".lab-rule-note": words.rule,
      ".lab-leanings": boxed(words.leanings),
      ".lab-output-caption": boxed(words.output),
      ".lab-say": boxed(decision.say),
      ".lab-race-title": trials.title,
      ".lab-race-note": `trial ${(trial + 1).toLocaleString("en")}${most === 0 ? "" : `: ${samples ? trials.randomness : "no chance"}`}`,
      "[data-do=next]": samples ? trials.next : "Next trial",
      ".lab-curves-title": isSequence ? "Accepted tokens against k" : "Acceptance against k",
      ".lab-curves-note": isSequence
        ? "mean of 5,000 trials each; circle: these trials"
        : `lines: theory for these p and q; circle: ${bug ? "the broken rule, " : ""}measured`,
      ".lab-shares-title": title,
      ".lab-shares-note": note,
    });
    const part = (/** @type {string} */ selector) => find(this.root, selector);
    part("[data-do=play]").hidden = !canRun;
    part(".lab-curves-card").hidden = !charts.curves.length;
    part(".lab-shares-card").hidden = !charts.shares.length;
    part(".lab-charts").classList.toggle("none", !charts.curves.length && !charts.shares.length);
    this.root.classList.toggle("broken", counts.is_off);
    this.root.classList.toggle("undrafted", most === 0);
    drawFigures(part(".lab-figures"), counts, charts, { isSequence, drafts: most !== 0, samples });
    this.bars.fill(counts);
    drawOutput(part(".lab-outputs"), names, p, counts);
    this.strip.draw(counts, trial);
    this.drawDecision(decision, look);
    void this.charts.draw(charts, counts, { rule, k, isBroken: counts.is_off, isSequence }, look, pageKit.decision.layout);
  }

  /** @param {T.Decision} decision @param {T.PageLook} look */
  drawDecision(decision, look) {
    const { clientWidth: width, clientHeight: height } = find(this.root, ".lab-decision");
    const step = /** @type {T.StepMessage} */ (/** @type {unknown} */ (this.answer));
    this.tries.draw(step, decision);
    this.tries.reveal(Infinity, true);
    if (width) void this.picture.draw(step, scaled(decision), { ...look, width, height });
  }

  /** The probabilities of the decision in view in the Generate tab. */
  lastDecision() {
    const view = partOf(document.getElementById("player"))?.view();
    const decision = view && decisionInView(view.step, view.focus).decision;
    const found = decision?.q && likeliest({ names: decision.names, p: decision.p, q: decision.q }, this.kit.presets.names.length - 2);
    if (found && found.names.length > 1) this.change({ ...found, start: "last" });
    else this.note.textContent = "There is no step with a draft to take probabilities from: generate a text first.";
  }
}

/** @param {string} kind @param {string} text */
const sign = (kind, text) => html`<span class=${kind}><i .textContent=${kind === "accepted" ? "✓ " : "✕ "}></i>${plain(text)}</span>`;

/** Probability bars of the lab use the scale of its columns. @param {T.Decision} decision */
const scaled = (decision) =>
  decision.scale === undefined ? decision : { ...decision, scale: scaleOf([...decision.p, ...(decision.q ?? [])]) };

/**
 * @param {boolean} isSequence
 * @param {boolean} hides acceptance is right although the output is not.
 * @param {{ shares: [string, string] }} words
 */
function sharesTitle(isSequence, hides, { shares }) {
  if (isSequence) return ["How many were accepted?", "share of the trials"];
  if (hides) return ["Acceptance looks right", "counting it never finds this bug"];
  return shares;
}
