// The list of all symbols and terms: one on a page, opened by the key "?", which the page's header presses too.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";
import { isForPage } from "../base/keys.js";
import { kitOfPage } from "../base/kit.js";

let isOffered = false;
/** @type {HTMLDialogElement | undefined} */
let list;

/** Lets the key open the list. */
export function offerTerms() {
  if (isOffered) return;
  isOffered = true;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || !isForPage(event)) return;
    list ??= listOf(kitOfPage().glossary);
    list.showModal();
    list.focus(); // its keys scroll it
  });
}

/** @param {T.Term[]} terms */
function listOf(terms) {
  const dialog = make("dialog", "ersd-glossary");
  dialog.ariaLabel = "Symbols and terms";
  dialog.tabIndex = -1;
  const [header, form, entries] = [make("header"), make("form"), make("dl")];
  form.method = "dialog";
  form.append(make("button", "", "Close"));
  header.append(make("h2", "", "Symbols and terms"), form);
  for (const term of terms) {
    const words = make("dd", "", `${term.sentence} `);
    words.append(...paperOf(term));
    entries.append(make("dt", "", term.name), words);
  }
  dialog.append(header, entries);
  document.body.append(dialog);
  return dialog;
}

/** A link to the paper that a term comes from, if there is one. @param {T.Term} term */
export function paperOf({ paper: number }) {
  if (!number) return [];
  const link = make("a", "", `arXiv ${number}`);
  link.href = `https://arxiv.org/abs/${number}`;
  link.target = "_blank";
  link.rel = "noreferrer";
  return [link];
}
