// The run of a player: its messages so far.

/** @import * as T from "../types" */
import { CurrentRun } from "./current_run.js";

/** The run on the screen, with what was received of it. */
export class RunState extends CurrentRun {
  constructor() {
    super();
    /** @type {T.StepMessage[]} */
    this.steps = []; // received so far
    /** @type {T.BeginMessage | undefined} */
    this.first = undefined;
    /** @type {T.EndMessage | undefined} */
    this.last = undefined; // once it has come to its end
  }

  /** @param {T.BeginMessage} message */
  begin(message) {
    super.begin(message);
    this.first = message;
    this.last = undefined;
    this.steps = [];
  }

  /**
   * @param {T.RunStatus} state
   * @param {T.EndMessage} [message] of a run that came to its end.
   */
  finish(state, message) {
    super.finish(state);
    this.last = message;
  }
}
