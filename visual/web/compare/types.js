// The contract between Python and the board of the Compare tab, as JSDoc types; `visual/payload/compare.py` makes the messages.
// Conventions as in `../base/types.js`.

/** @import * as T from "../types" */

/** @typedef {CompareBegin | CompareMore | CompareEnd | CompareRecording | T.StatusMessage | T.StoppedMessage | T.LostMessage | T.ErrorMessage} BoardMessage */

/**
 * A comparison begins: forget the one before.
 * @typedef {object} CompareBegin
 * @property {"begin"} type
 * @property {string} run  name of the comparison
 * @property {number} most  tokens that each method writes at most
 * @property {{name: string, exact: Exactness}[]} lanes  the methods
 * @property {T.Elsewhere[]} elsewhere  pairs for which this number of tokens per call would pay off more
 * @property {string} here  the steps that the speed-up covers; empty where it is not known
 */

/**
 * Calls were made.
 * @typedef {object} CompareMore
 * @property {"more"} type
 * @property {string} run
 * @property {{counts: number[], own: number[], row: Row, text: Likeness}[]} lanes  by method: tokens of each new call, those that are the target's own, and where it stands now
 * @property {string} headline  the comparison in a sentence or two; empty while methods are running
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
 * A recorded comparison as fetched.
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
 * The figures of a method over all its calls so far, as printed; `factor` and `basis` as in Speedup.
 * @typedef {object} Row
 * @property {string} per_call
 * @property {string} calls
 * @property {string} tokens
 * @property {string} accepted
 * @property {string} ms
 * @property {number | null} factor
 * @property {[number, number, number] | null} basis
 */

/**
 * A text compared with the yardstick's.
 * @typedef {object} Likeness
 * @property {"yardstick" | "same" | "other"} kind
 * @property {number} same  number of equal tokens at the start
 * @property {number | null} first  index of the first token that differs
 * @property {string} words
 */

/** @typedef {{kind: string, words: string, short: string}} Exactness  Is the output exactly the target's? As a sentence, and short for the table. */

/**
 * @typedef {object} BoardKit
 * @property {T.PlotlyLayout} layout
 * @property {T.PlotlyTrace[]} lines  by place
 * @property {Record<string, unknown>} here  the line at the call in view
 * @property {WhereRecorded} recorded
 */

/**
 * A method, as the board keeps it.
 * @typedef {object} Lane
 * @property {string} name
 * @property {Exactness} exact
 * @property {number[]} counts  tokens of every call
 * @property {number[]} own  those of them that are the target's own
 * @property {Row | null} row
 * @property {Likeness | null} text
 */

export {};
