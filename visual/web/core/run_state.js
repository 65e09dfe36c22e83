// The run of a player: its messages so far.

/** @import { BeginMessage, EndMessage, StepMessage } from "../base/types.js" */
/** @import { RunStatus } from "./current_run.js" */
import { CurrentRun } from "./current_run.js";

/** The run on the screen, with what was received of it. */
export class RunState extends CurrentRun {
  constructor() {
    super();
    /** @type {StepMessage[]} */
    this.steps = []; // received so far
    /** @type {BeginMessage | undefined} */
    this.first = undefined;
    /** @type {EndMessage | undefined} */
    this.last = undefined; // once it has come to its end
  }

  /** @param {BeginMessage} message */
  begin(message) {
    super.begin(message);
    this.first = message;
    this.last = undefined;
    this.steps = [];
  }

  /**
   * @param {RunStatus} state
   * @param {EndMessage} [message] of a run that came to its end.
   */
  finish(state, message) {
    super.finish(state);
    this.last = message;
  }
}
