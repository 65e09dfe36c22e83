// State of a run: requested, running, over. Knows which messages belong to it and which are late.

/** @import { BeginMessage, EndMessage, Message, StepMessage } from "../base/types.js" */

/** @typedef {"idle" | "running" | "done" | "stopped" | "error"} RunStatus */

/** Follows the run on the screen. */
export class RunState {
  constructor() {
    /** @type {StepMessage[]} */
    this.steps = []; // received so far
    /** @type {BeginMessage | undefined} */
    this.first = undefined;
    /** @type {EndMessage | undefined} */
    this.last = undefined; // once it has come to its end
    /** @type {RunStatus} */
    this.state = "idle";
    this.isAwaited = false; // a run was requested, and its first message has not come
    this.isGivenUp = false; // before it came
    /** @type {string | undefined} */
    this.name = undefined;
  }

  get isRunning() {
    return this.state === "running";
  }

  /** A run was requested. */
  ask() {
    this.state = "running";
    this.isAwaited = true;
    this.isGivenUp = false;
  }

  /** @param {BeginMessage} message */
  begin(message) {
    this.name = message.run;
    this.first = message;
    this.last = undefined;
    this.steps = [];
    this.state = "running";
    this.isAwaited = false;
  }

  /**
   * @param {RunStatus} state
   * @param {EndMessage} [message] of a run that came to its end.
   */
  finish(state, message) {
    this.last = message;
    this.state = state;
    this.isGivenUp = this.isAwaited;
    this.isAwaited = false;
  }

  /** A recorded run replaces a run that is still going on. */
  replace() {
    this.isGivenUp = this.isGivenUp || this.isRunning;
  }

  /** @param {Message} message does it announce a run that was given up? */
  isLate({ type }) {
    return (type === "begin" || type === "status") && this.isGivenUp;
  }

  /**
   * Does a message belong to the running run, and not to one that was stopped or replaced?
   *
   * @param {StepMessage | EndMessage} message
   */
  isCurrent({ run }) {
    return this.isRunning && !this.isAwaited && run === this.name;
  }
}
