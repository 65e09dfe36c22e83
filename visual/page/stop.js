// Stop, in the browser: it is said at once, and Generate can be pressed again when the run that was stopped is closed.
//
// Gradio closes a run by a request of its own, and loses a press of Generate that comes before its answer: for a moment the button is off.
// It calls what follows a failure when the answer is there, also for a run that was stopped (checked with Gradio 6.31.0, `dependency.ts`).

const MOST_MS = 10_000; // the button is off, were it never said that the run is closed

/**
 * Called by the page's buttons.
 *
 * @param {string[]} shown ids of what shows the run.
 * @param {string} start id of the button that starts one.
 * @param {string} message what they are told.
 */
function stopRun(shown, start, message) {
  const hosts = shown.map((id) => document.getElementById(id)).filter((host) => host?.dataset.state === "running");
  if (!hosts.length) return;
  for (const host of hosts) host?.dispatchEvent(new CustomEvent("ersd-told", { detail: message }));
  turn(start, false);
  setTimeout(() => allowStart(start), MOST_MS);
}

/**
 * The run is closed. Called by the page.
 *
 * @param {string} start id of the button that starts one.
 */
function allowStart(start) {
  turn(start, true);
}

/**
 * @param {string} id of a button.
 * @param {boolean} isOn
 */
function turn(id, isOn) {
  const button = document.getElementById(id);
  if (button instanceof HTMLButtonElement) button.disabled = !isOn;
}

Object.assign(window, { ersdStop: stopRun, ersdClosed: allowStart });
