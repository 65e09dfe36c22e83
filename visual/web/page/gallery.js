// The gallery: a recorded run is fetched when the pointer or the focus comes near its button, so that a click only has to show it.

import { around, bringUp } from "../base/dom.js";
import { fetched } from "../base/questions.js";
import { whenMounted } from "../base/parts.js";
import { say } from "./tabs.js";

const CARD = ".exhibit";
const BUTTON = "button[id^=gallery-]";
const LOST = "This recorded run cannot be fetched: try again in a moment.";

/** @type {Map<string, Promise<string>>} */
const messages = new Map(); // by name of the run
let latest = ""; // name of the run that was opened last

/** The message of a recorded run. @param {string} name */
function message(name) {
  const known = messages.get(name);
  if (known) return known;
  const coming = fetched(`gallery/${name}`).then((answer) => answer.text());
  coming.catch(() => messages.delete(name)); // fetched again at the next click
  messages.set(name, coming);
  return coming;
}

/** @param {Event} event */
function prepare(event) {
  const card = around(event, CARD);
  if (card) for (const { id } of card.querySelectorAll(BUTTON)) message(id.replace("gallery-", "")).catch(() => {});
}

for (const near of ["pointerover", "focusin"]) document.addEventListener(near, prepare, { passive: true });

/**
 * Opens a recorded run in the tab of its player. The message goes straight to the player and not into its value, where late messages of a
 * run that is being stopped would replace it.
 * @param {{ name: string, tab: string, player: string }} opened the run; ids of the button of the tab and of the player.
 */
export async function openRecorded({ name, tab, player }) {
  latest = name;
  document.getElementById(tab)?.click();
  const part = await whenMounted(player);
  const text = await message(name).catch(() => "");
  if (latest !== name) return;
  if (!text) {
    say(LOST); // not in the player, where a run may go on
    return;
  }
  window.scrollTo(0, 0); // it was scrolled to a card
  bringUp(/** @type {HTMLElement} */ (document.getElementById(player)));
  part.receive(text);
  const { prompt, models, settings } = JSON.parse(text).messages[0];
  part.compare({ prompt, models, ...settings }); // the controls get these values a moment later
}
