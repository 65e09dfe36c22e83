// A race at another temperature, from what the run recorded of it (ersd/trace/temperatures.py): the clocks stay, and every probability
// becomes its power over the sum of all powers. So which token is first depends on its own probability and clock alone.

/** @import * as T from "../types" */

const NEAR = 1e-5; // arrivals whose logarithms are closer than this, times 1 + power, count as equal: digits and rounding end there

/**
 * @typedef {object} Race
 * @property {Arrival[]} rows all recorded tokens
 * @property {Arrival | null} first in the target's race; null: two are too close
 * @property {Arrival[]} order of the draft's arrivals
 * @property {number} ranks so many arrivals of the draft are certain
 * @typedef {object} Arrival
 * @property {number} row of the decision; from its length on, of `others`
 * @property {string} name
 * @property {number} clock
 * @property {number} p
 * @property {number | null} q
 * @property {number} target logarithm of the arrival, up to what all share
 * @property {number} draft the same; infinite where the draft was not run
 * @property {{ p: number, q: number | null }} recorded
 */

/**
 * @param {T.Decision} decision with `others`
 * @param {number} place of the temperature in the list of temperatures
 * @param {number} power the recorded temperature over the other
 * @returns {Race}
 */
export function raceAt(decision, place, power) {
  const others = /** @type {T.OtherTemperatures} */ (decision.others);
  const [names, p, clock] = [
    [...decision.names, ...others.names],
    [...decision.p, ...others.p],
    [...(decision.clock ?? []), ...others.clock],
  ];
  const q = decision.q && [...decision.q, ...others.q];
  const rows = names.map((name, row) => {
    const [logClock, logP, logQ] = [Math.log(clock[row]), power * Math.log(p[row]), q ? power * Math.log(q[row]) : -Infinity];
    return {
      row,
      name,
      clock: clock[row],
      p: Math.exp(logP - others.log_p[place]),
      q: q && Math.exp(logQ - others.log_q[place]),
      target: logClock - logP,
      draft: logClock - logQ,
      recorded: { p: p[row], q: q && q[row] },
    };
  });
  const near = NEAR * (1 + power);
  const [first, second] = [...rows].sort((one, other) => one.target - other.target);
  const order = [...rows].sort((one, other) => one.draft - other.draft);
  const tie = order.findIndex(({ draft }, rank) => (order[rank + 1]?.draft ?? Infinity) - draft < near);
  return {
    rows,
    first: second && second.target - first.target < near ? null : first,
    order,
    ranks: Math.min(others.ranks, tie < 0 ? Infinity : tie),
  };
}

/** The race as it was recorded, in the same form: only its rows are used. @param {T.Decision} decision @returns {{ rows: Arrival[] }} */
export function recordedRace({ names, p, q, clock = [] }) {
  const rows = names.map((name, row) => {
    const recorded = { p: p[row], q: q && q[row] };
    return {
      row,
      name,
      clock: clock[row],
      ...recorded,
      recorded,
      target: Math.log(clock[row] / p[row]),
      draft: Math.log(clock[row] / (recorded.q ?? 0)),
    };
  });
  return { rows };
}
