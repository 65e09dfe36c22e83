// What a board shows before anything is pressed: a recorded comparison, which is fetched when the tab is opened.

/** @import { Board } from "./board.js" */
/** @import { Recorded, WhereRecorded } from "./types.js" */

const AGAIN_MS = 50;

/**
 * Shows it, unless the page was opened by a link to a comparison, or somebody was faster.
 *
 * @param {Board} board
 * @param {WhereRecorded} where
 */
export async function showRecorded(board, { address, tab, unless }) {
  // the address of now may hold what a link to another tab has left there
  const [opened] = performance.getEntriesByType("navigation");
  const query = new URL(opened.name).searchParams;
  if (query.get("tab") === tab && unless.some((name) => query.has(name))) return;
  const answer = await fetch(new URL(address, document.baseURI));
  if (!answer.ok) throw new Error(`the recorded comparison is not there: ${answer.status}`);
  /** @type {Recorded} */
  const { board: whole, players } = await answer.json();
  while (board.players.length < players.length) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS)); // what is sent to a player before it is there is lost
  }
  if (!board.isFresh) return;
  players.forEach((detail, place) => board.players[place].dispatchEvent(new CustomEvent("ersd-told", { detail })));
  board.receive(whole);
}
