// The buttons of the header: the list of terms, and the light or the dark page. A reader's choice of a theme is kept in this browser.

const KEY = "ersd-theme";

/** @param {boolean} isDark */
const showTheme = (isDark) => document.body.classList.toggle("dark", isDark);

/** The theme chosen here before; null: none, so that the system's or the address's (`__theme`) counts. */
function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a frame of another site may have no storage
  }
}

/** @param {string} theme */
function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then it holds for this visit
  }
}

const chosen = remembered();
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
    remember(isDark ? "dark" : "light");
  }
  // the list of terms opens on this key (panels/terms.js)
  if (event.target.closest(".terms-button")) document.dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
});
