// Every decision of a step as tables: probabilities, clocks, arrival times, coins. Built when its section is open and the step is over.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { quoted } from "../base/format.js";
import { digitsApart, number } from "../base/numbers.js";
import { boxed, cellsOf, draw, tableOf } from "../base/templates.js";
import { pictureKindOf } from "../decision/picture_kinds.js";
import { html, nothing } from "../lit-html.js";

export class DecisionTable {
  /** @param {HTMLElement} section the `details` element. @param {T.Kit} kit @param {T.Glossary} glossary */
  constructor(section, kit, glossary) {
    this.section = /** @type {HTMLDetailsElement} */ (section);
    this.kit = kit;
    this.glossary = glossary;
    this.box = find(section, ".ersd-every-box");
    /** @type {T.StepMessage | null} */
    this.step = null;
    /** @type {T.StepMessage | null} */
    this.built = null;
    section.addEventListener("toggle", () => this.build());
  }

  /** Before the step is over nothing is shown. @param {T.PanelView} view */
  draw({ step, isFinished }) {
    this.step = isFinished ? step : null;
    this.build();
  }

  build() {
    const isOpen = this.section.open;
    const step = isOpen ? this.step : null;
    if (step && step === this.built) return;
    this.built = step;
    const note = isOpen ? html`<p>Shown when the step has been played.</p>` : nothing;
    draw(this.box, step ? this.partsOf(step) : note);
  }

  /** @param {T.StepMessage} step */
  partsOf(step) {
    const visits = Object.entries(step.decisions).sort(([one], [other]) => Number(one) - Number(other)); // parents come first
    const single = step.single && html`<p class="ersd-single">${this.glossary.marked(step.single)}</p>`;
    return [single, ...visits.map(([, decision]) => this.nodeOf(step, decision))];
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision */
  nodeOf(step, decision) {
    const { heads, cellsOf: columnsOf } = pictureKindOf(decision, this.kit).table;
    const cells = columnsOf(decision, this.kit.numbers);
    const lines = decision.names.map((name, row) => [this.kit.marks[decision.marks[row]].sign, name, ...cells[row]]);
    const figures = factsOf(decision, this.kit)
      .map(([label, value]) => `${label} ${number(value, this.kit.numbers)}`)
      .join(" · ");
    return html`<section>
      <h3>${boxed(decision.title)}</h3>
      ${tableFrom(["", "token", ...heads], lines, decision.chosen)}
      <p class="ersd-every-figures">${this.glossary.marked(figures)}</p>
      ${triesOf(step, decision, this.kit.numbers)}
    </section>`;
  }
}

/** Names and values of the figures that are known. @param {T.Decision} decision @param {T.Kit} kit */
function factsOf({ facts }, kit) {
  const labels = /** @type {[keyof T.Facts, string][]} */ (Object.entries(kit.decision.figures));
  return labels.flatMap(([name, label]) => (facts[name] === undefined ? [] : [/** @type {const} */ ([label, facts[name]])]));
}

/**
 * The coins of a node, or of a whole sequence at the node where it was decided.
 * @param {T.StepMessage} step
 * @param {T.Decision} decision
 * @param {T.NumberFormat} format
 */
function triesOf({ tree, block }, { tries, leaf }, format) {
  if (tries) {
    const pairs = tries.map(({ ratio, coin }) => [ratio, coin ?? ratio]);
    const digits = digitsApartIn(pairs, format);
    const lines = tries.map(({ vertex, ratio, coin, accepted }) => [
      accepted ? "✓" : "✕",
      tree.names[vertex],
      ...[ratio, coin].map((one) => (one === null ? "–" : number(one, format, digits))),
    ]);
    return tableFrom(["", "try", "ratio", "coin"], lines, -1);
  }
  if (!block || leaf) return nothing;
  const pairs = block.coin.map((coin, vertex) => [block.keep[vertex], coin]);
  const digits = digitsApartIn(pairs, format);
  const lines = block.coin.map((coin, vertex) => [
    vertex < block.kept ? "✓" : "✕",
    tree.names[vertex],
    number(block.ratio[vertex], format),
    number(block.joint[vertex], format),
    ...[block.keep[vertex], coin].map((one) => number(one, format, digits)),
  ]);
  return tableFrom(["", "sequence", "p ÷ q", "joint", "keep", "coin"], lines, -1);
}

/** The digits with which the two numbers of every line differ. @param {number[][]} lines @param {T.NumberFormat} format */
const digitsApartIn = (lines, format) => Math.max(...lines.map((line) => digitsApart(line, format)));

/** @param {string[]} heads @param {string[][]} lines sign, token, numbers @param {number} chosen the line of the chosen token */
function tableFrom(heads, lines, chosen) {
  const rows = lines.map(([sign, name, ...numbers], place) => {
    const token = html`<th scope="row">${boxed(quoted(name))}</th>`;
    return html`<tr class=${place === chosen ? "chosen" : nothing}>
      ${cellsOf([sign])}${token}${cellsOf(numbers)}
    </tr>`;
  });
  const head = heads.map((words) => (words ? html`<th .textContent=${words}></th>` : html`<td></td>`));
  return html`<div class="ersd-every-table">${tableOf(head, rows)}</div>`;
}
