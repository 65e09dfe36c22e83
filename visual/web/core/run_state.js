// How far a run has come: asked for, going on, over. It tells messages of this run from those that nobody waits for any more.

/** @import { BeginMessage, EndMessage, Message, StepMessage } from "../base/types.js" */

/** @typedef {"idle" | "running" | "done" | "stopped" | "error"} State */

/** Follows the run on the screen. */
export class RunState {
  constructor() {
    /** @type {StepMessage[]} */
    this.steps = []; // that have come
    /** @type {State} */
    this.state = "idle";
    this.isAwaited = false; // a run was asked for, and its first message has not come
    this.isGivenUp = false; // before it came
    /** @type {string | undefined} */
    this.name = undefined;
  }

  get isRunning() {
    return this.state === "running";
  }

  /** A run was asked for. */
  ask() {
    this.state = "running";
    this.isAwaited = true;
    this.isGivenUp = false;
  }

  /** @param {BeginMessage} message */
  begin({ run }) {
    this.name = run;
    this.steps = [];
    this.state = "running";
    this.isAwaited = false;
  }

  /** @param {State} state */
  finish(state) {
    this.state = state;
    this.isGivenUp = this.isAwaited;
    this.isAwaited = false;
  }

  /** Something else comes in the place of a run that is going on. */
  replace() {
    this.isGivenUp = this.isGivenUp || this.isRunning;
  }

  /** @param {Message} message before the first step: is it of a run that was given up? */
  isLate({ type }) {
    return (type === "begin" || type === "status") && this.isGivenUp;
  }

  /**
   * Is this of the run that is going on, and not of one that was stopped, or that another one replaced or is about to?
   *
   * @param {StepMessage | EndMessage} message
   */
  isCurrent({ run }) {
    return this.isRunning && !this.isAwaited && run === this.name;
  }
}
