// Which run the page shows: requested, running or over, and which messages are about it. A player, the board of the Compare tab and the
// Curves tab each follow one.

/** @typedef {"idle" | "running" | "done" | "stopped" | "error"} RunStatus */

const OPENING = new Set(["status", "begin", "error"]); // what the first message of a run may be

/** Follows the run on the screen. */
export class CurrentRun {
  constructor() {
    /** @type {RunStatus} */
    this.state = "idle";
    this.isAwaited = false; // a run was requested, and its first message has not come
    this.isAbandoned = false; // before it came
    /** @type {string | undefined} */
    this.name = undefined;
    /** @type {string | undefined} */
    this.before = undefined; // name of the run before
  }

  get isRunning() {
    return this.state === "running";
  }

  /** A run was requested. */
  ask() {
    if (this.name !== undefined) this.before = this.name;
    this.name = undefined;
    this.state = "running";
    this.isAwaited = true;
    this.isAbandoned = false;
  }

  /** @param {{ run: string }} message */
  begin({ run }) {
    this.name = run;
    this.state = "running";
    this.isAwaited = false;
  }

  /** @param {RunStatus} state */
  finish(state) {
    this.state = state;
    this.isAbandoned ||= this.isAwaited;
    this.isAwaited = false;
  }

  /**
   * Is a message about the run on the screen, and not about one that was stopped or replaced? The server names the run in every message.
   * What the page says itself has no name, and of that only `stopped` and `lost` end a run that has begun.
   * @param {{ type: string, run?: string }} message
   */
  accepts({ type, run }) {
    if (type === "recording") return true;
    if (type === "stopped" || type === "lost") return this.isRunning;
    if (this.isAbandoned) this.before = run ?? this.before; // late, and later than the next request too
    if (!this.isRunning) return !this.isAbandoned && (type === "begin" || run === undefined);
    if (!this.isAwaited) return run === this.name;
    if (run === undefined) return true;
    if (run === this.before || !OPENING.has(type)) return false;
    this.name ??= run; // named while it waits, before it begins
    return run === this.name;
  }
}
