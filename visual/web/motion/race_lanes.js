// A race as data: its runners, their distances and speeds, and when it stops. Nothing is drawn here.
//
// Every token must cover the distance E, its clock: in the draft's lane at speed q, in the target's at speed p. At time t it has covered t·q
// or t·p of it. The draft's race stops when the last of the vertex's children arrives, the target's at its first arrival.

/** @import { Decision, StepMessage } from "../base/types.js" */
import { arrivals } from "../decision/bar_values.js";

/** Shortest length at which a lane is drawn, as a share of the widest: a shorter one would be invisible. */
export const SHORTEST = 0.07;

/** Share of a draft call after which its race stops, as the last child has arrived. */
export const DRAFT_STOPS = 0.85;

/** @typedef {"draft" | "target"} Side */

/**
 * @typedef {object} Lane
 * @property {number} speed  q or p
 * @property {number} arrival  E / speed; infinite: never
 * @property {number} place  of arrival, from 1; 0: it does not arrive before the race stops
 */

/**
 * @typedef {object} Runner  a token of the race
 * @property {number} row  of the decision
 * @property {number} clock  E
 * @property {number} length  of its lanes, as a share of the widest
 * @property {boolean} isScaled  the length is proportional to E, on the scale of all scaled runners
 * @property {Lane | null} draft  null: the draft was not run here
 * @property {Lane} target
 */

/**
 * @typedef {object} Race
 * @property {Runner[]} runners  in the draft's order of arrival
 * @property {number | null} draftStop  when its last listed child arrives; null: the draft was not run here
 * @property {number} targetStop
 * @property {number} children  how many were drafted here
 * @property {number} arrived  how many of them are listed in the decision
 */

/**
 * The race at a visited vertex.
 *
 * @param {StepMessage} step
 * @param {number} vertex
 * @param {number} most runners that fit: the winner and the children first, then the earliest arrivals.
 * @returns {Race}
 */
export function raceOf(step, vertex, most) {
  const decision = step.decisions[vertex];
  const clocks = decision.clock ?? [];
  const times = { draft: decision.q && arrivals(decision, decision.q), target: arrivals(decision, decision.p) };
  const children = byTime(Object.values(decision.row_of), times.draft ?? []);
  const shown = runnersShown(decision, children, times, most);
  const full = fullLength(
    shown.map((row) => clocks[row]),
    [decision.chosen, ...(times.draft ? children.slice(0, 1) : [])].map((row) => clocks[row]),
  );
  const runners = shown.map((row) => ({
    row,
    clock: clocks[row],
    ...lengthOf(clocks[row], full),
    draft: decision.q && times.draft && { speed: decision.q[row], arrival: times.draft[row], place: children.indexOf(row) + 1 },
    target: { speed: decision.p[row], arrival: times.target[row], place: row === decision.chosen ? 1 : 0 },
  }));
  const last = children.at(-1);
  return {
    runners,
    draftStop: times.draft && last !== undefined ? times.draft[last] : null,
    targetStop: times.target[decision.chosen],
    children: step.tree.parents.slice(0, step.tree.q.length).filter((parent) => parent === vertex).length,
    arrived: children.length,
  };
}

/**
 * How much of its distance a token has covered, 0 to 1.
 *
 * @param {Lane} lane
 * @param {number} time
 */
export const covered = ({ arrival }, time) => Math.min(1, time / arrival);

/**
 * @param {number[]} rows
 * @param {number[]} times
 */
const byTime = (rows, times) => [...rows].sort((one, other) => times[one] - times[other]);

/**
 * The rows shown, in the order of the decision.
 *
 * @param {Decision} decision
 * @param {number[]} children their rows, in the order of arrival.
 * @param {{ draft: number[] | null, target: number[] }} times
 * @param {number} most
 */
function runnersShown({ p, chosen }, children, times, most) {
  const rows = p.map((_, row) => row);
  const first = children.at(0) ?? chosen;
  const earliest = rows.map((row) => Math.min(times.target[row], times.draft?.[row] ?? Infinity));
  const wanted = [chosen, first, children.at(-1) ?? chosen, ...children, ...byTime(rows, earliest)];
  const shown = new Set([...new Set(wanted)].slice(0, most));
  return rows.filter((row) => shown.has(row));
}

/**
 * The distance that the widest lane stands for: one of the runners' distances, chosen so that the leaders' lanes, and then as many others
 * as possible, are to scale.
 *
 * @param {number[]} distances
 * @param {number[]} leaders distances too.
 */
function fullLength(distances, leaders) {
  const worth = (/** @type {number} */ full) => {
    const fits = (/** @type {number} */ one) => one <= full && one >= SHORTEST * full;
    return distances.filter(fits).length + 10 * leaders.filter(fits).length;
  };
  return distances.reduce((best, one) => (worth(one) > worth(best) || (worth(one) === worth(best) && one > best) ? one : best));
}

/**
 * @param {number} distance
 * @param {number} full
 */
function lengthOf(distance, full) {
  const length = distance / full;
  return { length: Math.min(1, Math.max(SHORTEST, length)), isScaled: length <= 1 && length >= SHORTEST };
}
