// Durations of the beats of a step's story.

/** @import * as T from "../types" */

// Seconds at speed 1. Each draft call and each decision is long enough to see its race, and all together are short enough to wait for.
// Only a walk of very many decisions takes longer, because a decision shorter than LEAST could not be followed.
const DRAFT = { each: 0.8, most: 2.4 };
const SCORE = 0.5;
const WALK = { each: 0.75, most: 3.2 };
const LEAST = 0.1; // of a decision
const ENDS = 2; // the decision that ends the walk counts for this many: it is what the step is about
const VERDICT = 0.3; // share of a visit in which its verdict is read
const TEXT = 0.6;

/** @param {T.Beat} beat */
export const endOf = ({ start, seconds }) => start + seconds;

/** @param {T.StepMessage} step @param {T.Visit[]} visits */
export function beatsOf(step, visits) {
  /** @type {T.Beat[]} */
  const beats = [];
  const add = (/** @type {T.Phase} */ phase, /** @type {T.Act} */ act, /** @type {number} */ seconds, place = 0) => {
    const last = beats[beats.length - 1];
    beats.push({ phase, act, start: last ? endOf(last) : 0, seconds, place });
  };
  const calls = step.draft_calls;
  for (let call = 1; call <= calls; call += 1) add("draft", "call", Math.min(DRAFT.each, DRAFT.most / calls), call);
  add("score", "sweep", SCORE);
  secondsOfVisits(visits).forEach((seconds, place) => {
    add("walk", "decide", (1 - VERDICT) * seconds, place);
    add("walk", "verdict", VERDICT * seconds, place);
  });
  add("text", "rest", TEXT);
  return beats;
}

/** Shares the walk's time by the decisions of each visit, with at least LEAST for each. @param {T.Visit[]} visits */
function secondsOfVisits(visits) {
  const counts = visits.map(({ decisions }, place) => decisions * (place === visits.length - 1 ? ENDS : 1));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const seconds = Math.min(WALK.most, WALK.each * all);
  return visits.map(({ decisions }, place) => Math.max(LEAST * decisions, (seconds * counts[place]) / all));
}
