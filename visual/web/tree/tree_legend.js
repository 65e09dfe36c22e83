// The note beside the tree's title, and the legend under the tree: only keys of what is in the picture.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { count } from "../base/format.js";
import { plain } from "../base/templates.js";
import { html, render } from "../lit-html.js";
import { askedOf } from "../story/visits.js";
import { ROOT } from "./items.js";

export class TreeLegend {
  /** @param {HTMLElement} panel each key has the name of its subject in `data-key` @param {T.Kit} kit */
  constructor(panel, kit) {
    this.kit = kit;
    this.note = find(panel, ".ersd-tree-note");
    this.keys = /** @type {HTMLElement[]} */ ([...panel.querySelectorAll("[data-key]")]);
    this.shown = find(panel, ".ersd-shown-key");
    this.kind = "";
  }

  /** Each kind of rule has its own names for accepted and rejected. @param {T.BeginMessage} message */
  begin({ kind }) {
    const { kinds, signs } = this.kit;
    this.kind = kind;
    this.shown.textContent = `the ${kinds[kind].decisions.one.toLowerCase()} shown follows it; click a number for another`;
    for (const [fate, words] of Object.entries(kinds[kind].fates)) {
      const key = this.keys.find(({ dataset }) => dataset.key === fate);
      if (key) key.textContent = `${signs[fate]} ${words}`;
    }
    for (const key of this.keys) if (key.dataset.key === "twice") key.textContent = kinds[kind].twice;
  }

  /** @param {T.PanelView} view */
  draw({ step, scene }) {
    const { tree } = step;
    const isFinished = scene.phase === "text";
    /** @type {Set<string>} */
    const drawn = new Set(isFinished ? tree.states : []);
    if (scene.phase === "walk") drawn.add("accepted").add("rejected");
    if (isFinished && tree.q.length) drawn.add("q").add("shown");
    if (askedOf(step).length) drawn.add("turns");
    if (Object.values(step.decisions).some(({ tries = [] }) => tries.some(({ lowered }) => lowered))) drawn.add("lowered");
    if (tree.draws.some((times) => times > 1)) drawn.add("twice");
    for (const key of this.keys) key.hidden = !drawn.has(key.dataset.key ?? "");
    const alone = isFinished && !step.copied && !step.routing ? aloneOf(step) : "";
    const copied = step.copied && ` · ${step.copied.words}${isFinished ? `, ${step.copied.kept}` : ""}`;
    const source = step.routing && ` · from ${step.routing.names[step.routing.chosen]}`;
    this.note.title = [this.noteOf(step, scene), source ?? "", copied ?? "", alone].join(""); // a narrow card does not show all of it
    render(
      [
        plain(this.noteOf(step, scene)),
        plain(source ?? ""),
        plain(copied ?? ""),
        html`<span class="ersd-alone" .textContent=${alone}></span>`,
      ],
      this.note,
    );
  }

  /** @param {T.StepMessage} step @param {T.Scene} scene */
  noteOf({ tree, draft_calls: calls, changes }, { phase, calls: call }) {
    if (changes) return this.kit.redraw.words.redrawn;
    const drafted = tree.q.length;
    if (!drafted) return "nothing was drafted";
    if (phase === "draft") return `draft call ${call} of ${calls}`;
    if (phase === "score") return `complete: ${count(drafted, "token")}`;
    if (phase === "walk") return this.kit.kinds[this.kind].decisions.follow;
    const unreached = tree.states.filter((state) => state === "not reached").length;
    const many = drafted > 16;
    const note = many && unreached ? `, ${unreached} never reached` : "";
    return `${count(drafted, "token")} in ${count(calls, many ? "call" : "draft call")}${note}`;
  }
}

/** What a single drafted token would have given; empty where that is not known. @param {T.StepMessage} step */
function aloneOf({ tree, decisions, with_one: withOne, block }) {
  if (!withOne || tree.q.length < 2) return "";
  const gained = withOne > 1;
  // K-SEQ is stricter with more guesses, and so are the first coins of a block
  const rho = gained && decisions[ROOT].facts.rho !== undefined && tree.states[0] === "rejected" ? " (ρ is 1 then)" : "";
  const limit = gained && block && block.coin[0] >= block.keep[0] ? " (higher limit)" : "";
  return ` · with only 1 drafted: ${count(withOne, "token")}${rho}${limit}`;
}
