// Text formatting: column widths, shortening, wrapping, text that runs to the left, ordinals, plurals.

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{M}\u2066-\u2069]/u;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const RUNS_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u; // the blocks that Unicode keeps for such scripts
const [ISOLATE, END_OF_ISOLATE] = ["\u2068", "\u2069"];

/** The characters as a reader counts them: an accent, a family of emoji or a flag is never taken apart. @param {string} text */
const charactersOf = (text) => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** @param {string} character */
function columnsOf(character) {
  const columns = (/** @type {string} */ point) => (NO_WIDTH.test(point) ? 0 : 1 + Number(WIDE.test(point)));
  const all = [...character].reduce((sum, point) => sum + columns(point), 0);
  return Math.min(2, all);
}

/** Width of a text in a monospace font, in columns. @param {string} text */
export const width = (text) => charactersOf(text).reduce((sum, character) => sum + columnsOf(character), 0);

/** The beginning of a text, cut to a width, with … where something is missing. @param {string} text @param {number} most columns. */
export function shorten(text, most) {
  return width(text) <= most ? text : `${fitting(charactersOf(text), most - 1).join("")}…`;
}

/** The end of a text, cut to a width, with a … in front where something is missing. @param {string} text @param {number} most columns. */
export function shortenStart(text, most) {
  return width(text) <= most
    ? text
    : `…${fitting(charactersOf(text).reverse(), most - 1)
        .reverse()
        .join("")}`;
}

/** The first characters that fit into a number of columns. @param {string[]} characters @param {number} most */
function fitting(characters, most) {
  let taken = 0;
  const tooMany = characters.findIndex((character) => (taken += columnsOf(character)) > most);
  return tooMany < 0 ? characters : characters.slice(0, tooMany);
}

/** Safe inside Plotly's pseudo-HTML, whatever a model or a user wrote. @param {string} text */
export const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * Plain text as escaped lines, for Plotly; a word that is too long is cut.
 * @param {string} text
 * @param {number} most characters of a line.
 */
export function wrapped(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ").flatMap((whole) => piecesOf(whole, most))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map(escape).join("<br>");
}

/** @param {string} word @param {number} most characters of a piece. */
function piecesOf(word, most) {
  const characters = charactersOf(word);
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, place) =>
    characters.slice(place * most, (place + 1) * most).join(""),
  );
}

/**
 * A text that may run from right to left, for a plain string: without the marks around it, it would reorder the numbers beside it. An element
 * does the same with `bdi`. Other texts need no marks and stay as they are.
 * @param {string} text
 */
export const isolate = (text) => (RUNS_LEFT.test(text) ? `${ISOLATE}${text}${END_OF_ISOLATE}` : text);

/** How Python's `quoted` writes a token in a sentence; “.” is a full stop, ‘“’ a quotation mark. */
export const TOKEN = "“?‘[^‘’]*[“”][^‘’]*’”?|“[^”]*”?”";

/** As Python's `quoted`: in the marks by which a sentence knows a token. @param {string} name */
export const quoted = (name) => (name.startsWith("“") ? name : `“${name}”`);

/** What is inside the quotation marks. @param {string} written */
export const bare = (written) => written.replace(/^“(.*)”$/su, "$1").replace(/^‘(.*[“”].*)’$/su, "$1");

/** A sentence whose tokens may run to the left, for what has no elements: a tooltip, a label, a picture. @param {string} words */
export const isolated = (words) => words.replaceAll(new RegExp(TOKEN, "gu"), isolate);

/** 1st, 2nd, 3rd, 4th … @param {number} rank */
export function ordinal(rank) {
  const teen = rank % 100 > 10 && rank % 100 < 14;
  const endings = ["th", "st", "nd", "rd"];
  return `${rank}${(!teen && endings[rank % 10]) || "th"}`;
}

/** Ascending numbers with runs as ranges: 1,3–5. @param {number[]} numbers */
export function ranges(numbers) {
  /** @type {{ first: number, last: number }[]} */
  const runs = [];
  for (const one of numbers) {
    const run = runs.at(-1);
    if (run && run.last === one - 1) run.last = one;
    else runs.push({ first: one, last: one });
  }
  return runs.map(formatRange).join(",");
}

/** @param {{ first: number, last: number }} run */
function formatRange({ first, last }) {
  if (first === last) return `${first}`;
  return last === first + 1 ? `${first},${last}` : `${first}–${last}`;
}

/** A sentence of the kit with its {places} filled in. @param {string} sentence @param {Record<string, string | number>} values by place */
export const fill = (sentence, values) => sentence.replaceAll(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));

/** @param {number} number @param {string} one */
const noun = (number, one) => `${one}${number === 1 ? "" : "s"}`;

/** "1 token", "2 tokens". @param {number} number @param {string} one */
export const count = (number, one) => `${number} ${noun(number, one)}`;
