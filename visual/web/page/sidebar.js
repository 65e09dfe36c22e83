// The settings beside a player fold: the style sheet shows it by `data-settings` on the page. On a phone they are folded at first, and again
// once a run was requested, so that the run is in sight.

import { around } from "../base/dom.js";

const settingsOf = document.documentElement;
const isPhone = window.matchMedia("(max-width: 860px)");

/** @param {boolean} isFolded */
function foldAll(isFolded) {
  settingsOf.dataset.settings = isFolded ? "folded" : "open";
  for (const button of document.querySelectorAll(".fold-settings")) button.setAttribute("aria-expanded", String(!isFolded));
}

/** A button that is drawn later says whether its settings are folded. @param {HTMLElement} element with the button. */
export function markFolded(element) {
  element.querySelector(".fold-settings")?.setAttribute("aria-expanded", String(settingsOf.dataset.settings !== "folded"));
}

foldAll(isPhone.matches);
isPhone.addEventListener("change", () => foldAll(isPhone.matches));

document.addEventListener("click", (event) => {
  if (around(event, ".fold-settings")) foldAll(settingsOf.dataset.settings !== "folded");
  else if (isPhone.matches && around(event, ".start-button")) foldAll(true);
});

/**
 * Marks the column around a fold as open: an attribute instead of the selector :has(details[open]), which every change in the fields would
 * evaluate again.
 * @param {HTMLElement} element with the fold.
 */
export function markOpen(element) {
  const fold = /** @type {HTMLDetailsElement} */ (element.querySelector("details"));
  fold.addEventListener("toggle", () => fold.closest(".advanced")?.toggleAttribute("data-open", fold.open));
}
