// The decision at a node as it would be, in the shape of a recorded one, so that the pictures of decisions draw it.

/** @import * as T from "../types" */
import { fill, ordinal, quoted } from "../base/format.js";

/** @typedef {{ name: string, q: number, row: number, recorded: number | null }} Guess `row` of the recorded race; `recorded`: its vertex in the recorded tree, where it was one */
/** @typedef {{ rank: number, name: string, row: number }} Chosen the target's first arrival; its rank among the guesses, 0: it is none of them */

/**
 * @param {T.Decision} before as recorded
 * @param {T.Arrival[]} arrivals its rows as they would be
 * @param {{ chosen: Chosen, guesses: Guess[], children: number[], words: Record<string, string> }} of `children`: the guesses' nodes
 * @returns {T.Decision}
 */
export function redrawnDecision(before, arrivals, { chosen, guesses, children, words }) {
  const isLeaf = !guesses.length;
  const timeOf = (/** @type {T.Arrival} */ { clock, p, q }) => clock / ((isLeaf ? p : q) || 0);
  const rows = [...arrivals].sort((one, other) => timeOf(one) - timeOf(other));
  const sentence = (isLeaf && words.at_leaf) || (chosen.rank && words.accepted) || words.rejected;
  const tried = new Set(guesses.map(({ row }) => row));
  return {
    ...before,
    leaf: isLeaf,
    say: fill(sentence, { name: quoted(chosen.name), rank: ordinal(chosen.rank) }),
    names: rows.map(({ name }) => name),
    marks: rows.map(({ row }, place) => markOf(row, !isLeaf && place === 0, chosen, tried)),
    chosen: rows.findIndex(({ row }) => row === chosen.row),
    rank: chosen.rank || null,
    p: rows.map(({ p }) => p),
    q: isLeaf ? null : rows.map(({ q }) => q ?? 0),
    clock: rows.map(({ clock }) => clock),
    row_of: Object.fromEntries(
      guesses.map((guess, place) => [children[place], rows.findIndex(({ row }) => row === guess.row)]).filter(([, row]) => row >= 0),
    ),
    facts: {},
    recorded: rows.map(({ recorded }) => recorded),
  };
}

/** @param {number} row @param {boolean} leads the draft's race @param {Chosen} chosen @param {Set<number>} tried @returns {T.Mark} */
function markOf(row, leads, chosen, tried) {
  if (row === chosen.row && !chosen.rank) return "target";
  if (row === chosen.row) return leads ? "accepted_leader" : "accepted";
  if (leads) return "leader";
  return tried.has(row) ? "drafted" : "";
}
