// Tokens in sentences: what stands in “ ” is a token of a model, drawn in a box without the quotation marks. Tokens are foreign text: each is set
// by itself, whatever the direction of its script, and no browser translates it.

import { foreign } from "../base/dom.js";
import { bare, TOKEN } from "../base/format.js";

/** @param {string} quoted */
export const tokenBox = (quoted) => foreign(bare(quoted), "ersd-tok");

/** A sentence with its tokens in boxes. @param {string} words */
export const boxed = (words) => withTokens(words, tokenBox);

/** A sentence with its tokens as they are written, in their quotation marks. @param {string} words */
export const unboxed = (words) => withTokens(words, (quoted) => foreign(quoted));

/** @param {string} words @param {(quoted: string) => HTMLElement} elementOf @returns {(string | HTMLElement)[]} */
function withTokens(words, elementOf) {
  const parts = words.split(new RegExp(`(${TOKEN})`, "u"));
  return parts.map((part, place) => (place % 2 ? elementOf(part) : part)).filter((part) => part !== "");
}
