// Tokens in sentences: what stands in “ ” is a token of a model, drawn in a box without the quotation marks. Tokens are foreign text: each is set
// by itself, whatever the direction of its script, and no browser translates it.

import { foreign } from "../base/dom.js";
import { isolate } from "../base/format.js";

export const TOKEN = "“?‘[^‘’]*[“”][^‘’]*’”?|“[^”]*”?”"; // as Python's `quoted` writes it; “.” is a full stop, ‘“’ a quotation mark

/** What is inside the quotation marks. @param {string} quoted */
export const bare = (quoted) => quoted.replace(/^“(.*)”$/su, "$1").replace(/^‘(.*[“”].*)’$/su, "$1");

/** @param {string} quoted */
export const tokenBox = (quoted) => foreign(bare(quoted), "ersd-tok");

/** A sentence with its tokens in boxes. @param {string} words */
export const boxed = (words) => withTokens(words, tokenBox);

/** A sentence with its tokens as they are written, in their quotation marks. @param {string} words */
export const unboxed = (words) => withTokens(words, (quoted) => foreign(quoted));

/** The same as a plain string, for what has no elements: a tooltip, a label, a picture. @param {string} words */
export const isolated = (words) => words.replaceAll(new RegExp(TOKEN, "gu"), isolate);

/** @param {string} words @param {(quoted: string) => HTMLElement} elementOf @returns {(string | HTMLElement)[]} */
function withTokens(words, elementOf) {
  const parts = words.split(new RegExp(`(${TOKEN})`, "u"));
  return parts.map((part, place) => (place % 2 ? elementOf(part) : part)).filter((part) => part !== "");
}
