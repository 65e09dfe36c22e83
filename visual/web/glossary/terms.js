// The list of all symbols and terms: one on a page, opened by the key "?" and by a button of the header.

/** @import * as T from "../types" */
import { isForPage } from "../base/keys.js";
import { kitOfPage } from "../base/kit.js";
import { plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";

let isOffered = false;
/** @type {HTMLDialogElement | undefined} */
let list;

/** Lets the key open the list. */
export function offerTerms() {
  if (isOffered) return;
  isOffered = true;
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && isForPage(event)) showTerms();
  });
}

/** Opens the list. */
export function showTerms() {
  list ??= listOf(kitOfPage().glossary);
  list.showModal();
  list.focus(); // its keys scroll it
}

/** @param {T.Term[]} terms */
function listOf(terms) {
  const dialog = document.body.appendChild(document.createElement("dialog"));
  Object.assign(dialog, { className: "ersd-glossary", ariaLabel: "Symbols and terms", tabIndex: -1 });
  const entries = terms.map(
    (term) =>
      html`<dt .textContent=${term.name}></dt>
        <dd>${plain(term.sentence)} ${paperOf(term)}</dd>`,
  );
  const header = html`<header>
    <h2>Symbols and terms</h2>
    <form method="dialog"><button>Close</button></form>
  </header>`;
  render(
    html`${header}
      <dl>${entries}</dl>`,
    dialog,
  );
  return dialog;
}

/** A link to the paper that a term comes from, if there is one. @param {T.Term} term */
export const paperOf = ({ paper: number }) =>
  number
    ? html`<a href="https://arxiv.org/abs/${number}" target="_blank" rel="noreferrer" .textContent=${`arXiv ${number}`}></a>`
    : nothing;
