// Types of the kit, which the browser is sent once: styles, texts, templates. The types of the messages are in `messages.d.ts`.

/** @import * as T from "../types" */

/**
 * @typedef {object} Kit
 * @property {{light: Palette, dark: Palette}} palettes
 * @property {Record<string, string>} signs  by node state, what doubles its colour; a state without one has no key
 * @property {Record<T.Mark, MarkStyle>} marks
 * @property {Record<string, Kind>} kinds
 * @property {Words} words
 * @property {Term[]} glossary  in the order of the list
 * @property {NumberFormat} numbers
 * @property {TreeKit} tree
 * @property {DecisionKit} decision
 * @property {WhatIfKit} what_if
 * @property {RedrawKit} redraw
 * @property {{ words: Record<string, string> }} lanes  the texts of Where the time goes
 * @property {Find[]} find  bookmarked steps
 */

/** @typedef {{id: keyof T.Landmarks, label: string, coins: string, help: string, none: string}} Find  `coins`: the label where coins decide; `none`: why there is no such step. */

/**
 * @typedef {object} WhatIfKit
 * @property {{id: string, label: string}[]} trees  whose steps follow from ranks
 * @property {{label: string, why: string}[]} others  whose steps do not, and why
 * @property {number} few  the slider's end for k
 * @property {number} most  the same for a run with more than `few`
 * @property {{waiting: string, cut_short: string, recorded: string}} words
 */

/**
 * @typedef {object} RedrawKit
 * @property {number[]} temperatures  at which races can be redrawn
 * @property {Record<string, string>} words  the texts of that view
 */

/**
 * A symbol or a term that explains itself.
 * @typedef {object} Term
 * @property {string} id
 * @property {string} name
 * @property {string} sentence
 * @property {string} paper  its number at arXiv; may be empty
 * @property {string[]} signs  how it is written: words of their own
 */

/** @typedef {Record<string, string>} Palette  name of a colour -> CSS colour */

/**
 * The words around the bars; the `short_` ones where the picture is narrow.
 * @typedef {{ title: string, note: string, short_note: string }} SideWords
 * @typedef {object} BarWords
 * @property {string} axis
 * @property {string} short_axis
 * @property {SideWords} draft
 * @property {{ title: string, short_title: string, left: string, right: string, short_right: string }} lane  above the tokens
 * @property {SideWords} target
 * @property {string} [remaining]  above what remains of p
 */

/**
 * How all rules of one kind decide: all that the browser knows about kinds.
 * @typedef {object} Kind
 * @property {"time" | "half" | "laps" | "probability"} axis  bars are arrival times E / q and E / p, or q and E / p, or laps end to end and E / p, or q and p themselves
 * @property {{usual: string, scaled: string, lenient: string, single: string, certain: string, at_leaf: string}} idea  how such decisions are made; `scaled` where there is `rho`, `lenient` where there is `bias`, `single` where one token was drafted, `certain` where the target can write one token only, `at_leaf` where none was
 * @property {{one: string, many: string, follow: string}} decisions  what a decision is called, and what the walk does
 * @property {{accepted: string, rejected: string}} fates  what became of drafted tokens, in the legend of the tree
 * @property {string} twice  what ×n says in the tree
 * @property {BarWords} bars
 * @property {string} exact_because  why the output is exact, beside the badge; may be empty
 * @property {string[]} legend  what in the picture needs a word
 * @property {string[]} legend_at_leaf  the same where nothing was drafted
 * @property {"tries" | "sequence" | ""} list  the list under the picture: the tries of the node, the whole sequence, nothing
 * @property {string} untried  sentence of a child that was not tried because {name} was accepted
 * @property {string} nearness  what `Landmarks.gap` measures; empty where it is not recorded
 * @property {KindStory} story
 */

/** @typedef {{guess: string, scored: string, deciding: string, at_leaf: string}} KindStory  Captions of drafting, of a decision, and of a decision without drafted tokens. */

/**
 * How a row of the picture is drawn.
 * @typedef {object} MarkStyle
 * @property {string} sign  in front of the token, which is bold then, and has its numbers at the ends of its bars; "" for none
 * @property {boolean} drafted  "drafted here"
 * @property {string} draft  colour of the left bar
 * @property {string} target  colour of the right bar
 * @property {string} ink  colour of the token
 */

/**
 * Sentence templates that the browser fills in.
 * @typedef {object} Words
 * @property {string} leaf  the draft was not run at a leaf
 * @property {string} no_draft  the run has no draft
 * @property {string} unvisited  {name}: the node above it that was lost
 * @property {string} beyond  the text ended before it
 * @property {string} absent  {name}: the node in view, where nothing was decided
 * @property {string} certain  of a guess: it was drafted for certain
 * @property {string} cut  the key of the line below the last token that is kept
 * @property {string} first_call  which draft call the picture is of, while there are several
 * @property {string} about  shown is the decision about {name}
 */

/**
 * How numbers are written (visual/payload/sentences/numbers.py): the decimals of the first step that a number's size reaches, for `digits` significant
 * digits. What rounds to 0 is written as less than the last decimal.
 * @typedef {object} NumberFormat
 * @property {{from: number, more: number}[]} steps  largest first, the last from 0; decimals = max(0, digits + more). 0 itself has none
 * @property {number} huge  from here on `huge_words`
 * @property {string} huge_words
 * @property {string} infinite
 * @property {number} most  most digits that are tried
 * @property {number} large_quotient  from here on a quotient is only written as larger
 */

/** @typedef {Record<string, unknown>} PlotlyTrace  a template: what never changes of a trace */
/** @typedef {Record<string, unknown>} PlotlyLayout */

/**
 * @typedef {object} TreeKit
 * @property {PlotlyLayout} layout
 * @property {Record<string, PlotlyTrace>} traces  templates by node state, "root" included
 * @property {Record<string, {fill: string, line: string}>} box_colours  by node state, "root" included
 * @property {Record<string, string>} edge_colours  by the state of the node that an edge leads to
 */

/**
 * @typedef {object} DecisionKit
 * @property {PlotlyLayout} layout
 */

export {};
