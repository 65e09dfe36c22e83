// Durations of the beats of a step's story.

/** @import { Act, Beat, Phase, Visit } from "./story.js" */
/** @import { StepMessage } from "../base/types.js" */

// Seconds at speed 1. A story takes about 3 to 4 seconds, whatever was drafted: calls and decisions share a fixed time. Only a walk of more
// than 17 decisions takes longer, because a decision shorter than LEAST could not be followed.
const DRAFT = { alone: 0.7, first: 0.5, others: 0.4 }; // one call; the first of several, in which the root's children come; all others together
const SWEEP = 0.4;
const WALK = { least: 1.4, most: 1.75, each: 0.5 }; // all decisions together; `each` where they are few
const LEAST = 0.1; // of a decision
const ENDS = 2; // the decision that ends the walk counts for this many: it is what the step is about
const VERDICT = 0.3; // share of a visit in which its verdict is read
const FLIGHT = 0.4;
const JOIN = 0.35;
const REST = 0.2;

/** @param {Beat} beat */
export const endOf = ({ start, seconds }) => start + seconds;

/**
 * @param {StepMessage} step
 * @param {Visit[]} visits
 */
export function beatsOf(step, visits) {
  /** @type {Beat[]} */
  const beats = [];
  const add = (/** @type {Phase} */ phase, /** @type {Act} */ act, /** @type {number} */ seconds, place = 0) => {
    const last = beats[beats.length - 1];
    beats.push({ phase, act, start: last ? endOf(last) : 0, seconds, place });
  };
  const calls = step.draft_calls;
  for (let call = 1; call <= calls; call += 1) add("draft", "call", secondsOfCall(call, calls), call);
  add("score", "sweep", SWEEP);
  secondsOfVisits(visits).forEach((seconds, place) => {
    add("walk", "decide", (1 - VERDICT) * seconds, place);
    add("walk", "verdict", VERDICT * seconds, place);
  });
  if (step.bar.own) {
    add("text", "fly", FLIGHT);
    add("text", "join", JOIN);
  }
  add("text", "rest", REST);
  return beats;
}

/**
 * @param {number} call from 1
 * @param {number} calls
 */
function secondsOfCall(call, calls) {
  if (calls === 1) return DRAFT.alone;
  return call === 1 ? DRAFT.first : DRAFT.others / (calls - 1);
}

/**
 * Shares the walk's time by the decisions of each visit, with at least LEAST for each.
 *
 * @param {Visit[]} visits
 */
function secondsOfVisits(visits) {
  const counts = visits.map(({ decisions }, place) => decisions * (place === visits.length - 1 ? ENDS : 1));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const seconds = Math.min(WALK.most, Math.max(WALK.least, WALK.each * all));
  return visits.map(({ decisions }, place) => Math.max(LEAST * decisions, (seconds * counts[place]) / all));
}
