// The end of a run before its own: by Stop, or because its answer is lost. A stopped run is shown as stopped immediately, and Generate is
// enabled again when the run is closed. Each tab has one such run; its elements carry `data-state`.
//
// Gradio closes a run by two requests, and would close a new run that starts before their answers. It reports a stopped run as failed
// twice: when its stream ends, and when both answers are there (seen with Gradio 6.31.0). Until then the button is disabled.

// Longest wait for a run to be closed. Until then Gradio ignores the button, so it stays disabled. Answers that come later still do not
// close the next run, once the stopped run's stream has ended.
const MAX_MS = 60_000;
const REPORTS = 2; // times that Gradio reports a stopped run as failed

/** @type {Set<Element>} buttons whose run was requested and is not over */
const requested = new Set();
/** @type {Map<Element, { left: number, wait: ReturnType<typeof setTimeout> }>} by the disabled button */
const closing = new Map();

/** The button that starts a run in the tab around an element. @param {EventTarget | null} part */
function startButton(part) {
  const start = part instanceof Element ? part.closest("[role=tabpanel]")?.querySelector(".start-button") : null;
  return start instanceof HTMLButtonElement ? start : null;
}

/** What shows the run that goes on in the tab around an element. @param {Element} part */
function running(part) {
  return [...(part.closest("[role=tabpanel]")?.querySelectorAll('[data-state="running"]') ?? [])];
}

/** @param {Element} host @param {object} message */
const tell = (host, message) => host.dispatchEvent(new CustomEvent("ersd-told", { detail: JSON.stringify(message) }));

/** Enables the button: its run is over. @param {HTMLButtonElement} start */
function enable(start) {
  clearTimeout(closing.get(start)?.wait);
  closing.delete(start);
  requested.delete(start);
  start.disabled = false;
}

/** @param {Element} stop the button pressed. */
function stopRun(stop) {
  const start = startButton(stop);
  const hosts = running(stop);
  for (const host of hosts) tell(host, { type: "stopped" });
  if (!start || !requested.has(start) || !hosts.length) return; // the run may have ended before the page has shown its end
  start.disabled = true;
  clearTimeout(closing.get(start)?.wait); // the timer of an earlier stop would end too early
  closing.set(start, { left: REPORTS, wait: setTimeout(() => enable(start), MAX_MS) });
}

/**
 * Shows why a run failed; not if it was stopped, unless its closing took so long that another run goes on. Called by the page.
 * @param {string} id of the button that starts one.
 * @param {object} refused message for a run that never began.
 * @param {object} cut message for a run that did.
 */
function showFailure(id, refused, cut) {
  const start = /** @type {HTMLButtonElement} */ (document.getElementById(id));
  const stopped = closing.get(start);
  if (stopped) {
    stopped.left -= 1;
    if (stopped.left <= 0) enable(start);
    return;
  }
  requested.delete(start);
  // each takes the first only while it waits for its run, and the second only while that goes on
  for (const host of running(start)) for (const message of [refused, cut]) tell(host, message);
}

// before Gradio, which listens further in: what is told must not wait for it
document.addEventListener(
  "click",
  ({ target }) => {
    const stop = target instanceof Element && target.closest(".stop-button");
    if (stop) stopRun(stop);
  },
  true,
);

// a player shows another run: the one that went on ends, as if Stop had been pressed
document.addEventListener("ersd-left", ({ target }) => {
  const panel = target instanceof Element ? target.closest("[role=tabpanel]") : null;
  /** @type {HTMLElement | null | undefined} */ (panel?.querySelector(".stop-button"))?.click();
});

document.addEventListener(
  "ersd-ask",
  ({ target }) => {
    const start = startButton(target);
    if (start) requested.add(start);
  },
  true, // it does not bubble
);

/** Called by the page when a run has ended by itself. @param {string} id of the button that starts one. */
function noteEnd(id) {
  const start = /** @type {HTMLButtonElement} */ (document.getElementById(id));
  requested.delete(start);
  if (closing.has(start)) enable(start);
}

Object.assign(window, { ersdFailed: showFailure, ersdSucceeded: noteEnd });
