// Stop, in the browser: the run is shown as stopped immediately, and Generate is enabled again when the run is closed.
//
// Gradio closes a run by two requests, and would close a new run that starts before their answers. It reports a stopped run as failed
// twice: when its stream ends, and when both answers are there (seen with Gradio 6.31.0). Until then the button is disabled.

const MOST_MS = 10_000; // longest time that the button is disabled, if no report comes
const LONGEST_MS = 60_000; // longest wait for a run to be closed
const REPORTS = 2; // times that Gradio reports a stopped run as failed

/** @type {Map<string, ReturnType<typeof setTimeout>>} by the disabled button */
const waits = new Map();
/** @type {Map<string, { since: number, left: number }>} by the button: when its run was stopped, how many reports are still to come */
const closing = new Map();

/**
 * Called by the page's buttons.
 *
 * @param {string[]} shown ids of the elements that show the run.
 * @param {string} start id of the button that starts one.
 * @param {string} message sent to them.
 */
function stopRun(shown, start, message) {
  const hosts = shown.map((id) => document.getElementById(id)).filter((host) => host?.dataset.state === "running");
  if (!hosts.length) return;
  for (const host of hosts) host?.dispatchEvent(new CustomEvent("ersd-told", { detail: message }));
  turn(start, false);
  closing.set(start, { since: performance.now(), left: REPORTS });
  clearTimeout(waits.get(start)); // the timer of an earlier stop would end too early
  waits.set(
    start,
    setTimeout(() => turn(start, true), MOST_MS),
  );
}

/**
 * Handles a report that a run failed. Called by the page.
 *
 * @param {string} start id of the button that starts one.
 * @returns {boolean} did it really fail? Not if it was stopped, unless its closing took so long that another run goes on.
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
