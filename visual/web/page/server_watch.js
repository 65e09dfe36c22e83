// While a run is on the screen, is the server still there, and still the one that the page came from? If not, the run is lost, and the
// players are told: what is on its way would be waited for without end. If it is, and says nothing, is anybody listening? The page loads
// this once.

const ASK_MS = 3000; // from one question to the next, while something runs
const PATIENCE_MS = 8000; // for an answer; a busy server may take its time
const MISSES = 2; // questions in a row without an answer until the server counts as gone
const UNHEARD = 2; // times in a row that not a word has come of a run until the connection is opened anew

const GONE = "The server cannot be reached: this run is lost. Press Generate again when it is back.";
const ANOTHER = "The server was started anew: this run is lost. Reload the page, and press Generate again.";

/** @type {string | undefined} */
let known; // which server the page talks to
let misses = 0;
let silent = 0;

/** Which server answers; undefined where none does. A server that answers something else is there all the same. */
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
function tell(words) {
  const detail = JSON.stringify({ type: "error", words, field: "" });
  for (const player of document.querySelectorAll('[data-state="running"]')) player.dispatchEvent(new CustomEvent("ersd-told", { detail }));
}

/**
 * Gradio closes the connection that brings the answers when a run is over. Where the browser learns of that only after the next run was
 * taken, nobody hears of this one (seen with Gradio 6.31.0). Whatever is asked then opens the connection, and all that was said comes.
 */
function listen() {
  silent = document.querySelector("[data-awaited]") ? silent + 1 : 0;
  if (silent === UNHEARD) document.getElementById("listen")?.click();
}

async function watch() {
  listen();
  if (document.querySelector('[data-state="running"]') || known === undefined) {
    const server = await ask();
    misses = server === undefined ? misses + 1 : 0;
    known ??= server;
    if (misses >= MISSES) tell(GONE);
    else if (server && server !== known) tell(ANOTHER);
  }
  setTimeout(watch, ASK_MS);
}

watch();
