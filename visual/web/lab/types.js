// The contract of the lab: what the page is sent once (visual/server/lab.py, KIT), what it asks, and what it is answered
// (visual/payload/lab.py). Columns are by token, in the order in which they stand on the page.

/** @import * as T from "../types" */

/**
 * @typedef {object} LabKit
 * @property {string} address  where to ask, relative to the page
 * @property {Presets} presets
 * @property {Record<string, {label: string, most: number | null, joint: boolean, samples: boolean}>} rules  `most`: guesses at most; 0 for rules that draft nothing
 * @property {Record<string, {label: string, rules: string[]}>} bugs  with the rules that can have them
 * @property {number} guesses  the most
 * @property {number[]} trials  how many may be asked for
 * @property {{rule: string, k: number, seed: number}} usual
 */

/**
 * @typedef {object} Presets
 * @property {string[]} names
 * @property {{start: string, tokens: number}} usual
 * @property {Record<string, string>} labels
 * @property {Record<string, Record<string, Pair>>} sizes  number of tokens -> preset -> probabilities
 */

/** @typedef {{p: number[], q: number[]}} Pair */

/**
 * What a reader chose; what the lab asks, with `p`, `q` and `names`.
 * @typedef {object} Choice
 * @property {string} start  a preset, `last` for a real decision, or `own`
 * @property {string[]} names
 * @property {number[]} p
 * @property {number[]} q
 * @property {string} rule
 * @property {string} bug  empty for none
 * @property {number} k
 * @property {number} seed
 * @property {number} trials
 * @property {number} trial  the one in view, from 0
 */

/**
 * @typedef {object} LabAnswer
 * @property {T.Decision} decision
 * @property {T.Tree} tree
 * @property {T.Block} [block]
 * @property {Counts} counts
 * @property {Charts} charts
 * @property {LabWords} words
 */

/**
 * @typedef {object} Counts
 * @property {number} trials
 * @property {number[]} ranks  of the first trials: the accepted guess, -1 for none
 * @property {number[]} kept  came out as accepted guesses
 * @property {number[]} own  came out as the target's own
 * @property {number} tv
 * @property {[number, number]} chance  TV of the middle 95% of exact samples
 * @property {boolean} is_off
 * @property {number[]} signs  1: clearly too often, -1: too rarely
 * @property {number} accepted
 * @property {number | null} error  standard error of `accepted`
 */

/**
 * @typedef {object} Charts
 * @property {number | null} theory  of `Counts.accepted`
 * @property {[number, number] | null} chance  95% of such shares lie here by chance
 * @property {-1 | 0 | 1} deviates  `Counts.accepted` is clearly more (1) or less (-1) than without a bug
 * @property {number | null} limit
 * @property {boolean} too_good  `Counts.accepted` is clearly above the limit
 * @property {{name: string, label: string, values: number[]}[]} curves  by the number of guesses; `limit` is one of them
 * @property {{label: string, measured: number, theory: number | null, chance: [number, number] | null, accepted: boolean}[]} shares
 */

/** @typedef {{rule: string, headline: [string, string][], sentence: string, leanings: string, output: string}} LabWords */

export {};
