// Watches the server while a run is on the screen: if it is gone or was restarted, the run is lost and its players show an error instead of
// waiting without end. If it is there and silent, the connection that brings its answers is opened again. The page loads this once.

const ASK_MS = 3000; // between two requests, while something runs
const PATIENCE_MS = 8000; // timeout of a request; a busy server may take its time
const MISSES = 2; // requests in a row without an answer until the server counts as gone
const SILENT_CHECKS = 2; // checks in a row without a message of a run until the connection is opened again

const GONE = "The server cannot be reached: this run is lost. Press Generate again when it is back.";
const ANOTHER = "The server was started anew: this run is lost. Reload the page, and press Generate again.";

/** @type {string | undefined} */
let known; // id of the server that the page talks to
let misses = 0;
let silent = 0;

/** The id of the server that answers; undefined where none does. A server with an unexpected answer still counts as there. */
async function ask() {
  try {
    const answer = await fetch(new URL("gradio_api/app_id", document.baseURI), {
      signal: AbortSignal.timeout(PATIENCE_MS),
      cache: "no-store",
    });
    return answer.ok ? String((await answer.json()).app_id) : (known ?? "");
  } catch {
    return undefined;
  }
}

/** @param {string} words */
function showError(words) {
  const detail = JSON.stringify({ type: "error", words, field: "" });
  for (const player of document.querySelectorAll('[data-state="running"]')) player.dispatchEvent(new CustomEvent("ersd-told", { detail }));
}

/**
 * Gradio closes the connection that brings the answers when a run is over. If the browser learns of that only after the next run was
 * accepted, its answers do not arrive (seen with Gradio 6.31.0). Any request opens the connection again, and brings them all.
 */
function listen() {
  silent = document.querySelector("[data-awaited]") ? silent + 1 : 0;
  if (silent === SILENT_CHECKS) document.getElementById("listen")?.click();
}

async function watch() {
  listen();
  if (document.querySelector('[data-state="running"]') || known === undefined) {
    const server = await ask();
    misses = server === undefined ? misses + 1 : 0;
    known ??= server;
    if (misses >= MISSES) showError(GONE);
    else if (server && server !== known) showError(ANOTHER);
  }
  setTimeout(watch, ASK_MS);
}

watch();
