// The keys of a page with any number of players: they act on the visible player touched last. Players share nothing else.

import { around } from "../base/dom.js";
import { isForPage } from "../base/keys.js";

/**
 * @typedef {"first" | "previous" | "play" | "next" | "last" | "nextPhase" | "previousPhase"} Action
 * @typedef {{ root: HTMLElement, steps: unknown[], press: (action: Action) => void }} Listener a player, as far as keys go.
 */

/** @type {Record<string, Action>} */
const ACTIONS = { ArrowLeft: "previous", ArrowRight: "next", " ": "play", Home: "first", End: "last" };
/** @type {Record<string, Action>} by phase; a presenter's remote sends the page keys */
const PHASE_ACTIONS = {
  "shift ArrowLeft": "previousPhase",
  "shift ArrowRight": "nextPhase",
  PageUp: "previousPhase",
  PageDown: "nextPhase",
};

/** @type {Listener[]} */
let untouched = []; // in the order of the page
/** @type {Listener[]} */
let touched = []; // the last one comes first

/** Lets the keys act on a player too, as long as it is on the page. @param {Listener} player @param {AbortSignal} ended */
export function listen(player, ended) {
  if (!untouched.length && !touched.length) document.addEventListener("keydown", onKey);
  untouched = [...untouched, player].sort(byPlace);
  for (const event of ["pointerdown", "focusin"]) player.root.addEventListener(event, () => touch(player), { signal: ended });
  ended.addEventListener("abort", () => {
    untouched = untouched.filter((other) => other !== player);
    touched = touched.filter((other) => other !== player);
  });
}

/** The keys act on this player from now on. @param {Listener} player */
function touch(player) {
  untouched = untouched.filter((other) => other !== player);
  touched = [player, ...touched.filter((other) => other !== player)];
}

/**
 * Gives the keys to the player of a run just requested, and takes the focus from its button: space plays instead of starting another run.
 * @param {Listener} player
 */
export function takeKeys(player) {
  touch(player);
  const focused = document.activeElement;
  if (focused?.tagName === "BUTTON" && !player.root.contains(focused)) player.root.focus({ preventScroll: true });
}

/** @param {Listener} one @param {Listener} other */
function byPlace({ root: one }, { root: other }) {
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const action = PHASE_ACTIONS[event.shiftKey ? `shift ${event.key}` : event.key] ?? ACTIONS[event.key];
  const player = [...touched, ...untouched].find(({ root }) => root.offsetParent); // not one in a tab that is closed
  if (!action || !player?.steps.length || !isForPage(event)) return;
  if (event.key === " " && around(event, "button, a, summary, input")) return;
  const isInside = event.target instanceof Node && player.root.contains(event.target);
  if ((event.key === "Home" || event.key === "End") && !isInside) return; // elsewhere these two scroll the page
  event.preventDefault();
  player.press(action);
}
