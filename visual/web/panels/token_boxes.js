// Tokens in sentences: what stands in “ ” is a token of a model, drawn in a box without the quotation marks.

import { make } from "../base/dom.js";

export const TOKEN = "“?‘[^‘’]*[“”][^‘’]*’”?|“[^”]*”?”"; // as Python's `quoted` writes it; “.” is a full stop, ‘“’ a quotation mark

/**
 * What is inside the quotation marks.
 *
 * @param {string} quoted
 */
export const bare = (quoted) => quoted.replace(/^“(.*)”$/su, "$1").replace(/^‘(.*[“”].*)’$/su, "$1");

/** @param {string} quoted */
export const tokenBox = (quoted) => make("span", "ersd-tok", bare(quoted));

/**
 * A sentence with its tokens in boxes.
 *
 * @param {string} words
 * @returns {(string | HTMLElement)[]}
 */
export function boxed(words) {
  const parts = words.split(new RegExp(`(${TOKEN})`, "u"));
  return parts.map((part, place) => (place % 2 ? tokenBox(part) : part)).filter((part) => part !== "");
}
