// What the Learn tab is sent (visual/server/lessons.py): lessons, the data of their figures, steps to guess about, labels and pages.

/** @import * as T from "../types" */

/** @typedef {{address: string, languages: string[]}} LearnKit */

/**
 * @typedef {object} Learning
 * @property {Record<string, string>} labels
 * @property {Lesson[]} lessons
 * @property {Figures} figures
 * @property {Guess[]} guesses
 * @property {Record<string, string>} pages  HTML
 */

/**
 * @typedef {object} Lesson
 * @property {string} title
 * @property {string} short
 * @property {string} name  of its figure in links
 * @property {"calls" | "run" | "lab" | "clocks" | "trees"} figure
 * @property {string} choice  the recorded run and its step, or what is chosen in the lab
 * @property {string[]} show  parts of the lab
 * @property {string} caption  of the figure by itself
 * @property {string} action
 * @property {{ask: string, answers: string[], right: number, why: string, first: boolean}} question
 * @property {string} takeaway
 * @property {string[]} sources
 * @property {{words: string, parts: string[], choice: string}[]} sentences
 */

/**
 * @typedef {object} Figures
 * @property {{machine: string, here: Call[], gpu: Call[]}} calls  by their number of tokens, from 1
 * @property {Clocks} clocks
 * @property {Record<string, Record<string, {svg: string, expected: number}>>} trees  by their number of tokens and their shape
 */

/** @typedef {{tokens: number, ms: number, ratio: number}} Call */

/**
 * @typedef {object} Clocks
 * @property {string[]} names
 * @property {string} before  the text before the decision
 * @property {number[]} p
 * @property {{q: number[], own: boolean[], shared: boolean[], expected: [number, number], chance: [number, number][]}[]} positions  of the handle; the middle one is the recorded step; `own` and `shared` in that order
 * @property {number[][]} clocks  by draw and token
 * @property {number[][]} own_clocks  the draft's own
 */

/** @typedef {{step: number, before: string, decision: T.Decision, tree: object, name: string, accepted: boolean}} Guess */

export {};
