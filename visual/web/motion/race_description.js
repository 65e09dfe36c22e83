// A race in words: the text alternative of its picture.

/** @import { NumberFormat } from "../base/kit_types.js" */
/** @import { Race, Runner, Side } from "./race_lanes.js" */
import { ordinal } from "../base/format.js";
import { writtenIn } from "./race_numbers.js";

/**
 * @param {Race} race
 * @param {string[]} names of the decision's rows.
 * @param {boolean} isTargetRun
 * @param {NumberFormat} format
 */
export function describeRace(race, names, isTargetRun, format) {
  const result = (/** @type {Side} */ side) => {
    const arrived = race.runners.filter((runner) => runner[side]?.place);
    const ordered = arrived.sort((one, other) => (one[side]?.place ?? 0) - (other[side]?.place ?? 0));
    return ordered.map((runner) => describeArrival(runner, side, race, names, format)).join("; ");
  };
  const draft = race.draftStop === null ? "" : `The draft’s race: ${result("draft")}. `;
  const target = isTargetRun ? `The target’s race: ${result("target")}.` : "";
  return `Each token must cover its distance E. ${draft}${target}`.trim();
}

/**
 * @param {Runner} runner
 * @param {Side} side
 * @param {Race} race
 * @param {string[]} names
 * @param {NumberFormat} format
 */
function describeArrival(runner, side, race, names, format) {
  const written = writtenIn(runner, race, format);
  const { under, value } = written.divisions[side === "draft" ? 0 : written.divisions.length - 1];
  const sign = /^[<>]/.test(value) ? "" : "= ";
  return `${ordinal(runner[side]?.place ?? 0)} “${names[runner.row]}”, ${written.over} / ${under} ${sign}${value}`;
}
