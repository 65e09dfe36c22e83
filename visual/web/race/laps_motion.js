// A race in laps in motion: a line sweeps outward on the draft's side, then on the target's; what it has not reached is not there yet.

/** @import * as T from "../types" */
import { isOwn, OVER } from "../decision/motion.js";
import { endOfLaps, momentOf } from "./time_scale.js";

/**
 * @param {T.DecisionMotion} motion
 * @param {{ decision: T.Decision, frame: T.Frame, full: number, laps: { rows: number[], times: number[] } }} drawn `full`: time at the axis' end
 * @param {T.Known} known
 */
export function showLaps(motion, { decision, frame, full, laps }, known) {
  const { chosen, q, clock = [], p } = decision;
  const draft = q ? known.draft : 1;
  const { target } = known;
  const momentAt = momentOf(decision);
  const reached = (/** @type {number} */ share) => (share >= OVER ? 1 : Math.min(1, (share * endOfLaps(laps)) / full));
  const hasArrived = (/** @type {number} */ row) =>
    laps.rows.includes(row) && (draft >= OVER || momentAt(laps.times[laps.rows.indexOf(row)]) <= draft);
  const isWon = target >= OVER || (target > 0 && momentAt(clock[chosen] / p[chosen]) <= target);
  // the target's own token, brought up from further down, would give itself away
  const isThere = (/** @type {number} */ row) =>
    isWon || !frame.rows.some((shown) => shown.row === row && shown.rank !== null && shown.isAfterGap);
  motion.decided(isWon);
  for (const name of ["clocks", "dials"]) motion.each(name, isThere);
  motion.looks((row) => {
    if (row === chosen && isWon) return "decided";
    if (q && hasArrived(row)) return "drafted";
    return isThere(row) ? "plain" : "";
  });
  motion.clip("draft", reached(draft));
  motion.clip("target", reached(target));
  motion.each("draft_bars", isThere);
  motion.each("draft_late", (row) => isThere(row) && draft >= OVER);
  motion.group("stop", draft >= OVER);
  motion.each("draft_beyond", (row) => draft >= OVER && isThere(row));
  const runs = (/** @type {number} */ row) => isThere(row) && (isWon || !isOwn(decision, row) || target > 0);
  motion.each("target_bars", runs);
  motion.each("target_beyond", (row) => runs(row) && target >= OVER);
  motion.dull("target_bars", (row) => row === chosen && !isWon);
  motion.each("target_late", (row) => isThere(row) && target >= OVER);
  motion.hideCursors();
}
