// The buttons of the header: the list of terms, and the light or the dark page. A reader's choice of a theme is kept in this browser.

import { around, keepFocus } from "../base/dom.js";
import { store, stored } from "../base/kept.js";

const KEY = "ersd-theme";

/** @param {boolean} isDark */
const showTheme = (isDark) => document.body.classList.toggle("dark", isDark);

// none: the system's or the address's (`__theme`) counts
const chosen = stored(KEY);
if (chosen && !new URLSearchParams(location.search).has("__theme")) {
  // Gradio sets its own theme once it has loaded
  window.addEventListener("load", () => showTheme(chosen === "dark"), { once: true });
}

keepFocus(document, ".masthead .tools");

document.addEventListener("click", (event) => {
  if (around(event, ".theme-button")) {
    const isDark = !document.body.classList.contains("dark");
    showTheme(isDark);
    store(KEY, isDark ? "dark" : "light");
  }
  // the list of terms opens on this key (glossary/terms.js)
  if (around(event, ".terms-button")) document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
});
