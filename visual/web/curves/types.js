// The contract of the Curves tab: what the page is sent once (KIT in visual/payload/curves/message.py), and the messages of a measurement.

/** @import * as T from "../types" */

/**
 * @typedef {object} CurvesKit
 * @property {number} most  the largest number of drafted tokens
 * @property {Record<string, Style>} curves  by name, in the order of the table
 * @property {Record<string, unknown>} layout  of all plots
 */

/** @typedef {{ label: string, about: string, color: string, symbol: string, width: number, dash: string }} Style */

/** @typedef {{ mean: number, error: number | null }} Measured */

/**
 * @typedef {object} CurveLine
 * @property {number[]} accepted  expected accepted tokens with at most 1, 2, … drafted
 * @property {number[]} next  probability that the 1st, 2nd, … token of the largest tree is accepted
 * @property {number[][]} levels  `accepted` of the best trees with at most 1, 2, … levels; a single list where the levels are given
 */

/** @typedef {Measured & { first: number, last: number }} Shares of the tokens from the first to the last */

/**
 * @typedef {object} Point
 * @property {string} curve
 * @property {number} temperature
 * @property {number} k
 * @property {number} calls
 * @property {Measured} accepted
 * @property {Shares[]} next
 */

/** @typedef {{ type: "begin", run: string, models: string, temperatures: number[], places: T.Elsewhere[], expected: number }} Begin */
/** @typedef {{ type: "lines", run: string, temperature: number, limit: (number | null)[], curves: Record<string, CurveLine> }} Lines */
/** @typedef {{ accepted: [string, string], next: [string, string], note: string }} Words headline and sentence of each view */
/** @typedef {{ type: "points", run: string, points: Point[], done: number, left: number | null, doing: string, words: Words }} Points */
/** @typedef {{ type: "end" | "recorded", run: string, words: string }} End */
/** @typedef {Begin | Lines | Points | End | T.StatusMessage | T.StoppedMessage | T.LostMessage | T.ErrorMessage} CurvesMessage */

/** @typedef {"accepted" | "next" | "speed"} View */

/**
 * A best choice on one curve.
 * @typedef {{ k: number, levels: number, speed: number }} Choice
 */

export {};
