// The recorded comparison that a board shows at first; it is fetched when the tab is opened.

/** @import * as T from "../types" */

import { openedWith } from "../base/kept.js";
import { fetched } from "../base/questions.js";
import { whenMounted } from "../base/parts.js";

const MISSING = "The recorded comparison cannot be fetched. Press Generate for one of your own.";

/**
 * Shows it, unless the page was opened by a link to a comparison, or the board shows something already.
 * @param {T.Board} board
 * @param {T.Compare.WhereRecorded} where
 */
export async function showRecorded(board, { address, tab, unless }) {
  const query = openedWith();
  if (query.get("tab") === tab && unless.some((name) => query.has(name))) return;
  const answer = await fetched(address).catch(() => null);
  if (!answer) {
    if (board.isFresh) board.say(MISSING, "error");
    return;
  }
  /** @type {T.Compare.Recorded} */
  const { board: whole, players } = await answer.json();
  const parts = await Promise.all(players.map((_, place) => whenMounted(`${board.host.id}-${place + 1}`)));
  if (!board.isFresh) return;
  players.forEach((messages, place) => parts[place].receive(messages));
  board.part.receive(whole);
}
