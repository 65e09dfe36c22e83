// Was it worth it? Tokens per call against one, and time against decoding without a draft, both as numbers with bars.

/** @import * as T from "../types" */
import { formatFactor, signOf } from "./cost_ratio.js";
import { find } from "../base/dom.js";
import { count } from "../base/format.js";
import { decimal, duration } from "../base/numbers.js";
import { html, nothing, render } from "../lit-html.js";
import { acceptedAt } from "../story/story.js";

const MAX_STRAY = 0.5; // share by which a target call may stray from its expected time

/** @typedef {{ step: T.StepMessage, before: T.StepMessage | undefined, newest: T.StepMessage, isOver: boolean }} RunSoFar the step in view, the one before it, the newest, and whether the run is over */

export class Figures {
  /** @param {HTMLElement} box @param {() => void} onElsewhere the speed on other machines is asked for. */
  constructor(box, onElsewhere) {
    this.box = box;
    this.perCall = find(box, ".ersd-value");
    this.perCallOf = find(box, ".ersd-per-call .ersd-scope");
    this.blocks = find(box, ".ersd-blocks");
    this.speedup = find(box, ".ersd-speedup");
    this.factor = find(box, ".ersd-factor");
    this.worth = find(box, ".ersd-worth");
    this.over = find(box, ".ersd-over");
    this.parts = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".ersd-time .ersd-bar i")]);
    this.stepMs = find(box, ".ersd-ms");
    this.stepFactor = find(box, ".ersd-step-factor");
    this.boxes = find(box, ".ersd-boxes");
    this.aloneMs = find(box, ".ersd-alone-ms");
    this.reason = find(box, ".ersd-reason");
    this.oneText = { words: "", help: "" }; // what is said of a whole run
    /** @type {number | null} */
    this.alone = null; // milliseconds per token without a draft, under the load of all steps received
    find(this.reason, "button").addEventListener("click", onElsewhere);
  }

  /** @param {T.BeginMessage} message */
  begin({ one_text: oneText }) {
    this.oneText = oneText;
  }

  /** @param {T.PanelView} view */
  draw({ story, scene, soFar }) {
    const { figures, scope } = countedAt(scene, soFar, this.oneText.words);
    this.drawPerCall(figures, scope);
    this.perCallOf.title = scope === this.oneText.words ? this.oneText.help : "";
    this.drawSpeed(figures);
    this.alone = soFar.newest.speedup.alone;
    this.move(story, scene);
    find(this.reason, "span").textContent = reasonFrom(figures);
    this.reason.style.visibility = figures && !figures.speedup.basis ? "hidden" : ""; // a run without a draft
  }

  /** @param {T.StepMessage | undefined} figures @param {string} scope */
  drawPerCall(figures, scope) {
    this.perCall.textContent = figures?.stats.per_call ?? "–";
    this.perCallOf.textContent = scope;
    const tokens = Number(figures?.stats.per_call ?? 0);
    const full = Math.floor(tokens);
    const widths = [...Array(full).fill(1), tokens - full].filter((width) => width > 0.01);
    this.blocks.style.setProperty("--blocks", String(Math.max(8, widths.length)));
    const blocks = widths.map((width) => html`<i style="flex-grow: ${width}"></i>`);
    render([blocks, tokens < 8 ? html`<b style="flex-grow: ${8 - tokens}"></b>` : nothing], this.blocks);
    find(this.box, ".ersd-one").style.setProperty("--one", String(1 / Math.max(8, tokens)));
    this.perCall.title = figures ? `${figures.stats.tokens} / ${figures.index + 1} = ${figures.stats.per_call}` : "";
  }

  /** @param {T.StepMessage | undefined} figures */
  drawSpeed(figures) {
    const { factor = null, over = "", missing = "step 1 reads the prompt" } = figures?.speedup ?? {};
    const isSlower = factor !== null && signOf(factor) === "▼";
    this.speedup.dataset.value = factor === null ? "" : String(factor);
    this.speedup.classList.toggle("slower", isSlower);
    this.factor.textContent = factor === null ? "–" : `${signOf(factor)} ${formatFactor(factor)}×`.trim();
    const isFaster = factor !== null && signOf(factor) === "▲";
    this.worth.textContent = `as fast${isSlower ? ": slower" : ""}${isFaster ? ": faster" : ""}`;
    this.over.textContent = factor === null ? missing : over;
    this.over.title = factor === null ? missing : "Step 1 is left out: it also reads the prompt";
  }

  /**
   * What moves within a phase, the bars of this step's time: its parts as far as they are over, and a box for each token known.
   * @param {T.Story} story
   * @param {T.Scene} scene
   */
  move(story, scene) {
    const { bar, stats, speedup, index } = story.step;
    const { draft, verify, accept } = stats.times;
    const isFinished = scene.phase === "text";
    const isKnown = this.alone !== null && speedup.basis !== null;
    const tokens = acceptedAt(story, scene) + (isFinished ? bar.own : 0);
    const [all, alone] = [draft + verify + accept, tokens * (this.alone ?? 0)];
    const scale = Math.max(all, isKnown ? alone : 0) || 1;
    const done = shareOver(scene, story.step.draft_calls);
    [draft, verify, accept].forEach((ms, place) => {
      this.parts[place].style.width = `${((100 * ms * done[place]) / scale).toFixed(2)}%`;
    });
    this.boxes.style.width = "";
    this.boxes.style.setProperty("--tokens", String(Math.max(1, tokens)));
    this.boxes.style.setProperty("--share", isKnown ? (alone / scale).toFixed(4) : "0");
    this.stepMs.textContent = isFinished ? duration(all).text : "";
    this.aloneMs.textContent = isFinished && isKnown ? duration(alone).text : "";
    this.stepMs.title = `draft ${draft.toFixed(1)} + verify ${verify.toFixed(1)} + accept ${accept.toFixed(1)} ms${index ? "" : ", with the prompt"}`;
    if (!isFinished) this.stepMs.title = "";
    this.drawStepFactor(isFinished && isKnown ? stepFactor(story.step, this.alone) : null);
  }

  /** @param {number | null} factor this step against as many tokens without a draft; null: not known yet, or not comparable. */
  drawStepFactor(factor) {
    this.stepFactor.textContent = factor === null ? "" : `${signOf(factor)}${formatFactor(factor)}×`;
    this.stepFactor.classList.toggle("slower", factor !== null && signOf(factor) === "▼");
  }
}

/**
 * Whether a step's target call took about as long as calls of its size do under the load of the run: a single time that strays by more
 * than half says nothing of the method. Step 1 reads the prompt too.
 * @param {T.StepMessage} step
 * @param {number | null} alone milliseconds per token without a draft, under the load of the run.
 */
function isUsual({ index, stats, speedup }, alone) {
  if (!index || !alone || !speedup.call) return false;
  return Math.abs(stats.times.verify / (speedup.call.usual * alone) - 1) <= MAX_STRAY;
}

/**
 * A step against as many tokens without a draft; null where its time says nothing, or would be shorter than its target call allows.
 * @param {T.StepMessage} step
 * @param {number | null} alone milliseconds per token without a draft, under the load of the run.
 */
export function stepFactor(step, alone) {
  const { bar, stats, speedup } = step;
  if (!isUsual(step, alone) || !speedup.call) return null;
  const { draft, verify, accept } = stats.times;
  const factor = duration((bar.accepted + bar.own) * (alone ?? 0)).ms / duration(draft + verify + accept).ms;
  return factor <= speedup.call.most ? factor : null;
}

/**
 * The times of a step in words, and of its tokens without a draft.
 * @param {T.StepMessage} step
 * @param {number | null} alone milliseconds per token without a draft, under the load of the run.
 */
export function timesOf(step, alone) {
  const { speedup, bar, index } = step;
  if (alone === null || !speedup.basis) return speedup.step;
  const tokens = bar.accepted + bar.own;
  const without = `without a draft ${count(tokens, "token")} · ${alone} = ${decimal(tokens * alone, 1)} ms`;
  const stray = index && speedup.call && stepFactor(step, alone) === null ? "no factor, since this call took an unusual time" : "";
  return [speedup.step, without, speedup.price, stray].filter(Boolean).join("; ");
}

/** Why the run is faster or slower than without a draft, as far as that is known. @param {T.StepMessage | undefined} figures */
function reasonFrom(figures) {
  const { reason = "", hint = "" } = figures?.speedup ?? {};
  const sentences = [reason || "What a call costs decides", hint].filter(Boolean);
  return `${sentences.join(". ")}:`;
}

/**
 * The step up to which figures count, and what that is called: until a step's tokens are in the text, it does not count.
 * @param {T.Scene} scene
 * @param {RunSoFar} soFar
 * @param {string} [whole] what the figures of a whole run are called
 * @returns {{ figures: T.StepMessage | undefined, scope: string }}
 */
export function countedAt(scene, { step, before, newest, isOver }, whole = "") {
  const isWhole = isOver && scene.isOver;
  const known = scene.phase === "text" ? step : before;
  const figures = isWhole ? newest : known;
  if (!figures) return { figures, scope: "after the first step" };
  if (isWhole) return { figures, scope: whole };
  return { figures, scope: figures.index ? `so far, steps 1–${figures.index + 1}` : "so far, step 1" };
}

/** Shares of the step's draft calls, of its target call and of its check that are over. @param {T.Scene} scene @param {number} calls */
function shareOver({ phase, calls: begun, calling, sweep, progress }, calls) {
  if (phase === "draft") return [(begun - 1 + calling) / Math.max(1, calls), 0, 0];
  if (phase === "score") return [1, sweep, 0];
  return [1, 1, phase === "walk" ? progress : 1];
}
