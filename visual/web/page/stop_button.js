// The end of a run before its own: by Stop, or because its answer is lost. A stopped run is shown as stopped immediately, and Generate is
// enabled again when the run is closed. Each tab has one such run; its elements carry `data-state`.
//
// Gradio closes a run by two requests, and would close a new run that starts before their answers. It reports a stopped run as failed
// twice: when its stream ends, and when both answers are there (seen with Gradio 6.31.0). Until then the button is disabled.

// Longest time that the button is disabled: a run that ended just before Stop was pressed has no report. Answers that come later
// still do not close the next run, once the stopped run's stream has ended.
const MAX_MS = 10_000;
const LONGEST_MS = 60_000; // longest wait for a run to be closed
const REPORTS = 2; // times that Gradio reports a stopped run as failed

/** @type {Map<Element, { since: number, left: number, wait: ReturnType<typeof setTimeout> }>} by the disabled button */
const closing = new Map();

/** What shows the run that goes on in the tab around an element. @param {Element} part */
function running(part) {
  return [...(part.closest("[role=tabpanel]")?.querySelectorAll('[data-state="running"]') ?? [])];
}

/** @param {Element} host @param {object} message */
const tell = (host, message) => host.dispatchEvent(new CustomEvent("ersd-told", { detail: JSON.stringify(message) }));

/** @param {Element} stop the button pressed. */
function stopRun(stop) {
  const start = stop.closest(".actions")?.querySelector(".start-button");
  const hosts = running(stop);
  if (!(start instanceof HTMLButtonElement) || !hosts.length) return;
  for (const host of hosts) tell(host, { type: "stopped" });
  start.disabled = true;
  clearTimeout(closing.get(start)?.wait); // the timer of an earlier stop would end too early
  const wait = setTimeout(() => (start.disabled = false), MAX_MS);
  closing.set(start, { since: performance.now(), left: REPORTS, wait });
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
  if (stopped && performance.now() - stopped.since <= LONGEST_MS) {
    stopped.left -= 1;
    if (stopped.left > 0) return;
    closing.delete(start);
    clearTimeout(stopped.wait);
    start.disabled = false;
    return;
  }
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

Object.assign(window, { ersdFailed: showFailure });
