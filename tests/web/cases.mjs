// What Python made for these tests (test_node.py): the kit, messages of steps, and numbers and cuts with what is expected of them.

import { readFileSync } from "node:fs";

const path = process.env.ERSD_CASES;
if (!path) throw new Error("run these tests by pytest tests/web: it makes the file named in ERSD_CASES");

export const cases = JSON.parse(readFileSync(path, "utf8"));
export const kit = cases.kit;

/**
 * The message of the only step of a run.
 *
 * @param {string} name a key of STEPS in test_node.py.
 */
export const stepOf = (name) => cases.steps[name].steps[0];

/**
 * @param {number} one
 * @param {number} other
 * @param {number} [tolerance]
 */
export const isClose = (one, other, tolerance = 1e-9) => Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other));
