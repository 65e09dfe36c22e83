// The buttons of the header: the list of terms, and the light or the dark page. A reader's choice of a theme is kept in this browser.

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

// a mouse click must not leave the focus on a button, or space would press that button again
document.addEventListener("mousedown", (event) => {
  if (event.target instanceof Element && event.target.closest(".masthead .tools")) event.preventDefault();
});

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  if (event.target.closest(".theme-button")) {
    const isDark = !document.body.classList.contains("dark");
    showTheme(isDark);
    store(KEY, isDark ? "dark" : "light");
  }
  // the list of terms opens on this key (glossary/terms.js)
  if (event.target.closest(".terms-button")) document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
});
