// The contract between Python and the board of the Compare tab, as JSDoc types; `visual/compare.py` makes the messages. Conventions as in
// `../player/types.js`.

/** @import { PlotlyLayout, PlotlyTrace } from "../base/kit_types.js" */
/** @import { Elsewhere, StatusMessage, StoppedMessage, ErrorMessage } from "../base/types.js" */

/** @typedef {CompareBegin | CompareMore | CompareEnd | CompareRecording | StatusMessage | StoppedMessage | ErrorMessage} BoardMessage */

/**
 * A comparison begins: forget the one before.
 * @typedef {object} CompareBegin
 * @property {"begin"} type
 * @property {string} run  name of the comparison
 * @property {number} most  tokens that each method writes at most
 * @property {{name: string, exact: Exactness}[]} lanes  the methods
 * @property {Elsewhere[]} elsewhere  where as many tokens per call would be worth more
 * @property {string} here  what the speed-up here is over; empty where it is not known
 */

/**
 * Calls were made.
 * @typedef {object} CompareMore
 * @property {"more"} type
 * @property {string} run
 * @property {{counts: number[], row: Row, text: Likeness}[]} lanes  by method: tokens of each new call, and where it stands now
 */

/**
 * All methods have finished.
 * @typedef {object} CompareEnd
 * @property {"end"} type
 * @property {string} run
 * @property {string} words
 */

/**
 * A whole recorded comparison, for a board that has nothing to show yet.
 * @typedef {object} CompareRecording
 * @property {"recording"} type
 * @property {string} words
 * @property {Array<CompareBegin | CompareMore | CompareEnd>} messages
 */

/**
 * What is fetched of a recorded comparison, messages all.
 * @typedef {object} Recorded
 * @property {string} board
 * @property {string[]} players  a recorded run each
 */

/**
 * @typedef {object} WhereRecorded
 * @property {string} address  relative to the page
 * @property {string} tab  in the address of a link to a comparison
 * @property {string[]} unless  a page that was opened there with one of these names runs that comparison
 */

/**
 * The figures of a method over all its calls so far, as they are written; `factor` and `elsewhere` as in Speedup.
 * @typedef {object} Row
 * @property {string} per_call
 * @property {string} calls
 * @property {string} tokens
 * @property {string} accepted
 * @property {string} ms
 * @property {number | null} factor
 * @property {number[]} elsewhere
 * @property {[number, number, number] | null} basis
 */

/**
 * A text beside that of the yardstick.
 * @typedef {object} Likeness
 * @property {"yardstick" | "same" | "other"} kind
 * @property {number} same  so many tokens at the start are the same
 * @property {number | null} first  the place of the first token that differs, from 0
 * @property {string} words
 */

/** @typedef {{kind: string, words: string, short: string}} Exactness  Is the output the target's? In a sentence, and for the table. */

/**
 * @typedef {object} BoardKit
 * @property {PlotlyLayout} layout
 * @property {PlotlyTrace[]} lines  by place
 * @property {Record<string, unknown>} here  the line at the call in view
 * @property {WhereRecorded} recorded
 */

/**
 * A method, as the board keeps it.
 * @typedef {object} Lane
 * @property {string} name
 * @property {Exactness} exact
 * @property {number[]} counts  tokens of every call
 * @property {Row | null} row
 * @property {Likeness | null} text
 */

export {};
