// The tokens in the lane.

/** @import * as T from "../types" */
import { escape, isolate, shorten } from "../base/format.js";

/**
 * Signs and names of tokens in up to three looks: before anything is known, as drafted, as decided.
 * @param {T.Layers} layers
 * @param {T.Decision} decision
 * @param {{ x: number, columns: number, letter: number }} at
 * @param {{ row: number, y: number, mark: T.MarkStyle, count?: string }[]} rows
 */
export function drawNames(layers, decision, { x, columns, letter }, rows) {
  const names = rows.map(({ row, y, mark, count = "" }) => {
    const name = `${escape(isolate(shorten(decision.names[row], Math.max(3, columns - count.length))))}${count}`;
    return { x: x + letter * 1.15, y, row, text: name, colour: "$ink", mark };
  });
  const isLeader = (/** @type {number} */ row) => ["leader", "accepted_leader"].includes(decision.marks[row]);
  const signs = (/** @type {(word: typeof names[number]) => [string, string]} */ look) =>
    names.map((word) => ({ ...word, x, text: look(word)[0], colour: look(word)[1] }));
  const type = { size: letter, anchor: /** @type {const} */ ("left") };
  layers.words("names_plain", names, type);
  const drafted = names.filter(({ mark }) => mark.drafted);
  layers.words(
    "names_drafted",
    drafted.map((word) => ({ ...word, colour: isLeader(word.row) ? "$leader-ink" : "$ink" })),
    { ...type, isBold: true },
  );
  layers.words(
    "signs_drafted",
    signs(({ row }) => (isLeader(row) ? ["◆", "$leader-ink"] : ["", ""])),
    type,
  );
  const decided = names.filter(({ mark }) => mark.sign);
  layers.words(
    "names_decided",
    decided.map((word) => ({ ...word, colour: word.mark.ink })),
    { ...type, isBold: true },
  );
  layers.words(
    "signs_decided",
    signs(({ mark }) => [mark.sign, mark.ink]),
    type,
  );
}
