// Stop, in the browser: it is said at once, and Generate can be pressed again when the run that was stopped is closed.
//
// Gradio closes a run by two requests, and takes a press of Generate that comes before the answers for the run that it closes. Of a run
// that was stopped it says twice that it failed: when its stream ends, and when both answers are there (seen with Gradio 6.31.0). Until then
// the button is off.

const MOST_MS = 10_000; // the button is off, were it never said that the run is closed
const LONGEST_MS = 60_000; // that the closing of a run is waited for
const SAID = 2; // times that Gradio says of a stopped run that it failed

/** @type {Map<string, ReturnType<typeof setTimeout>>} by the button that is off */
const waits = new Map();
/** @type {Map<string, { since: number, left: number }>} by the button: when its run was stopped, how often it will still be said to fail */
const closing = new Map();

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
  closing.set(start, { since: performance.now(), left: SAID });
  clearTimeout(waits.get(start)); // that of a stop before this one would be over too soon
  waits.set(
    start,
    setTimeout(() => turn(start, true), MOST_MS),
  );
}

/**
 * A run is said to have failed. Called by the page.
 *
 * @param {string} start id of the button that starts one.
 * @returns {boolean} did it? Not if it was stopped; where its closing took long, another one goes on by now.
 */
function runHasFailed(start) {
  const stopped = closing.get(start);
  if (!stopped || performance.now() - stopped.since > LONGEST_MS) return true;
  stopped.left -= 1;
  if (stopped.left === 0) {
    closing.delete(start);
    clearTimeout(waits.get(start));
    turn(start, true);
  }
  return false;
}

/**
 * @param {string} id of a button.
 * @param {boolean} isOn
 */
function turn(id, isOn) {
  const button = document.getElementById(id);
  if (button instanceof HTMLButtonElement) button.disabled = !isOn;
}

Object.assign(window, { ersdStop: stopRun, ersdFailed: runHasFailed });
