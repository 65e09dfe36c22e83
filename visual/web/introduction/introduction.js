// The introduction above the player of the Generate tab: shown until the first action in this browser, and never where the address asks for
// something. The style sheet shows it by `data-visit` on the page. The recorded step in view plays once by itself under it.

import { around, prefersStill } from "../base/dom.js";
import { whenMounted } from "../base/parts.js";
import { store, stored } from "../base/kept.js";

const SEEN = "ersd-introduced";
const visited = document.documentElement;

/** Parameters of links to a run, a step, a tab or a room (visual/ui/page.py). */
const linkNames = () => document.querySelector("meta[name=ersd-links]")?.getAttribute("content")?.split(" ") ?? [];

function isFirstVisit() {
  const query = new URLSearchParams(location.search);
  if (linkNames().some((name) => query.has(name))) return false;
  return stored(SEEN) === null;
}

function foldAway() {
  if (!visited.dataset.visit) return;
  delete visited.dataset.visit;
  store(SEEN, "yes");
}

function openFirstLesson() {
  document.getElementById("tab-learn")?.click();
  /** @type {HTMLElement | null} */ (document.querySelector("[data-lesson-at='0']"))?.click(); // if another one was open there
  foldAway();
}

function goToPrompt() {
  const prompt = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#prompt textarea"));
  // a phone folds the settings
  if (!prompt?.offsetParent) /** @type {HTMLElement | null} */ (document.querySelector(".setup .fold-settings"))?.click();
  prompt?.focus();
  prompt?.select();
}

document.addEventListener("click", (event) => {
  const way = around(event, "[data-way]")?.dataset.way;
  if (way === "lesson") openFirstLesson();
  else if (way) goToPrompt();
});

async function begin() {
  const player = await whenMounted("player"); // it shows the recorded run, and nothing is painted yet
  const language = new URLSearchParams(location.search).get("language");
  const texts = [...document.querySelectorAll(".introduction")];
  const wanted = texts.find((text) => text.getAttribute("lang") === language) ?? texts[0];
  for (const text of texts) if (text !== wanted) text.remove(); // of the others the style sheet shows the first
  player.onAct = foldAway;
  if (!prefersStill()) player.play();
}

if (isFirstVisit()) {
  visited.dataset.visit = "first";
  void begin();
}
