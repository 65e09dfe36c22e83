// A race in motion: cursors run along the axis, and what they have not reached is not there yet.

/** @import * as T from "../types" */
import { isOwn, OVER } from "../decision/motion.js";

/**
 * @param {T.DecisionMotion} motion
 * @param {object} drawn
 * @param {T.Decision} drawn.decision
 * @param {T.Frame} drawn.frame
 * @param {Map<number, { draft: number | null, target: number }>} drawn.arrivals by row, as places on the scale
 * @param {Map<number, { draft: number, target: number }>} drawn.labels by row: the places from which the cursor does not cross them
 * @param {boolean} drawn.isHalf the draft's bars come in its order, and no cursor runs along them
 * @param {T.Known} known
 */
export function showRace(motion, { decision, frame, arrivals, labels, isHalf }, known) {
  const { chosen, q } = decision;
  const draft = q ? known.draft : 1;
  const { target, scored } = known;
  const came = (/** @type {number} */ row) => {
    const at = arrivals.get(row);
    return { draft: draft >= OVER || (at?.draft ?? 2) < draft, target: target >= OVER || (at?.target ?? 2) < target };
  };
  const isWon = came(chosen).target;
  const latest = frame.rows.filter(({ rank, isAfterGap }) => rank !== null && isAfterGap).map(({ row }) => row);
  const isThere = (/** @type {number} */ row) => isWon || !latest.includes(row);
  const isNumbered = (/** @type {number} */ row) => isThere(row) && (isWon || !isOwn(decision, row)); // no other such row has a number
  motion.decided(isWon);
  for (const name of ["clocks", "dials"]) motion.each(name, isThere);
  motion.looks((row) => {
    if (row === chosen && isWon) return "decided";
    if (came(row).draft && q) return "drafted";
    return isThere(row) ? "plain" : "";
  });
  for (const side of /** @type {const} */ (["draft", "target"])) {
    const share = side === "draft" ? draft : target;
    const hasCursor = side === "target" || !isHalf;
    motion.clip(side, hasCursor ? share : 1);
    motion.each(`${side}_bars`, isThere);
    motion.dull(`${side}_bars`, (row) => !came(row)[side] || (side === "target" && row === chosen && !isWon));
    motion.each(`${side}_late`, (row) => isThere(row) && share >= OVER);
    motion.each(`${side}_early`, (row) => isThere(row) && share > 0);
    for (const flag of ["poles", "pennants"]) motion.each(`${side}_${flag}`, (row) => isNumbered(row) && came(row)[side]);
    const isClear = (/** @type {number} */ row) =>
      isNumbered(row) && came(row)[side] && (share >= OVER || share > (labels.get(row)?.[side] ?? 0));
    for (const label of ["within", "ends", "beyond"]) motion.each(`${side}_${label}`, isClear);
    motion.cursor(side, hasCursor ? share : 1);
  }
  motion.each("target_p", (row) => scored && target === 0 && isThere(row));
}
