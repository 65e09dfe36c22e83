// The gallery: what a button opens is fetched when the pointer or the keyboard comes near it, so that a click only has to show it.

const CARD = ".exhibit";
const BUTTON = "button[id^=gallery-]";
const LOST = JSON.stringify({ type: "error", words: "This recorded run cannot be fetched: try again in a moment.", field: "" });

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();

/**
 * The message of a recorded run.
 *
 * @param {string} name
 */
function message(name) {
  const known = fetched.get(name);
  if (known) return known;
  // relative to the page: it may be served below a path
  const coming = fetch(new URL(`gallery/${name}`, document.baseURI)).then((answer) => {
    if (!answer.ok) throw new Error(`the recorded run ${name} is not there: ${answer.status}`);
    return answer.text();
  });
  coming.catch(() => fetched.delete(name)); // asked for again with the next click
  fetched.set(name, coming);
  return coming;
}

/** @param {Event} event */
function prepare(event) {
  const card = event.target instanceof Element && event.target.closest(CARD);
  if (card) for (const { id } of card.querySelectorAll(BUTTON)) message(id.replace("gallery-", "")).catch(() => {});
}

for (const near of ["pointerover", "focusin"]) document.addEventListener(near, prepare, { passive: true });

/**
 * The page was scrolled to a card; on a phone the player is below the controls.
 *
 * @param {HTMLElement | null} player
 */
function comeIntoView(player) {
  window.scrollTo(0, 0);
  if (player && player.getBoundingClientRect().top > window.innerHeight / 2) player.scrollIntoView({ block: "start" });
}

/**
 * Opens a recorded run: goes to the tab of its player, and gives the message that the player will show. Called by the page's buttons.
 *
 * @param {string} name
 * @param {{ tab: string, player: string, stop: string }} ids of the elements of its workbench.
 */
async function open(name, { tab, player, stop }) {
  document.getElementById(tab)?.click();
  const host = document.getElementById(player);
  const text = await message(name).catch(() => LOST);
  if (host?.dataset.state === "running") document.getElementById(stop)?.click();
  comeIntoView(host);
  if (text === LOST) return text;
  const { prompt, models, settings } = JSON.parse(text).messages[0];
  // the controls get these values too, a moment later: till then nobody has changed them
  host?.dispatchEvent(new CustomEvent("ersd-controls", { detail: { prompt, models, ...settings } }));
  return text;
}

Object.assign(window, { ersdOpenRecorded: open });
