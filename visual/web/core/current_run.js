// Which run the page shows, and which messages are about it. Pure. The server names the run in every message; what the page says itself has
// no name, and of that only `stopped` and `lost` end a run that has begun.

/**
 * @typedef {"idle" | "running" | "done" | "stopped" | "error"} RunStatus
 *
 * @typedef {object} CurrentRun
 * @property {RunStatus} status
 * @property {boolean} isAwaited a run was requested, and its first message has not come
 * @property {boolean} isAbandoned it ended before that
 * @property {string} [name]
 * @property {string} [before] name of the run before
 *
 * @typedef {{ type: string, run?: string }} Message
 */

/** @type {CurrentRun} */
export const NO_RUN = { status: "idle", isAwaited: false, isAbandoned: false };

/** @type {Record<string, RunStatus>} type of a message that ends a run -> how it ended */
export const ENDS = { end: "done", recorded: "idle", error: "error", lost: "error", stopped: "stopped" };

const OPENING = new Set(["status", "begin", "error"]); // what the first message of a run may be

/** Is a message about the run on the screen, and not about one that was stopped or replaced? @param {CurrentRun} run @param {Message} message */
export function concerns({ status, isAwaited, isAbandoned, name, before }, { type, run }) {
  if (type === "stopped" || type === "lost") return status === "running";
  if (status !== "running") return !isAbandoned && (type === "begin" || run === undefined);
  if (!isAwaited) return run === name;
  if (run === undefined) return true;
  return run !== before && OPENING.has(type) && run === (name ?? run);
}

/** A run was requested. @param {CurrentRun} run @returns {CurrentRun} */
export const requestedAfter = ({ name, before }) => ({ status: "running", isAwaited: true, isAbandoned: false, before: name ?? before });

/** @param {CurrentRun} run @param {Message} message @returns {CurrentRun} */
export function runAfter(run, message) {
  const { type, run: name } = message;
  // late, and later than the next request too
  if (!concerns(run, message)) return run.isAbandoned ? { ...run, before: name ?? run.before } : run;
  if (type === "begin") return { ...run, status: "running", isAwaited: false, name };
  const named = run.isAwaited ? { ...run, name: run.name ?? name } : run; // while it waits, before it begins
  if (!(type in ENDS)) return named;
  return { ...named, status: ENDS[type], isAwaited: false, isAbandoned: run.isAbandoned || run.isAwaited };
}
