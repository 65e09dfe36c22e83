// Coins in motion: bars come one after the other, then what remains of the target's shrinks with every coin.

/** @import * as T from "../types" */
import { isOwn, OVER } from "../decision/motion.js";

/** @param {T.DecisionMotion} motion @param {{ decision: T.Decision, frame: T.Frame, layers: T.Layers }} drawn @param {T.Known} known */
export function showCoins(motion, { decision, frame, layers }, { draft, target, scored, stage, tries }) {
  const isOver = target >= OVER;
  const { chosen, p } = decision;
  const fallen = new Set((decision.tries ?? []).slice(0, tries).map(({ vertex }) => decision.row_of[vertex]));
  const share = (/** @type {number} */ row) => frame.rows.findIndex((shown) => shown.row === row) / frame.rows.length;
  // the target's own token, brought up from further down, would give itself away
  const isBroughtUp = isOwn(decision, chosen) && frame.rows.some(({ row, isAfterGap }) => row === chosen && isAfterGap);
  const isThere = (/** @type {number} */ row) => isOver || row !== chosen || !isBroughtUp;
  const isDrawn = (/** @type {number} */ row) => isThere(row) && (draft >= OVER || share(row) < draft);
  motion.decided(isOver);
  motion.looks((row) => {
    if (isOver || (row !== chosen && fallen.has(row))) return "decided";
    if (!isThere(row)) return "";
    return isDrawn(row) && decision.q ? "drafted" : "plain";
  });
  motion.clip("draft", 1);
  motion.clip("target", 1);
  for (const name of ["draft_bars", "draft_chances"]) motion.each(name, isDrawn);
  const isNumbered = (/** @type {number} */ row) => isThere(row) && (isOver || !isOwn(decision, row)); // no other such row has a number
  motion.each("draft_beyond", (row) => isDrawn(row) && isNumbered(row));
  motion.dull("draft_bars", (row) => !isDrawn(row));
  for (const name of ["target_bars", "target_outlines"]) motion.each(name, (row) => scored && isThere(row));
  motion.dull("target_bars", (row) => row === chosen && !isOver);
  const remaining = remainingAt(decision, stage);
  for (const [row, bar] of motion.points("target_bars")) {
    const factor = remaining && p[row] ? remaining[row] / p[row] : 1;
    bar.style.transform = factor < 1 ? `scaleX(${factor})` : "";
  }
  const isRest = stage !== 0 && Boolean(decision.left?.length);
  motion.group("target_note", !isRest);
  motion.group("target_rest", isRest);
  const now = `target_beyond_${stage ?? "end"}`;
  for (const name of layers.rows.keys()) {
    if (!name.startsWith("target_beyond_")) continue;
    motion.group(name, scored && name === now);
    motion.each(name, isNumbered);
  }
  motion.hideCursors();
}

/** Rejections before a stage. @param {T.Decision} decision @param {number | null} stage */
function rejectionsBefore({ tries, left }, stage) {
  if (!tries) return stage === null ? (left?.length ?? 0) : 0; // a sequence is cut once
  return tries.slice(0, stage ?? tries.length).filter(({ accepted }) => !accepted).length;
}

/**
 * What remains of p at a try, by row; p where nothing was taken from it, null where what remains is not known.
 * @param {T.Decision} decision
 * @param {number | null} stage the try in view, from 0; the number of tries: after all of them; null: as decided
 * @returns {number[] | null}
 */
export function remainingAt(decision, stage) {
  const rejections = rejectionsBefore(decision, stage);
  if (!rejections) return decision.p;
  const residual = decision.left?.find(({ after }) => after === rejections);
  if (!residual) return null;
  const { p, mass } = residual;
  if (!p) return decision.p;
  return mass === null ? null : p.map((value, row) => Math.min(decision.p[row], value * mass));
}
