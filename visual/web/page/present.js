// Present, `?view=lecture`: the page for a room. The style sheets do all of it by the attribute set here.

import { setInAddress } from "../base/kept.js";

const PRESENT = "lecture"; // its name in links, from the time when it was called so
const page = document.documentElement;

/** @param {boolean} isOn */
function present(isOn) {
  if (isOn) page.dataset.view = PRESENT;
  else delete page.dataset.view;
}

present(new URLSearchParams(location.search).get("view") === PRESENT);

/** Goes there, or back. */
export function turnPresent() {
  present(page.dataset.view !== PRESENT);
  // the keys are the player's now: space would press the button again
  const players = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".ersd-player")]);
  players.find(({ offsetParent }) => offsetParent)?.focus({ preventScroll: true });
  setInAddress({ view: page.dataset.view });
}

// a printed page is as large as the window: its pictures are drawn for this size, and would be cut on another; the printer fits it to the paper
const paper = document.head.appendChild(document.createElement("style"));

window.addEventListener("beforeprint", () => {
  paper.textContent = `@page { size: ${window.innerWidth}px ${window.innerHeight}px; margin: 0; }`;
});
