// Every decision of a step as tables: probabilities, clocks, arrival times, coins. Built when its section is open and the step is over.

/** @import * as T from "../types" */
import { make, refill } from "../base/dom.js";
import { comesOut, digitsApart, number } from "../base/numbers.js";
import { boxed } from "./token_boxes.js";

/** @type {[keyof T.Facts, string][]} */
const FIGURES = [
  ["tv", "TV(P, Q)"],
  ["kl", "KL"],
  ["d_hm", "D_HM"],
  ["entropy", "entropy"],
  ["match", "match"],
  ["rho", "ρ*"],
  ["predicted", "predicted"],
  ["optimum", "predicted ≤"],
  ["bias", "TV paid"],
];

const LATE = 1000; // later arrivals are not told apart, as in the picture

/** Draws the section's content. */
export class DecisionTable {
  /**
   * @param {HTMLElement} section the `details` element.
   * @param {T.Kit} kit
   * @param {T.Glossary} glossary
   */
  constructor(section, kit, glossary) {
    this.section = /** @type {HTMLDetailsElement} */ (section);
    this.kit = kit;
    this.glossary = glossary;
    this.box = make("div", "ersd-every-box");
    section.append(this.box);
    /** @type {T.StepMessage | null} */
    this.step = null;
    /** @type {T.StepMessage | null} */
    this.built = null;
    section.addEventListener("toggle", () => this.build());
  }

  /**
   * @param {T.StepMessage} step
   * @param {boolean} isTold whether the step is over: before that nothing is shown.
   */
  draw(step, isTold) {
    this.step = isTold ? step : null;
    this.build();
  }

  build() {
    const isOpen = this.section.open;
    const step = isOpen ? this.step : null;
    if (step && step === this.built) return;
    this.built = step;
    const note = isOpen ? [make("p", "", "Shown when the step has been played.")] : [];
    refill(this.box, ...(step ? this.partsOf(step) : note));
  }

  /** @param {T.StepMessage} step */
  partsOf(step) {
    const visits = Object.entries(step.decisions).sort(([one], [other]) => Number(one) - Number(other)); // parents come first
    const nodes = visits.map(([, decision]) => this.nodeOf(step, decision));
    if (!step.single) return nodes;
    const single = make("p", "ersd-single");
    this.glossary.write(single, step.single);
    return [single, ...nodes];
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision */
  nodeOf(step, decision) {
    const node = make("section");
    const title = make("h3");
    title.append(...boxed(decision.title));
    const figures = make("p", "ersd-every-figures");
    const known = FIGURES.filter(([id]) => decision.facts[id] !== undefined);
    this.glossary.write(figures, known.map(([id, label]) => `${label} ${number(decision.facts[id], this.kit.numbers)}`).join(" · "));
    node.append(title, this.tableOf(decision), figures);
    const tries = triesOf(step, decision, this.kit.numbers);
    if (tries) node.append(tries);
    return node;
  }

  /** @param {T.Decision} decision */
  tableOf(decision) {
    const { names, marks, p, q, clock } = decision;
    const heads = clock ? ["", "token", "q", "p", "E", "E ÷ q", "E ÷ p"] : ["", "token", "q", "p"];
    const format = this.kit.numbers;
    const cells = clock ? raceRows(clock, q, p, format) : p.map((one, row) => [written(q && q[row], format), number(one, format)]);
    const lines = names.map((name, row) => [this.kit.marks[marks[row]].sign, name, ...cells[row]]);
    return tableFrom(heads, lines, decision.chosen);
  }
}

/**
 * The cells of a race, a line for each token. A column has one number of digits, with which all its divisions come out as printed.
 * @param {number[]} clocks
 * @param {number[] | null} q null: the draft was not run.
 * @param {number[]} p
 * @param {T.NumberFormat} format
 * @returns {string[][]} q, p, E, E ÷ q, E ÷ p of each token
 */
export function raceRows(clocks, q, p, format) {
  const sides = [q, p];
  const arrivals = sides.map((side) => clocks.map((clock, row) => arrival(clock, side && side[row], format)));
  const comeOut = (/** @type {number} */ at, /** @type {number} */ over, /** @type {number} */ under) =>
    clocks.every((clock, row) => {
      const divisor = sides[at]?.[row];
      return !divisor || comesOut([number(clock, format, over), number(divisor, format, under), arrivals[at][row]]);
    });
  const wishes = Array.from({ length: format.most - 1 }, (_, more) => 2 + more);
  const fitting = (/** @type {number} */ over) => sides.map((_, at) => wishes.find((under) => comeOut(at, over, under)));
  const over = wishes.find((digits) => fitting(digits).every(Boolean)) ?? format.most;
  const unders = fitting(over);
  return clocks.map((clock, row) => [
    ...sides.map((side, at) => written(side && side[row], format, unders[at])),
    number(clock, format, over),
    ...arrivals.map((column) => column[row]),
  ]);
}

/** @param {number} clock @param {number | null} under @param {T.NumberFormat} format */
function arrival(clock, under, format) {
  if (!under) return under === null ? "–" : format.infinite;
  return clock / under > LATE ? `> ${number(LATE, format)}` : number(clock / under, format);
}

/** @param {number | null} value @param {T.NumberFormat} format @param {number} [digits] */
const written = (value, format, digits) => (value === null ? "–" : number(value, format, digits));

/**
 * The coins of a node, or of a whole sequence at the node where it was decided.
 * @param {T.StepMessage} step
 * @param {T.Decision} decision
 * @param {T.NumberFormat} format
 */
function triesOf({ tree, block }, { tries, leaf }, format) {
  if (tries) {
    const digits = digitsApartIn(
      tries.map(({ ratio, coin }) => [ratio, coin]),
      format,
    );
    const lines = tries.map(({ vertex, ratio, coin, accepted }) => [
      accepted ? "✓" : "✕",
      tree.names[vertex],
      ...[ratio, coin].map((one) => number(one, format, digits)),
    ]);
    return tableFrom(["", "try", "ratio", "coin"], lines, -1);
  }
  if (!block || leaf) return null;
  const digits = digitsApartIn(
    block.coin.map((coin, vertex) => [block.keep[vertex], coin]),
    format,
  );
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

/**
 * @param {string[]} heads
 * @param {string[][]} lines sign, token, numbers.
 * @param {number} chosen the line of the chosen token.
 */
function tableFrom(heads, lines, chosen) {
  const table = make("table");
  const head = make("tr");
  head.append(...heads.map((words) => make(words ? "th" : "td", "", words)));
  table.createTHead().append(head);
  table.createTBody().append(
    ...lines.map(([sign, name, ...numbers], place) => {
      const line = make("tr", place === chosen ? "chosen" : "");
      const token = make("th");
      token.scope = "row";
      token.append(...boxed(name.startsWith("“") ? name : `“${name}”`));
      line.append(make("td", "", sign), token, ...numbers.map((words) => make("td", "", words)));
      return line;
    }),
  );
  const frame = make("div", "ersd-every-table");
  frame.append(table);
  return frame;
}
