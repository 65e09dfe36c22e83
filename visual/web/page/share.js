// Sharing a link: into the address bar and the clipboard. Where a browser refuses the clipboard, the link is shown, selected, to be copied by
// hand; one that is too long is not made, and the run is offered as a file instead.

import { plain } from "../base/templates.js";
import { html, nothing } from "../lit-html.js";
import { noteOf, say } from "./tabs.js";

const HUB = "https://huggingface.co"; // where Spaces are shown, in a frame

const LABEL_MS = 1600; // how long a button shows what became of its link

/**
 * @typedef {object} Sharing
 * @property {number} most characters of a link.
 * @property {string | null} space address that people visit, where this page is a Space; else null.
 */

/** @param {Sharing} sharing @param {string} query of the link. @returns {Promise<string>} what the button shows for a moment. */
export async function share({ most, space }, query) {
  const isFramed = window.parent !== window;
  const link = new URL(space && isFramed ? space : location.origin + location.pathname);
  link.search = query;
  if (document.body.classList.contains("dark")) link.searchParams.set("__theme", "dark");
  say("");
  if (link.href.length > most) {
    const length = link.href.length.toLocaleString("en");
    const why = `Prompt is too long for a link: it would have ${length} characters, percent-encoded, and at most ${most.toLocaleString("en")} are allowed.`;
    say([plain(why), fileButton()]);
    noteOf()?.scrollIntoView({ block: "nearest" });
    return "Too long";
  }
  if (space && isFramed) parent.postMessage({ queryString: link.search.slice(1), hash: "" }, HUB);
  else history.replaceState(history.state, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    return "Copied";
  } catch {
    // browsers allow the clipboard only on a secure address, and a frame only if the page around it does
    showLink(link.href);
    return "Below";
  }
}

/** Offers the run as a file, if there is one. */
function fileButton() {
  const saves = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".ersd-save")]);
  const save = saves.find(({ offsetParent }) => offsetParent);
  return save ? html`<button type="button" @click=${() => save.click()}>Save the run as a file</button>` : nothing;
}

/** @param {string} href */
function showLink(href) {
  const field = html`<input readonly aria-label="Link to copy" .value=${href} />`;
  say([plain("This browser keeps pages from its clipboard. Copy the link:"), field]);
  const note = noteOf();
  note?.scrollIntoView({ block: "nearest" });
  note?.querySelector("input")?.select();
}

/** A button's own label, after a moment. @param {string} label */
export const restoreLabel = (label) => new Promise((resolve) => setTimeout(() => resolve(label), LABEL_MS));
