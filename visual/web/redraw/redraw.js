// A recorded step as it would be at another temperature and with fewer drafted tokens, as far as what was recorded says for certain. Pure.
//
// The walk is that of the engine: at every node the target's first arrival, accepted if it is one of the draft's first. The shape is that of
// the run's tree with this k at this step. A node that was never scored, or two arrivals too close to tell apart, end what is certain.

/** @import * as T from "../types" */
import { count } from "../base/format.js";
import { redrawnDecision } from "./decision.js";
import { raceAt, recordedRace } from "./race.js";
import { ROOT } from "../tree/items.js";

const UNKNOWN = "?";

/**
 * @typedef {{ temperature: number, k: number }} RedrawAt
 * @typedef {object} Redrawn
 * @property {T.StepMessage} step for the pictures; where it needs a run, without a token of the target's own
 * @property {number} kept guesses accepted for certain
 * @property {string} why it needs a run from there on; empty where it does not
 * @property {boolean} isSameText the recorded text goes on with its tokens
 * @typedef {{ rank?: number, name?: string, row?: number, why?: string }} Verdict as `Chosen`; `why`: it needs a run
 */

/**
 * @param {T.StepMessage} step as recorded
 * @param {number[][]} shape children of every node in order of rank; node 0 is the root
 * @param {number} recorded temperature
 * @param {RedrawAt} choice
 * @param {T.Kit} kit
 * @returns {Redrawn}
 */
export const redraw = (step, shape, recorded, choice, kit) => new Redrawing(step, shape, recorded, choice, kit).done();

class Redrawing {
  /** @param {T.StepMessage} step @param {number[][]} shape @param {number} recorded @param {RedrawAt} choice @param {T.Kit} kit */
  constructor(step, shape, recorded, { temperature }, kit) {
    this.was = step;
    this.shape = shape;
    this.kit = kit;
    this.words = kit.redraw.words;
    this.power = recorded / temperature;
    this.place = kit.redraw.temperatures.indexOf(temperature);
    this.isAsHot = temperature === recorded;
    /** @type {T.Tree} */
    this.tree = { ...step.tree, names: [], parents: [], states: [], q: [], draws: [], call_of: [], ranks: [], why: {} };
    /** @type {Record<string, T.Decision>} */
    this.decisions = {};
    /** @type {T.TextToken[]} */
    this.text = [];
    /** @type {NonNullable<T.StepMessage["changes"]>} */
    this.changes = [];
    this.isSameText = true;
    this.why = "";
    this.end = ROOT;
    /** @type {{ name: string, isSame: boolean } | null} */
    this.own = null;
    this.grow(0, ROOT, ROOT, true, 1);
    this.addOwn();
  }

  /**
   * What follows a node.
   * @param {number} slot of the node in the shape
   * @param {number} vertex in the new tree
   * @param {number | null} recorded node; null: it was not drafted
   * @param {boolean} isOnPath
   * @param {number} depth of its children
   */
  grow(slot, vertex, recorded, isOnPath, depth) {
    const slots = this.shape[slot];
    const guesses = this.guessesAfter(recorded, slots.length);
    const verdict = isOnPath ? this.decide(recorded, slots.length) : { why: "" };
    const isDecided = verdict.why === undefined;
    const children = guesses.map(({ name, q }, place) => {
      const state = place + 1 === verdict.rank ? "accepted" : "rejected";
      return this.add({ parent: vertex, name, q, state: isDecided ? state : "not reached", depth, rank: place + 1 });
    });
    if (guesses.length < slots.length) {
      const unknown = this.add({ parent: vertex, name: UNKNOWN, q: 0, state: "not reached", depth, rank: guesses.length + 1 });
      this.tree.why[unknown] = this.words.unscored;
    }
    if (isOnPath) this.end = vertex;
    if (verdict.why) this.why = verdict.why;
    if (isDecided && recorded !== null) this.settle(vertex, recorded, /** @type {T.Chosen} */ (verdict), guesses, children);
    guesses.forEach((guess, place) => {
      const goesOn = place + 1 === verdict.rank && !(guess.recorded !== null && this.endsText(guess.recorded));
      this.grow(slots[place], children[place], guess.recorded, goesOn, depth + 1);
    });
  }

  /** The draft's guesses after a node, as far as they are known. @param {number | null} recorded @param {number} most @returns {T.Guess[]} */
  guessesAfter(recorded, most) {
    if (recorded === null) return [];
    const { tree, decisions } = this.was;
    const decision = decisions[recorded];
    const rowOf = (/** @type {number} */ child) => decision?.row_of[child] ?? -1;
    const below = tree.q.flatMap((_, child) => (tree.parents[child] === recorded ? [child] : []));
    if (this.isAsHot) {
      below.sort((one, other) => tree.ranks[one] - tree.ranks[other]);
      return below.slice(0, most).map((child) => ({ name: tree.names[child], q: tree.q[child], row: rowOf(child), recorded: child }));
    }
    if (!decision?.others || !decision.q) return [];
    const { order, ranks } = raceAt(decision, this.place, this.power);
    return order.slice(0, Math.min(most, ranks)).map(({ row, name, q }) => {
      return { name, q: q ?? 0, row, recorded: below.find((child) => rowOf(child) === row) ?? null };
    });
  }

  /** What the target does at a node with so many guesses. @param {number | null} recorded @param {number} most @returns {Verdict} */
  decide(recorded, most) {
    const { words } = this;
    const decision = recorded === null ? undefined : this.was.decisions[recorded];
    if (!decision) return { why: words.unscored_target };
    if (this.isAsHot) {
      const { rank, leaf, chosen } = decision;
      const isGuess = !leaf && rank !== null && rank <= most;
      return { rank: isGuess ? rank : 0, name: chosenName(this.was, Number(recorded)), row: chosen };
    }
    if (!decision.others) return { why: words.old };
    const { first, order, ranks } = raceAt(decision, this.place, this.power);
    if (!first) return { why: words.close };
    if (most && !decision.q) return { why: words.leaf };
    const rank = most ? order.indexOf(first) + 1 : Infinity;
    if (rank > ranks && most > ranks) return { why: words.ranks };
    return { rank: rank <= most ? rank : 0, name: first.name, row: first.row };
  }

  /** Did the recorded text end with this guess? @param {number} recorded */
  endsText(recorded) {
    return this.was.tree.states[recorded] === "accepted" && !this.was.decisions[recorded];
  }

  /** @param {{ parent: number, name: string, q: number, state: T.VertexState, depth: number, rank: number }} node @returns {number} its index */
  add({ parent, name, q, state, depth, rank }) {
    const { tree } = this;
    tree.names.push(name);
    tree.parents.push(parent);
    tree.q.push(q);
    tree.states.push(state);
    tree.call_of.push(depth);
    tree.ranks.push(rank);
    return tree.q.length - 1;
  }

  /**
   * A node that is decided.
   * @param {number} vertex
   * @param {number} recorded
   * @param {T.Chosen} chosen
   * @param {T.Guess[]} guesses
   * @param {number[]} children
   */
  settle(vertex, recorded, chosen, guesses, children) {
    const before = this.was.decisions[recorded];
    const { rows } = this.isAsHot ? recordedRace(before) : raceAt(before, this.place, this.power);
    this.decisions[vertex] = redrawnDecision(before, rows, { chosen, guesses, children, words: this.words });
    const isSame = chosen.row === before.chosen;
    if (chosen.rank) this.say(chosen.name, "draft", isSame);
    else this.own = { name: chosen.name, isSame };
    guesses.forEach((guess, place) => {
      const isOwnNow = isSame && place + 1 === chosen.rank; // the target's own before, a guess now
      const was = guess.recorded === null ? isOwnNow && "target" : this.was.tree.states[guess.recorded];
      if (was !== this.tree.states[children[place]]) this.mark(children[place], was || "");
    });
  }

  /** The target's own token comes after all guesses. */
  addOwn() {
    if (!this.own) return;
    const { tree, own, was } = this;
    tree.names.push(own.name);
    tree.parents.push(this.end);
    tree.states.push("target");
    const before = was.text[this.text.length];
    if (!own.isSame) this.mark(tree.names.length - 1, "", before.text);
    else if (before.source === "draft") this.mark(tree.names.length - 1, "accepted");
    this.say(own.name, "target", own.isSame);
  }

  /** Notes that a verdict is another than in the recording. @param {number} vertex @param {string} state in the recording; "": there was no such token @param {string} [text] that was there */
  mark(vertex, state, text) {
    const sign = this.kit.signs[state] ?? "";
    const { was, fresh, not_reached: unreached, instead } = this.words;
    let words = state ? `${was} ${sign}` : fresh;
    if (state === "not reached") words = unreached;
    if (text !== undefined) words = `${instead} “${text.trim()}”`;
    this.changes.push({ vertex, was: words });
  }

  /** Adds a token to the text. @param {string} name @param {"draft" | "target"} source @param {boolean} isSame as in the recording */
  say(name, source, isSame) {
    this.isSameText &&= isSame;
    const text = isSame ? this.was.text[this.text.length].text : textOf(name);
    this.text.push({ text, source, hover: this.words.hover });
  }

  /** @returns {Redrawn} */
  done() {
    const { was, tree, text, why, own, words, changes, isSameText } = this;
    const kept = text.length - Number(own !== null);
    const accepted = text.slice(0, kept).map((token) => token.text);
    const path = tree.names.filter((_, vertex) => tree.states[vertex] === "accepted");
    /** @type {T.StepMessage["headline"]} */
    const headline = [["", `${words.what_if}: ${why ? words.at_least : ""}${count(text.length, "token")}`]];
    if (kept) headline.push(["", ": "], ["accepted", accepted.join("").trim() || path.join(" ")]);
    if (own) headline.push(["", kept ? ` ${words.and} ` : ": "], ["target", own.name]);
    if (why) headline.push(["", `, ${words.then}`]);
    const bar = { accepted: kept, own: Number(own !== null) };
    const rest = { headline, text, tree, decisions: this.decisions, bar, walk_end: this.end, single: "", with_one: null, changes };
    return { step: { ...was, draft_calls: Math.max(0, ...tree.call_of), ...rest }, kept, why, isSameText };
  }
}

/** @param {T.StepMessage} step @param {number} vertex */
function chosenName({ tree, decisions }, vertex) {
  const child = tree.parents.findIndex((parent, each) => parent === vertex && ["accepted", "target"].includes(tree.states[each]));
  return child < 0 ? decisions[vertex].names[decisions[vertex].chosen] : tree.names[child];
}

/** A text with this label (`text_of` in visual/payload/sentences/formatting.py). @param {string} label */
function textOf(label) {
  if (label.length > 2 && label.startsWith("“") && label.endsWith("”")) return label.slice(1, -1);
  return label.length > 1 && label.startsWith("-") ? label.slice(1) : ` ${label}`;
}
