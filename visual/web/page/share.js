// Sharing a link: into the address bar and the clipboard. Where a browser refuses the clipboard, the link is shown, selected, to be copied by
// hand; one that is too long is not made, and the run is offered as a file instead.

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
  const note = noteOf();
  note.replaceChildren();
  if (link.href.length > most) {
    note.append(
      `Prompt is too long for a link: it would have ${link.href.length.toLocaleString("en")} characters, percent-encoded,`,
      ` and at most ${most.toLocaleString("en")} are allowed.`,
    );
    offerFile(note);
    note.scrollIntoView({ block: "nearest" });
    return "Too long";
  }
  if (space && isFramed) parent.postMessage({ queryString: link.search.slice(1), hash: "" }, HUB);
  else history.replaceState(history.state, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    return "Copied";
  } catch {
    // browsers allow the clipboard only on a secure address, and a frame only if the page around it does
    showLink(note, link.href);
    return "Below";
  }
}

function noteOf() {
  return /** @type {HTMLElement} */ (document.querySelector(".tab-note p"));
}

/** @param {HTMLElement} note */
function offerFile(note) {
  const save = /** @type {HTMLElement | undefined} */ (
    [...document.querySelectorAll(".ersd-save")].find((button) => button instanceof HTMLElement && button.offsetParent)
  );
  if (!save) return;
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Save the run as a file" });
  button.addEventListener("click", () => save.click());
  note.append(" ", button);
}

/** @param {HTMLElement} note @param {string} href */
function showLink(note, href) {
  const field = Object.assign(document.createElement("input"), { readOnly: true, value: href, ariaLabel: "Link to copy" });
  note.append("This browser keeps pages from its clipboard. Copy the link: ", field);
  note.scrollIntoView({ block: "nearest" });
  field.select();
}

/** A button's own label, after a moment. @param {string} label */
export const restoreLabel = (label) => new Promise((resolve) => setTimeout(() => resolve(label), LABEL_MS));
