// The buttons that start a run and stop it. A requested run is shown as such before its first message. One that is stopped is shown as stopped
// immediately, and Generate is enabled again when the run is closed. Each tab has one such run; its elements carry `data-state`.
//
// Gradio closes a run by two requests, and would close a new run that starts before their answers. It reports a stopped run as failed
// twice: when its stream ends, and when both answers are there (seen with Gradio 6.31.0). Until then the button is disabled.

import { around } from "../base/dom.js";
import { partOf, whenMounted } from "../base/parts.js";

// Longest wait for a run to be closed. Until then Gradio ignores the button, so it stays disabled. Answers that come later still do not
// close the next run, once the stopped run's stream has ended.
const MAX_MS = 60_000;
const STOPPED = JSON.stringify({ type: "stopped" });
const REPORTS = 2; // times that Gradio reports a stopped run as failed

/** @type {Set<Element>} buttons whose run was requested and is not over */
const requested = new Set();
/** @type {Map<Element, { left: number, wait: ReturnType<typeof setTimeout> }>} by the disabled button */
const closing = new Map();

/** The tab around an element. @param {Element} part */
const panelOf = (part) => /** @type {HTMLElement} */ (part.closest("[role=tabpanel]"));

/** What shows the run that goes on in the tab around an element. @param {Element} part */
const running = (part) => [...panelOf(part).querySelectorAll('[data-state="running"]')].flatMap((host) => partOf(host) ?? []);

const buttonOf = (/** @type {string} */ id) => /** @type {HTMLButtonElement} */ (document.getElementById(id));

/**
 * Shows that a run is requested, and then lets Gradio request it: a part that is not there yet, in a tab just opened, would take the messages
 * of the run for those of another.
 * @param {string} button id of the one that starts it.
 * @param {string[]} ids of what shows it.
 * @param {...unknown} values of the inputs, which stay as they are.
 */
export async function requestRun(button, ids, ...values) {
  const parts = await Promise.all(ids.map((id) => whenMounted(id)));
  const start = buttonOf(button);
  requested.add(start);
  const stop = () => /** @type {HTMLElement} */ (panelOf(start).querySelector(".stop-button")).click();
  for (const part of parts) part.requested(stop);
  return values;
}

/** Enables the button: its run is over. @param {HTMLButtonElement} start */
function enable(start) {
  clearTimeout(closing.get(start)?.wait);
  closing.delete(start);
  requested.delete(start);
  start.disabled = false;
}

/** @param {Element} stop the button pressed. */
function stopRun(stop) {
  const start = /** @type {HTMLButtonElement | null} */ (panelOf(stop).querySelector(".start-button"));
  const parts = running(stop);
  for (const part of parts) part.receive(STOPPED);
  if (!start || !requested.has(start) || !parts.length) return; // the run may have ended before the page has shown its end
  start.disabled = true;
  clearTimeout(closing.get(start)?.wait); // the timer of an earlier stop would end too early
  closing.set(start, { left: REPORTS, wait: setTimeout(() => enable(start), MAX_MS) });
}

/**
 * Shows why a run failed; not if it was stopped, unless its closing took so long that another run goes on.
 * @param {object} of
 * @param {string} of.button id of the one that starts it.
 * @param {string} of.busy message for a run that never began.
 * @param {string} of.cut message for a run that did.
 * @param {number} [of.most] characters of the prompt
 * @param {string} [of.tooLong] message for a run that never began because its prompt has more.
 * @param {string} [prompt]
 */
export function showFailure({ button, busy, cut, most = Infinity, tooLong = "" }, prompt) {
  const start = buttonOf(button);
  const stopped = closing.get(start);
  if (stopped) {
    stopped.left -= 1;
    if (stopped.left <= 0) enable(start);
    return;
  }
  requested.delete(start);
  const refused = (prompt?.length ?? 0) > most ? tooLong : busy;
  // each takes the first only while it waits for its run, and the second only while that goes on
  for (const part of running(start)) for (const message of [refused, cut]) part.receive(message);
}

/** A run has ended by itself. @param {string} button id of the one that starts one. */
export function noteEnd(button) {
  const start = buttonOf(button);
  requested.delete(start);
  if (closing.has(start)) enable(start);
}

// before Gradio, which listens further in: what is told must not wait for it
document.addEventListener(
  "click",
  (event) => {
    const stop = around(event, ".stop-button");
    if (stop) stopRun(stop);
  },
  true,
);
