// The state of a player as data attributes of its element, for style sheets, scripts and tests.

/** @import * as T from "../types" */

/** Sets data-state, data-awaited, data-steps, data-step, data-phase and data-vertex. */
export class DataAttributes {
  /** @param {HTMLElement} host */
  constructor(host) {
    this.host = host;
    // carries data-running for the buttons of the form: a :has() in the style sheet would search the whole page
    this.bench = host.closest(".workbench");
  }

  /** @param {T.RunState} run */
  setRun({ state, isRunning }) {
    this.host.dataset.state = state;
    this.bench?.toggleAttribute("data-running", isRunning);
  }

  /** @param {boolean} isAwaited was a run requested of which nothing is on the screen yet? */
  setAwaited(isAwaited) {
    this.host.toggleAttribute("data-awaited", isAwaited);
  }

  /** @param {number} steps received. */
  setSteps(steps) {
    this.host.dataset.steps = String(steps);
  }

  /**
   * What is on the screen.
   * @param {number} index of the step; -1: none.
   * @param {T.Choice | null} choice what a reader chose in it.
   * @param {T.Phase | undefined} phase of its story.
   */
  setView(index, choice, phase) {
    if (phase) this.host.dataset.phase = phase;
    if (choice && !choice.about) this.host.dataset.vertex = String(choice.vertex);
    else delete this.host.dataset.vertex;
    this.host.dataset.step = String(index + 1);
  }

  /** The phase on the screen. */
  get phase() {
    return /** @type {T.Phase} */ (this.host.dataset.phase ?? "text");
  }
}
