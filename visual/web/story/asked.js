// The guesses in the order in which they were asked, where the leaves are asked first.

/** @import * as T from "../types" */

/**
 * @typedef {object} Asked
 * @property {number} vertex the node at which it was drafted
 * @property {number} place its number among the tries there, from 0
 * @property {number} child the guess
 * @property {number} turn from 1 in the whole step
 */

/** Nothing where the walk begins at the root. @param {T.StepMessage} step @returns {Asked[]} */
export function askedOf({ decisions }) {
  const asked = Object.entries(decisions).flatMap(([vertex, { tries = [] }]) =>
    tries.flatMap(({ turn, vertex: child }, place) => (turn ? [{ vertex: Number(vertex), place, child, turn }] : [])),
  );
  return asked.sort((one, other) => one.turn - other.turn);
}
