// Where the numbers of a bar stand, and the tokens in the centre.

/** @import * as T from "../types" */
import { escape, isolate, ordinal, shorten } from "../base/format.js";

const WIDTHS = { letter: 0.6, bold: 0.64 }; // of a character, in letters

/**
 * Where a row's numbers stand: the divisor within the bar, the time beyond it; where one has no room, with the other.
 * @param {T.Side} side
 * @param {number} rank 0: none
 * @param {{ long: number, room: number, small: number, isMirrored: boolean }} bar pixels of the bar, of its side and of a letter; does it grow to the left?
 */
export function placed({ chance, time }, rank, { long, room, small, isMirrored }) {
  const wide = (/** @type {string} */ text, factor = WIDTHS.letter) => text.length * small * factor;
  const ranked = rank ? (isMirrored ? [ordinal(rank), time] : [time, ordinal(rank)]).join(" ") : time;
  const rest = room - long - 11;
  for (const divisor of [`÷ ${chance}`, `÷${chance.replace(/^0\./, ".")}`]) {
    const isWithin = long >= wide(divisor) + 7;
    for (const label of [ranked, time]) {
      const beyond = isWithin ? label : `${divisor}\u2002\u2002${label}`; // in this order on both sides: E stands before neither
      const reach = wide(beyond, WIDTHS.bold) + 11;
      if (reach - 11 <= rest) return { within: isWithin ? divisor : "", end: "", beyond, reach };
    }
    const end = [ranked, time].find((label) => wide(label) + wide(divisor) + 22 <= long);
    if (end) return { within: divisor, end, beyond: "", reach: 0 };
  }
  // a divisor with many digits is left to the hover label: the time says who was first
  if (long > room / 2) return { within: "", end: time, beyond: "", reach: 0 };
  const label = [ranked, time].find((words) => wide(words, WIDTHS.bold) <= rest) ?? time;
  return { within: "", end: "", beyond: label, reach: wide(label, WIDTHS.bold) + 11 };
}

/**
 * Where the numbers of a probability's bar stand: beyond the bar; where there is no room for both, what remains within it, and the rest
 * beyond it as far as it fits. No number crosses the end of a bar that could avoid it.
 * @param {string} left what remains of it; empty: all
 * @param {string} all
 * @param {{ long: number, filled: number, room: number, small: number }} bar pixels of the outline, of what is filled of it, of its side, of a letter
 */
export function placedValue(left, all, { long, filled, room, small }) {
  const wide = (/** @type {string} */ text) => text.length * small * WIDTHS.letter;
  const beyond = (/** @type {string} */ text) => ({ x: long + 4, text, isWithin: false });
  const fits = (/** @type {string} */ text) => long + 4 + wide(text) <= room;
  const whole = left ? `${left} of ${all}` : all;
  if (fits(whole)) return [beyond(whole)];
  const first = left || all;
  const inside = [
    { space: filled, x: filled - wide(first) - 6, text: first, isWithin: true },
    { space: long - filled, x: filled + 4, text: first, isWithin: false },
  ].find(({ space }) => space > wide(first) + 8);
  if (inside) return [inside, ...(left && fits(`of ${all}`) ? [beyond(`of ${all}`)] : [])];
  return [fits(first) ? beyond(first) : { x: Math.min(filled + 4, room - wide(first)), text: first, isWithin: false }];
}

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
  const type = { size: letter, anchor: /** @type {const} */ ("left") };
  layers.words("names_plain", names, type);
  const drafted = names
    .filter(({ mark }) => mark.drafted)
    .map((word) => ({ ...word, colour: isLeader(word.row) ? "$leader-ink" : "$ink" }));
  layers.words("names_drafted", drafted, { ...type, isBold: true });
  const leaders = names.filter(({ row }) => isLeader(row)).map((word) => ({ ...word, x, text: "◆", colour: "$leader-ink" }));
  layers.words("signs_drafted", leaders, type);
  const decided = names.filter(({ mark }) => mark.sign).map((word) => ({ ...word, colour: word.mark.ink }));
  layers.words("names_decided", decided, { ...type, isBold: true });
  const signs = decided.map((word) => ({ ...word, x, text: word.mark.sign }));
  layers.words("signs_decided", signs, type);
}
