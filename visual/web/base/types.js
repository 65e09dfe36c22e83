// The contract between Python and the browser: every message and what is in it, as JSDoc types. No code; `visual/payload/messages.py` makes them.
//
// Conventions: keys are snake_case, as Python writes them. Tables are columns (one array per field, all of one length), single things are
// objects. What is absent is undefined (the key is left out) or null, as said at each field. Colours are names ("$accepted"), looked up in
// `Kit.palettes` (kit_types.js, what is sent once). A vertex is an index into the columns of `Tree`; the root, the text so far, is -1.
// Indices of steps and rows start at 0.

/**
 * @typedef {BeginMessage | StepMessage | EndMessage | StatusMessage | StoppedMessage | LostMessage | ErrorMessage | RecordingMessage} Message
 * One line of the stream. Several may travel together, a line each.
 */

/**
 * A run begins: forget the one before.
 * @typedef {object} BeginMessage
 * @property {"begin"} type
 * @property {string} run  name of the run; in all its messages; the runs of a comparison have one name
 * @property {string} prompt
 * @property {string} models
 * @property {Settings} settings
 * @property {string} kind  how this run's rule decides: a key of `Kit.kinds`
 * @property {Cell[]} theory  the cells of the theory strip, from first to last, only those that make sense for this run
 * @property {string} name  method, k and seed
 * @property {string[]} used  the fields of `settings` that made a difference
 * @property {{kind: "same-text" | "same-law" | "biased", words: string, term: string}} exact  is the output exactly the target's?
 * @property {{text: string, tokens: number} | null} fed  the prompt as the models read it, where that is known
 * @property {Elsewhere[]} elsewhere  pairs for which this number of tokens per call would pay off more
 * @property {string} what_if  why the steps of other trees do not follow from this run; empty where they do
 * @property {Record<string, unknown>} [trace]  where the run can be saved: its trace (ersd/trace/model.py), without the steps
 */

/**
 * The settings of a run, as `ersd.Settings.to_dict`. Only the what-if card uses them.
 * @typedef {{topology: string, draft_tokens: number, branching: number[], sequences: number} & Record<string, unknown>} Settings
 */

/**
 * One target call.
 * @typedef {object} StepMessage
 * @property {"step"} type
 * @property {string} run
 * @property {number} index  from 0
 * @property {string} title  "3 accepted + 1"
 * @property {["" | "accepted" | "target", string][]} headline  its parts: what each is, and its plain text
 * @property {TextToken[]} text
 * @property {Tree} tree
 * @property {number} draft_calls  calls of the draft that the tree took; 0 without a draft
 * @property {number} walk_end  the node after which the step's last token was chosen
 * @property {Record<string, Decision>} decisions  by visited vertex, as a string; the root is always one
 * @property {Block} [block]  rules that decide about a whole sequence
 * @property {Stats} stats
 * @property {Bar} bar
 * @property {string} single  what a single drafted token would have given; empty where that is not known
 * @property {number | null} with_one  how many tokens that would have been; null: not known
 * @property {Speedup} speedup
 * @property {Landmarks} find
 * @property {string} [trace]  where the run can be saved: the step of its trace as JSON, gzip, base64
 */

/**
 * A run is over.
 * @typedef {object} EndMessage
 * @property {"end"} type
 * @property {string} run
 * @property {number} steps
 * @property {string} words
 * @property {string} stopped  why, as in the trace
 * @property {RankSequence} [ranks]  where they are known, and fix the steps of other trees
 */

/**
 * Everything that the steps of other trees on an ERSD text depend on (`RankSequence` of ersd/trace/model.py).
 * @typedef {object} RankSequence
 * @property {number[]} ranks  of every new token, from 1; -n for one that the draft never reaches because it reaches n tokens only
 * @property {number} room  the most new tokens there could have been
 * @property {number[]} prior  hazards that the rank distribution begins with; the last one stands for all later ranks
 * @property {number} prior_visits
 */

/**
 * For the status line alone, before the run begins.
 * @typedef {object} StatusMessage
 * @property {"status"} type
 * @property {string} [run]
 * @property {string} words
 */

/**
 * The user stopped the run.
 * @typedef {object} StoppedMessage
 * @property {"stopped"} type
 */

/**
 * The page made this one: the connection that brings the run has ended. What is on the screen stays.
 * @typedef {object} LostMessage
 * @property {"lost"} type
 * @property {string} words
 */

/**
 * The run failed or never began; what is on the screen stays.
 * @typedef {object} ErrorMessage
 * @property {"error"} type
 * @property {string} [run]  absent where the page says it
 * @property {string} words
 * @property {string} field  the field of the settings at fault; empty for none
 */

/**
 * A whole recorded run, for a player that has nothing to show yet.
 * @typedef {object} RecordingMessage
 * @property {"recording"} type
 * @property {string} words
 * @property {Array<BeginMessage | StepMessage | EndMessage>} messages
 * @property {{step: number, vertex: number | null}} [view]  what is shown first; else the step that shows most
 */

// --- a step ---------------------------------------------------------------------------------------------------------------------------

/**
 * A token the step added to the text. Set it as text, never as HTML.
 * @typedef {object} TextToken
 * @property {string} text
 * @property {"draft" | "target"} source
 * @property {true} [near_tie]
 * @property {string} hover  may have two lines
 */

/**
 * The draft tree: columns by vertex. The target's own token, where there is one, is the last vertex: its index is `q.length`.
 * @typedef {object} Tree
 * @property {string} root  the end of the text before the step
 * @property {string[]} names
 * @property {number[]} parents  -1: child of the root
 * @property {VertexState[]} states
 * @property {number[]} q  draft probability; drafted vertices only
 * @property {number[]} draws  how often each was drawn, where draws coincide; else empty
 * @property {number[]} call_of  the draft call, from 1, that drafted each vertex; drafted vertices only
 * @property {number[]} ranks  rank among the siblings, from 1; drafted vertices only
 * @property {Record<string, string>} why  by vertex: the sentence of a vertex that has one of its own
 */

/** @typedef {"accepted" | "rejected" | "not reached" | "target"} VertexState  The root's state is "root"; it is not in the columns. */

/**
 * The decision at one visited vertex. `names`, `marks`, `p`, `q`, `clock` are columns by row.
 * @typedef {object} Decision
 * @property {string} kind  a key of `Kit.kinds`
 * @property {boolean} leaf  nothing was drafted here, so nothing was tried
 * @property {string} title
 * @property {string} say  the decision in one sentence or two
 * @property {string[]} names
 * @property {Mark[]} marks
 * @property {number | null} rank  of the token chosen here in the draft's order, where that is an order of arrival or of likelihood; null: none
 * @property {(number | null)[]} [ranks]  in the lab, whose rows keep the order of their tokens: the draft's order
 * @property {number} chosen  the row of the token chosen here; -1: not listed
 * @property {number[]} p
 * @property {number[] | null} q  null: the draft was not run here
 * @property {number[]} [clock]  where the kind's axis is "time"
 * @property {number} [scale]  where the kind's axis is "probability": the probability at the end of the axis
 * @property {Record<string, number>} row_of  child vertex -> its row, of those that are listed
 * @property {Facts} facts
 * @property {Try[]} [tries]  where the kind's list is "tries" and something was tried: one per coin
 * @property {Residual[]} [left]  what rejections left of P, where it was recorded, in order: beside `tries`, or what the cut of a sequence left
 */

/** @typedef {"accepted" | "accepted_leader" | "target" | "rejected" | "leader" | "drafted" | ""} Mark  A key of `Kit.marks`. */

/**
 * The figures of a vertex; one that is not known, or makes no sense for this kind, is left out.
 * @typedef {object} Facts
 * @property {number} [predicted]
 * @property {number} [optimum]
 * @property {number} [tv]
 * @property {number} [match]
 * @property {number | null} [kl]  null: infinite
 * @property {number} [d_hm]
 * @property {number} [entropy]
 * @property {number} [rho]  the draft's side of a try is rho * q (K-SEQ)
 * @property {number} [bias]
 */

/**
 * One coin. The same child may be tried more than once.
 * @typedef {object} Try
 * @property {number} vertex
 * @property {number} coin
 * @property {number} ratio
 * @property {boolean} accepted
 * @property {string} short  coin and keep probability in a few words
 * @property {string} say
 */

/**
 * What is left of P after so many rejections.
 * @typedef {object} Residual
 * @property {number} after  rejections, from 1
 * @property {number[] | null} p  by row, rescaled to sum to 1; null: P as it was
 * @property {number | null} mass  by which `p` is multiplied to see what remains of P; null: not known
 */

/**
 * A drafted sequence decided as a whole: columns by drafted vertex.
 * @typedef {object} Block
 * @property {number} kept  how many of its tokens stay
 * @property {number[]} ratio  p / q
 * @property {number[]} joint  joint acceptance up to here
 * @property {number[]} keep  keep probability: what the coin is compared with
 * @property {number[]} coin
 */

/**
 * The figures up to this step. What belongs to a vertex is in its decision's `facts`.
 * @typedef {object} Stats
 * @property {string} per_call  new tokens divided by target calls
 * @property {number} tokens  new ones
 * @property {{draft: number, verify: number, accept: number}} times  milliseconds of this step
 * @property {Record<string, Record<string, number | null>>} theory  by cell and line: those of "run"; null: not known
 * @property {Record<string, string>} labels  of the cell "calls", by line: what it is called at this step
 * @property {Record<string, string>} notes  by cell: a note after its label, if any
 */

/**
 * The speed-up up to this step.
 * @typedef {object} Speedup
 * @property {number | null} factor  speed on this machine as a multiple of decoding without a draft; null: not known
 * @property {string} over  the steps that it is of
 * @property {string} missing  why there is no factor; empty where there is one
 * @property {string} reason  why the run so far is faster or slower, in figures that come out; empty where that is not known
 * @property {string} hint  what the same tokens per call would give on a GPU; empty where the run had one
 * @property {string} step  milliseconds of this step
 * @property {string} price  what its target call cost at load; empty where that is not known
 * @property {number | null} alone  milliseconds per token without a draft on this machine, under the load up to this step; null: not known
 * @property {{usual: number, most: number} | null} call  what this step's target call takes on an idle machine, in tokens without a draft, and the speed-up if nothing else took time; null: not known
 * @property {[number, number, number] | null} basis  tokens per call, draft calls a call and tokens scored a call, up to this step; null without a draft
 */

/**
 * What the find buttons look at in a step.
 * @typedef {object} Landmarks
 * @property {boolean} all  every decision about drafted tokens was accepted
 * @property {boolean} root  none was
 * @property {boolean} rescued  a 2nd or later child was accepted
 * @property {number} path  accepted tokens
 * @property {number | null} gap  how close the closest decision was to going the other way, by the kind's `nearness`; null: not recorded
 */

/** @typedef {{accepted: number, own: number}} Bar  A step's bar in the timeline, in tokens. */

// --- a run ----------------------------------------------------------------------------------------------------------------------------

/**
 * What the parts of a step cost, in milliseconds or in draft calls (`Place` in ersd/costs.py).
 * @typedef {object} PlaceCosts
 * @property {[number, number][]} calls  tokens that a target call scores, and what it costs; a single entry holds for any number
 * @property {number} level  a draft call for one token
 * @property {number} wider  what every further token adds that a draft call scores
 * @property {number} choice  choosing one token
 * @property {string} unit  "ms", or nothing for draft calls
 */

/**
 * A pair on a machine, and where its costs come from.
 * @typedef {PlaceCosts & { label: string, ratio: number, source: string, help: string }} Elsewhere  `ratio`: a target call for one token, in draft calls
 */

/**
 * A cell of the theory strip.
 * @typedef {object} Cell
 * @property {string} id
 * @property {string} label
 * @property {"vertex" | "run"} of  whose values: the `facts` of the decision in view, or `Stats.theory[id]`
 * @property {"probability" | "largest"} scale  full length of a bar: 1, or the cell's largest value
 * @property {Line[]} lines
 */

/**
 * @typedef {object} Line
 * @property {string} id  the name of its value
 * @property {string} label
 * @property {boolean} theory  false: measured
 * @property {boolean} least  written as a lower limit
 * @property {boolean} whole  a count, written without decimals where it is whole
 * @property {string} help
 */

export {};
