// The settings of the last run are kept in this browser, so that the next visit begins with them; a switch forgets them, and the theme.

const SETTINGS = "ersd-settings";
const OFF = "ersd-forget";
const THEME = "ersd-theme";

/** @param {() => string | null} use what it does with the storage; a frame of another site may have none. */
function stored(use) {
  try {
    return use() ?? "";
  } catch {
    return "";
  }
}

const isOff = () => stored(() => localStorage.getItem(OFF)) !== "";

/** Keeps settings, as a query. @param {string} query */
export function remember(query) {
  stored(() => (isOff() ? null : (localStorage.setItem(SETTINGS, query), null)));
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.id === "remember")) return;
  stored(() => {
    if (target.checked) localStorage.removeItem(OFF);
    else {
      localStorage.setItem(OFF, "yes");
      localStorage.removeItem(SETTINGS);
      localStorage.removeItem(THEME);
    }
    return null;
  });
});

/** The settings of the last run, as a query; empty where there are none. */
export function remembered() {
  const box = document.getElementById("remember");
  if (box instanceof HTMLInputElement) box.checked = !isOff();
  return stored(() => localStorage.getItem(SETTINGS));
}
