// The settings of the last run are kept in this browser, so that the next visit begins with them; a switch forgets them, and the theme.

import { store, stored } from "../base/kept.js";

const SETTINGS = "ersd-settings";
const OFF = "ersd-forget";
const THEME = "ersd-theme";

const isOff = () => Boolean(stored(OFF));

/** Keeps settings, as a query. @param {string} query */
export function remember(query) {
  if (!isOff()) store(SETTINGS, query);
}

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.id === "remember")) return;
  store(OFF, target.checked ? null : "yes");
  if (!target.checked) for (const name of [SETTINGS, THEME]) store(name, null);
});

/** The settings of the last run, as a query; empty where there are none. */
export function remembered() {
  const box = document.getElementById("remember");
  if (box instanceof HTMLInputElement) box.checked = !isOff();
  return stored(SETTINGS) ?? "";
}
