// Every tab has an address, `?tab=compare`: it opens the tab, and choosing a tab changes it. An unknown name is reported on the page.
//
// Gradio makes the buttons, each with the name of its tab in `data-tab-id` (checked with Gradio 6.31.0, `Tabs.svelte`), and makes them again
// when the window changes. Without these names the page opens its first tab, and nothing else.

import { around } from "../base/dom.js";
import { setInAddress } from "../base/kept.js";
import { plain } from "../base/templates.js";
import { nothing, render } from "../lit-html.js";

const PARAMETER = "tab";
const TAB = "#tabs [role=tab]";

let lastOpen = "";

/** @typedef {HTMLElement & { dataset: { tabId: string } }} Tab */

const tabs = () => /** @type {Tab[]} */ ([...document.querySelectorAll(TAB)]);
const openTab = () => tabs().find((tab) => tab.ariaSelected === "true")?.dataset.tabId ?? "";
const inAddress = () => new URLSearchParams(location.search).get(PARAMETER);

/** The note above the tabs. */
export const noteOf = () => /** @type {HTMLElement | null} */ (document.querySelector(".tab-note p"));

/** Writes the note: what is wrong. @param {unknown} words a text, or a template; empty: nothing is */
export function say(words) {
  const note = noteOf();
  if (note) render(typeof words === "string" ? plain(words) || nothing : words, note);
}

document.addEventListener("click", (event) => {
  if (around(event, ".tab-note > button")) say("");
});

// Writes the open tab into the address; its other parameters stay.
function keepAddress() {
  const open = openTab();
  if (!open || open === lastOpen) return;
  lastOpen = open;
  if (open === (inAddress() ?? tabs()[0].dataset.tabId)) return;
  setInAddress({ [PARAMETER]: open });
  say("");
}

function openAsked() {
  const name = inAddress();
  if (name === null) return;
  const wanted = tabs().find((tab) => tab.dataset.tabId === name);
  if (wanted) wanted.click();
  else say(`There is no tab “${name}” here: this is ${tabs()[0].textContent}. The tabs are ${namesOfTabs()}.`);
}

const namesOfTabs = () =>
  tabs()
    .map(({ dataset }) => dataset.tabId)
    .join(", ");

function nameButtons() {
  for (const tab of tabs()) if (tab.dataset.tabId) tab.id = `tab-${tab.dataset.tabId}`;
}

/** Calls a function whenever something changes inside an element. @param {Element} element @param {() => void} changed */
function watch(element, changed) {
  const observer = new MutationObserver(changed);
  observer.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-selected"] });
  return observer;
}

/** Begins with the tabs, once Gradio has made them. */
function begin() {
  const bar = tabs()[0]?.closest(".tab-wrapper");
  if (!bar) return false;
  nameButtons();
  lastOpen = openTab() || tabs()[0].dataset.tabId;
  openAsked();
  watch(bar, () => {
    nameButtons();
    keepAddress();
  });
  return true;
}

// over a slow connection they may be there before this is
if (!begin()) {
  const waiting = watch(document.documentElement, () => begin() && waiting.disconnect());
}
