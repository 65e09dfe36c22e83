// What a player shows: the step in view, as it was or as it would be, at a moment of its story.

/** @import * as T from "../types" */
import { prefersStill } from "../base/dom.js";
import { sceneOf, storyOfStep } from "./state.js";

/**
 * @param {T.State} state
 * @param {T.StepMessage[]} steps received so far
 * @param {T.RedrawPanel | null} redraw
 * @returns {T.View | null} null: there is nothing to draw.
 */
export function viewOf({ index, choice, time, redrawAt }, steps, redraw) {
  if (!steps[index]) return null;
  const redrawn = (redrawAt && redraw?.redrawn(steps, index, redrawAt)) || null;
  const step = redrawn?.step ?? steps[index];
  const story = storyOfStep(step);
  const scene = sceneOf(story, time, prefersStill());
  // before the walk it is the root's decision: a later one would give away where the walk goes
  const stand = scene.phase === "text" ? null : { vertex: story.visits[Math.max(0, scene.visit)].vertex, about: false };
  const changed = step.changes?.length ? { vertex: step.changes[0].vertex, about: true } : null;
  return { step, before: steps[index - 1], index, choice, focus: choice ?? stand ?? changed, story, scene, redrawAt, redrawn };
}

/**
 * What a reader chose in a step, in the same step as it would be: the decision of the same number.
 * @param {T.View | null} before
 * @param {T.View | null} now
 * @returns {T.Choice | null}
 */
export function sameVisit(before, now) {
  const place = before?.story.visits.findIndex(({ vertex }) => vertex === before.choice?.vertex) ?? -1;
  const visit = now?.story.visits[place];
  return visit ? { vertex: visit.vertex, about: false } : null;
}
