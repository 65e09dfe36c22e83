// The gallery: a recorded run is fetched when the pointer or the focus comes near its button, so that a click only has to show it.

const CARD = ".exhibit";
const BUTTON = "button[id^=gallery-]";
const LOST = "This recorded run cannot be fetched: try again in a moment.";

/** @type {Map<string, Promise<string>>} */
const fetched = new Map();
let latest = ""; // name of the run that was opened last

/** The message of a recorded run. @param {string} name */
function message(name) {
  const known = fetched.get(name);
  if (known) return known;
  // relative to the page: it may be served below a path
  const coming = fetch(new URL(`gallery/${name}`, document.baseURI)).then((answer) => {
    if (!answer.ok) throw new Error(`the recorded run ${name} is not there: ${answer.status}`);
    return answer.text();
  });
  coming.catch(() => fetched.delete(name)); // fetched again at the next click
  fetched.set(name, coming);
  return coming;
}

/** @param {Event} event */
function prepare(event) {
  const card = event.target instanceof Element && event.target.closest(CARD);
  if (card) for (const { id } of card.querySelectorAll(BUTTON)) message(id.replace("gallery-", "")).catch(() => {});
}

for (const near of ["pointerover", "focusin"]) document.addEventListener(near, prepare, { passive: true });

/** The page was scrolled to a card; on a phone the player is below the controls. @param {HTMLElement} player */
function comeIntoView(player) {
  window.scrollTo(0, 0);
  if (player.getBoundingClientRect().top > window.innerHeight / 2) player.scrollIntoView({ block: "start" });
}

/** The player, once it is on the page: a tab that was never open has none yet. @param {string} id @returns {Promise<HTMLElement>} */
async function mounted(id) {
  const host = document.getElementById(id);
  if (host?.dataset.state) return host;
  await new Promise(requestAnimationFrame);
  return mounted(id);
}

/**
 * Opens a recorded run in the tab of its player. Called by the page's buttons. The message goes straight to the player and not into its
 * value, where late messages of a run that is being stopped would replace it.
 * @param {string} name
 * @param {{ tab: string, player: string }} ids of the elements of its workbench.
 */
async function open(name, { tab, player }) {
  latest = name;
  document.getElementById(tab)?.click();
  const host = await mounted(player);
  const text = await message(name).catch(() => "");
  if (latest !== name) return;
  if (!text) {
    const note = document.querySelector(".tab-note p");
    if (note) note.textContent = LOST; // not in the player, where a run may go on
    return;
  }
  comeIntoView(host);
  host.dispatchEvent(new CustomEvent("ersd-told", { detail: text }));
  const { prompt, models, settings } = JSON.parse(text).messages[0];
  // the controls get these values a moment later: until then they count as unchanged
  host.dispatchEvent(new CustomEvent("ersd-controls", { detail: { prompt, models, ...settings } }));
}

Object.assign(window, { ersdOpenRecorded: open });
