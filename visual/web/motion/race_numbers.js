// The printed numbers of a runner: its distance E, and its times E / q and E / p. Dividing the printed numbers gives the printed times.

/** @import { NumberFormat } from "../base/kit_types.js" */
/** @import { Race, Runner } from "./race_lanes.js" */
import { comesOut, digitsApart, number } from "../base/numbers.js";

const FEWEST = 2;

/** @typedef {{ under: string, value: string }} Division  the divisor of the distance, and the quotient */

/**
 * A runner's numbers in its race, with enough digits to distinguish the winner's time from the others.
 *
 * @param {Runner} runner
 * @param {Race} race
 * @param {NumberFormat} format
 */
export function writtenIn({ clock, draft, target }, { draftStop, targetStop }, format) {
  const apart = (/** @type {number} */ time, /** @type {number | null} */ stop) =>
    Number.isFinite(time) && stop !== null ? digitsApart([time, stop], format) : FEWEST;
  const speeds = [
    ...(draft ? [{ under: draft.speed, digits: apart(draft.arrival, draftStop) }] : []),
    { under: target.speed, digits: apart(target.arrival, targetStop) },
  ];
  return divisions(clock, speeds, format);
}

/**
 * @param {number} over the distance.
 * @param {{ under: number, digits: number }[]} speeds each with the digits that its quotient needs at least; a speed may be 0.
 * @param {NumberFormat} format
 * @returns {{ over: string, divisions: Division[] }}
 */
function divisions(over, speeds, format) {
  for (let more = FEWEST; more < format.most; more += 1) {
    const top = number(over, format, more);
    const found = speeds.map((speed) => division(top, over, speed, format));
    const divided = found.filter((one) => one !== null);
    if (divided.length === found.length) return { over: top, divisions: divided };
  }
  const written = speeds.map(({ under }) => ({ under: number(under, format), value: number(over / under, format) }));
  return { over: number(over, format), divisions: written };
}

/**
 * One division that comes out, with as few digits as possible.
 *
 * @param {string} top the distance as it is written.
 * @param {number} over
 * @param {{ under: number, digits: number }} speed
 * @param {NumberFormat} format
 * @returns {Division | null}
 */
function division(top, over, { under, digits }, format) {
  const exact = over / under;
  if (!Number.isFinite(exact)) return { under: number(under, format), value: format.infinite };
  for (let wanted = digits; wanted <= digits + 1; wanted += 1) {
    const value = exact > format.large_quotient ? `> ${format.large_quotient}` : number(exact, format, wanted);
    for (let each = FEWEST; each <= format.most; each += 1) {
      const below = number(under, format, each);
      if (comesOut([top, below, value])) return { under: below, value };
    }
  }
  return null;
}
