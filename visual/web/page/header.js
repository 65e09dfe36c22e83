// The buttons of the header: the list of terms, the light or the dark page, and the page for a room. A reader's choice of a theme is kept in
// this browser.

import { around, keepFocus } from "../base/dom.js";
import { store, stored } from "../base/kept.js";
import { offerTerms, showTerms } from "../glossary/terms.js";
import { turnPresent } from "./present.js";

const KEY = "ersd-theme";

/** @param {boolean} isDark */
const showTheme = (isDark) => document.body.classList.toggle("dark", isDark);

// none: the system's or the address's (`__theme`) counts
const chosen = stored(KEY);
if (chosen && !new URLSearchParams(location.search).has("__theme")) {
  // Gradio sets its own theme once it has loaded
  window.addEventListener("load", () => showTheme(chosen === "dark"), { once: true });
}

offerTerms();

/** Lets the buttons answer. @param {HTMLElement} element that has the header's HTML. */
export function mount(element) {
  keepFocus(element, ".tools");
  element.addEventListener("click", (event) => {
    if (around(event, ".terms-button")) showTerms();
    if (around(event, ".present-button")) turnPresent();
    if (!around(event, ".theme-button")) return;
    const isDark = !document.body.classList.contains("dark");
    showTheme(isDark);
    store(KEY, isDark ? "dark" : "light");
  });
}
