// Written by `python -m assets.message_types` from run.py, step.py, kinds.py, panels.py, kit.py in visual/payload/message_types: change those.

/** A key of `Settings`. */
export type SettingName =
  | "algorithm"
  | "topology"
  | "draft_tokens"
  | "temperature"
  | "top_k"
  | "top_p"
  | "max_new_tokens"
  | "seed"
  | "branching"
  | "sequences"
  | "leniency"
  | "chat"
  | "source"
  | "keys"
  | "price"
  | "frequent_tokens";

/** The settings of a run, as `ersd.Settings.to_dict`. */
export type Settings = {
  algorithm: string;
  topology: string;
  draft_tokens: number;
  temperature: number;
  top_k: number;
  top_p: number;
  max_new_tokens: number;
  seed: number;
  branching: number[];
  sequences: number;
  leniency: number;
  chat: boolean;
  source: string;
  keys: string;
  price: number;
  frequent_tokens: number;
};

/** Is the output exactly the target's? */
export type Exactness = {
  kind: "same-text" | "same-law" | "biased";
  words: string;
  term: string; // of the glossary, which explains it
};

/** The prompt as the models read it. */
export type Fed = { text: string; tokens: number };

/** One value of a cell. */
export type Line = {
  id: string; // the name of its value
  label: string;
  theory: boolean; // false: measured
  least: boolean; // written as a lower limit
  whole: boolean; // a count, written without decimals where it is whole
  help: string;
};

/** A cell of the theory strip. */
export type Cell = {
  id: string;
  label: string;
  of: "vertex" | "run"; // whose values: the `facts` of the decision in view, or `Stats.theory[id]`
  scale: "probability" | "largest"; // full length of a bar: 1, or the cell's largest value
  lines: Line[];
};

/** What the parts of a step cost, in milliseconds or in draft calls (`Place` in ersd/costs.py). */
export type PlaceCosts = {
  calls: [number, number][]; // tokens that a target call scores, and what it costs; a single entry holds for any number
  level: number; // a draft call for one token
  wider: number; // what every further token adds that a draft call scores
  choice: number; // choosing one token
  unit: string; // "ms", or nothing for draft calls
};

/** A pair on a machine, and where its costs come from. */
export type Elsewhere = PlaceCosts & {
  label: string;
  ratio: number; // a target call for one token, in draft calls
  source: string;
  help: string;
};

/** The figures of a run are of one text. */
export type OneText = {
  words: string; // that, and what is expected on average where it is known
  help: string; // where the average comes from; empty for none
};

/** How far a draft call climbs. */
export type Ladder = {
  exit: number; // layers of a draft call
  layers: number; // of the target
  place: Elsewhere; // what the parts of a step cost on the machine of the run
};

/** A run begins: forget the one before. */
export type BeginMessage = {
  type: "begin";
  run: string; // name of the run; in all its messages; the runs of a comparison have one name
  prompt: string;
  models: string;
  settings: Settings;
  kind: string; // how this run's rule decides: a key of `Kit.kinds`
  theory: Cell[]; // the cells of the theory strip, from first to last, only those that make sense for this run
  name: string; // method, k and seed
  used: SettingName[]; // the fields of `settings` that made a difference
  exact: Exactness;
  one_text: OneText;
  fed: Fed | null; // where that is known
  elsewhere: Elsewhere[]; // pairs for which this number of tokens per call would pay off more
  ladder: Ladder | null; // guesses from the target's first layers; null elsewhere, and where the layers were not recorded
  what_if: string; // why the steps of other trees do not follow from this run; empty where they do
  redraw: string; // why its steps cannot be redrawn at another temperature or k; empty where they can
  trace?: Record<string, unknown>; // where the run can be saved: its trace (ersd/trace/model.py), without the steps
};

/** A node of a redrawn step whose verdict was another one in the run. */
export type Change = { vertex: number; was: string };

/** One target call. */
export type StepMessage = {
  type: "step";
  run: string;
  index: number; // from 0
  title: string; // 3 accepted + 1
  headline: [PartKind, string][]; // its parts: what each is, and its plain text
  text: TextToken[];
  tree: Tree;
  draft_calls: number; // calls of the draft that the tree took; 0 without a draft
  draft_spans: number[][] | null; // start and end of every one in milliseconds since the step began; null: not known
  walk_end: number; // the node after which the step's last token was chosen
  opens_at?: number; // the node whose decision is shown first, where that is not `walk_end`
  decisions: Record<string, Decision>; // by visited node, as a string; the root is always one
  block?: Block; // rules that decide about a whole sequence
  stats: Stats;
  bar: Bar;
  single: string; // what a single drafted token would have given; empty where that is not known
  with_one: number | null; // how many tokens that would have been; null: not known
  speedup: Speedup;
  find: Landmarks;
  copied?: Copied; // n-grams: guesses that stand earlier in the text
  routing?: Routing; // source routed: which source drafted, and the weights it was chosen by
  clocks?: StepClocks; // where the target races with the clocks of the seed
  trace?: string; // where the run can be saved: the step of its trace as JSON, gzip, base64
  changes?: Change[]; // never sent: the browser adds it to a step that it redraws, with the verdicts that the recording has otherwise
};

/** Everything that the steps of other trees on an ERSD text depend on (`RankSequence` of ersd/trace/model.py). */
export type RankSequence = {
  ranks: number[]; // of every new token, from 1; -n for one that the draft never reaches because it reaches n tokens only
  room: number; // the most new tokens there could have been
  prior: number[]; // hazards that the rank distribution begins with; the last one stands for all later ranks
  prior_visits: number;
};

/** A run is over. */
export type EndMessage = {
  type: "end";
  run: string;
  steps: number;
  words: string;
  stopped: string; // why, as in the trace
  ranks?: RankSequence; // where they are known, and fix the steps of other trees
  guesses: Guesses;
  predrafting: Predrafting | null; // null: not a race, or costs are not known
};

/** For the status line alone, before the run begins. */
export type StatusMessage = { type: "status"; run?: string; words: string };

/** The user stopped the run. */
export type StoppedMessage = { type: "stopped" };

/** The page made this one: the connection that brings the run has ended. What is on the screen stays. */
export type LostMessage = { type: "lost"; words: string };

/** The run failed or never began; what is on the screen stays. */
export type ErrorMessage = {
  type: "error";
  run?: string; // absent where the page says it
  words: string;
  field: string; // the field of the settings at fault; empty for none
};

/** What is shown first: a step and perhaps one of its nodes. */
export type FirstView = { step: number; vertex: number | null };

/** A whole recorded run, for a player that has nothing to show yet. */
export type RecordingMessage = {
  type: "recording";
  words: string;
  messages: (BeginMessage | StepMessage | EndMessage)[];
  view?: FirstView; // else the step that shows most is shown first
};

/** One line of the stream. Several may travel together, a line each. */
export type Message =
  BeginMessage | StepMessage | EndMessage | StatusMessage | StoppedMessage | LostMessage | ErrorMessage | RecordingMessage;

/** The root's state is "root"; it is not in the columns. */
export type VertexState = "accepted" | "rejected" | "not reached" | "target";

/** A key of `Kit.marks`. */
export type Mark = "accepted" | "accepted_leader" | "target" | "rejected" | "leader" | "drafted" | "";

/** What a part of a headline is. */
export type PartKind = "" | "accepted" | "target";

/** A token the step added to the text. Set it as text, never as HTML. */
export type TextToken = {
  text: string;
  source: "draft" | "target";
  near_tie?: true;
  rank?: number; // source frequent: its place in the order of frequency, from 1
  hover: string; // may have two lines
};

/** Guesses that stand earlier in the text, after the same words. Positions count from the start of the prompt, in UTF-16 code units. */
export type Copied = {
  start: number;
  end: number;
  matched: number; // length of the words that are the same before them and at the end of the text
  words: string; // how many guesses
  kept: string; // how many of them were accepted
};

/** The draft tree: columns by node. The target's own token, where there is one, is the last vertex: its index is `q.length`. */
export type Tree = {
  root: string; // the end of the text before the step
  names: string[];
  parents: number[]; // -1: child of the root
  states: VertexState[];
  q: number[]; // draft probability; drafted nodes only
  draws: number[]; // how often each was drawn, where draws coincide; else empty
  call_of: number[]; // the draft call, from 1, that drafted each node; drafted nodes only
  ranks: number[]; // rank among the siblings, from 1; drafted nodes only
  why: Record<string, string>; // by vertex: the sentence of a node that has one of its own
};

/** The figures of a node; one that is not known, or makes no sense for this kind, is left out. */
export type Facts = {
  predicted?: number;
  optimum?: number;
  tv?: number;
  match?: number;
  kl?: number | null; // null: infinite
  d_hm?: number;
  entropy?: number;
  rho?: number; // the draft's side of a try is rho * q (K-SEQ)
  bias?: number;
};

/** One coin. The same child may be tried more than once. */
export type Try = {
  vertex: number;
  coin: number | null; // null: not tossed, since a guess below the child is kept (leaves first)
  ratio: number;
  accepted: boolean;
  short: string; // coin and keep probability in a few words
  say: string;
  turn?: number; // leaves first: when it was asked, from 1 in the whole step; 0: not at all
  began?: number; // leaves first, where failed guesses after it lowered its keep probability: what it was before; `ratio` is what they left
  lowered?: string; // the same as words, `0.38 → 0.04`
};

/** The remaining target probability after a number of rejections. */
export type Residual = {
  after: number; // rejections, from 1
  p: number[] | null; // by row, rescaled to sum to 1; null: P as it was
  mass: number | null; // by which `p` is multiplied to see what remains of P (`Try.share`); null: not recorded, in older runs
};

/** What a race needs at the temperatures of `RedrawKit` (ersd/trace/temperatures.py). The first four are columns by token, of those that are in no row but could be first; `p`, `q` and `clock` as in the rows. */
export type OtherTemperatures = {
  names: string[];
  p: number[];
  q: number[]; // empty where the draft was not run
  clock: number[];
  ranks: number; // how many first arrivals of the draft are known at every temperature
  log_p: number[]; // by temperature: logarithm of what the powers of p are divided by
  log_q: number[]; // empty where the draft was not run
};

/** The probabilities of a row as they were in the run. */
export type AsRecorded = { p: number; q: number | null };

/** The arrivals that became the children of a node, in order: columns by arrival. */
export type Laps = {
  rows: number[]; // -1: the token is not listed
  times: number[];
};

/** The decision at one visited node. `names`, `marks`, `p`, `q`, `clock` are columns by row. */
export type Decision = {
  kind: string; // a key of `Kit.kinds`
  leaf: boolean; // nothing was drafted here, so nothing was tried
  title: string;
  say: string; // the decision in one sentence or two
  names: string[];
  marks: Mark[];
  rank: number | null; // of the token chosen here in the draft's order, where that is an order of arrival or of likelihood; null: none
  ranks?: (number | null)[]; // in the lab, whose rows keep the order of their tokens: the draft's order
  chosen: number; // the row of the token chosen here; -1: not listed
  p: number[];
  q: number[] | null; // null: the draft was not run here
  clock?: number[]; // where the kind `sends` them (`_SENT` of sentences/kinds/kind.py), as the next three
  scale?: number; // the probability at the end of the axis
  chances?: (number | null)[]; // where some children were certain: by row the probability with which a child was drafted; null: no child
  laps?: Laps;
  row_of: Record<string, number>; // child node -> its row, of those that are listed
  facts: Facts;
  tries?: Try[]; // where the kind's list is "tries" and something was tried: one per coin
  left?: Residual[]; // what rejections left of P, where it was recorded, in order: beside `tries`, or what the cut of a sequence left
  others?: OtherTemperatures; // what the race needs at other temperatures, where that was recorded
  recorded?: AsRecorded[]; // never sent: the browser adds it to a decision that it redraws, by row
};

/** A drafted sequence decided as a whole: columns by drafted node. */
export type Block = {
  kept: number; // how many of its tokens stay
  ratio: number[]; // p / q
  joint: number[]; // joint acceptance up to here
  keep: number[]; // keep probability: what the coin is compared with
  coin: number[];
};

/** Milliseconds of a step. */
export type Times = { draft: number; verify: number; accept: number };

/** The figures up to this step. What belongs to a node is in its decision's `facts`. */
export type Stats = {
  per_call: string; // new tokens divided by target calls
  tokens: number; // new ones
  times: Times;
  theory: Record<string, Record<string, number | null>>; // by cell and line: those of "run"; null: not known
  labels: Record<string, string>; // of the cell "calls", by line: what it is called at this step
  notes: Record<string, string>; // by cell: a note after its label, if any
};

/** What a step's target call takes on an idle machine. */
export type CallTime = {
  usual: number; // in tokens without a draft
  most: number; // the speed-up if nothing else took time
};

/** How much faster than without a draft. */
export type Gain = {
  factor: number | null; // speed on this machine as a multiple of decoding without a draft; null: not known
  basis: [number, number, number] | null; // tokens per call, draft calls a call and tokens scored a call, up to this step; null without a draft
};

/** The speed-up up to this step. */
export type Speedup = Gain & {
  over: string; // the steps that it is of
  missing: string; // why there is no factor; empty where there is one
  reason: string; // why the run so far is faster or slower, in figures that come out; empty where that is not known
  why: string; // the same in one sentence for a headline; empty where that is not known
  hint: string; // what the same tokens per call would give on a GPU; empty where the run had one
  step: string; // milliseconds of this step
  price: string; // what its target call cost at load; empty where that is not known
  alone: number | null; // milliseconds per token without a draft on this machine, under the load up to this step; null: not known
  call: CallTime | null; // null: not known
};

/** What the find buttons look at in a step. */
export type Landmarks = {
  all: boolean; // every decision about drafted tokens was accepted
  root: boolean; // none was
  rescued: boolean; // a 2nd or later child was accepted
  path: number; // accepted tokens
  gap: number | null; // how close the closest decision was to going the other way, by the kind's `nearness`; null: not recorded
};

/** A step's bar in the timeline, in tokens. */
export type Bar = { accepted: number; own: number };

/** The words over the bars of one side; the `short_` one where the picture is narrow. */
export type SideWords = { title: string; note: string; short_note: string };

/** The words over the tokens between the bars. */
export type CentreWords = { title: string; short_title: string; left: string; right: string; short_right: string };

/** The words around the bars; the `short_` ones where the picture is narrow. */
export type BarWords = {
  axis: string;
  short_axis: string;
  draft: SideWords;
  centre: CentreWords;
  target: SideWords;
  remaining?: string; // above what remains of p
};

/** How decisions of a kind are made, above the picture. All but the usual one may be empty. */
export type Ideas = {
  usual: string;
  scaled: string; // where there is `rho`
  lenient: string; // where there is `bias`
  single: string; // where one token was drafted
  certain: string; // where the target can write one token only
  at_leaf: string; // where none was drafted
};

/** What a decision is called, and what the walk does. */
export type DecisionNames = { one: string; many: string; follow: string };

/** Names of accepted and rejected tokens, in the legend of the tree. */
export type Fates = { accepted: string; rejected: string };

/** Captions of drafting, of the target's call, of a decision, and of a decision without drafted tokens. */
export type KindStory = { guess: string; scored: string; deciding: string; at_leaf: string };

/** How a decision is drawn: arrivals E / q and E / p on a logarithmic scale; q and the arrivals E / p; all laps E / q end to end and the arrivals E / p, linear; q and p themselves. */
export type Picture = "race" | "half_race" | "laps" | "probabilities";

/** How all rules of one kind decide: all that the browser knows about kinds. */
export type Kind = {
  picture: Picture;
  idea: Ideas;
  decisions: DecisionNames;
  fates: Fates;
  twice: string; // what ×n says in the tree
  bars: BarWords;
  exact_because: string; // why the output is exact, beside the badge; may be empty
  legend: string[]; // what in the picture needs a word
  legend_at_leaf: string[]; // the same where nothing was drafted
  untried: string; // sentence of a child that was not tried because {name} was accepted
  nearness: string; // what `Landmarks.gap` measures; empty where it is not recorded
  story: KindStory;
  list: "tries" | "sequence" | ""; // the list under the picture: the tries of the node, the whole sequence, nothing
};

/** A sum of clocks and what it says about the seed. */
export type ClockSum = {
  count: number; // clocks tested
  total: string; // as it is printed
  low: number; // of so many clocks of another text nine of ten sums are from here
  high: number; // to here
  is_recognised: boolean;
  headline: string; // the verdict
  says: string; // the sum, and how many other texts have one as small
};

/** The clocks of the tokens that a step adds: columns by token. */
export type StepClocks = {
  clocks: (number | null)[]; // null: not tested, since its context was seen before
  p: number[]; // of the target
  start: number; // index of the first one in the whole sequence
  sum: ClockSum; // of the run up to the step
};

/** A text whose clocks were tested for a seed. `texts` and `clocks` are columns by token. */
export type TextOfClocks = {
  texts: string[];
  clocks: (number | null)[];
  band: [number, number, number][]; // after so many clocks tested: what nine of ten other texts are between
  sum: ClockSum;
};

/** Several sources of guesses, of which one is chosen before each step: columns by source. */
export type Routing = {
  names: string[];
  weights: number[]; // before the step; they sum to 1
  losses: string[]; // in the step, from 0 to 1, as they are printed
  chosen: number; // the source that drafted
};

/** What a part of a step costs. */
export type Price = { label: string; ms: number };

/** What each guess of a call saves and costs: lists with one entry a guess, in milliseconds on an idle machine. */
export type Guesses = {
  headline: string; // which guesses pay, or why that is not known
  sentence: string; // the first guess that does not pay, with its figures
  note: string; // how the figures are computed
  adds: number[]; // tokens to a step on average; this and the next two are empty where they are not known
  saves: number[];
  costs: number[];
  best: number; // guesses that pay; 0: none
  prices: Price[];
};

/** Drafting while the target verifies, computed for this run: lists with one entry a step, from the second on. */
export type Predrafting = {
  headline: string; // whether it would be faster
  whole: string; // the time of the whole run, for the picture of a few steps
  sentences: string[]; // what it is, what it gives, and what that depends on
  note: string; // how the figures are computed
  is_prepared: boolean[]; // whether the tree of the step was prepared when the call before it was over
  waits: number[]; // milliseconds that the target waits before the call, as they are printed
  drafting: number[]; // milliseconds that preparing takes, beginning with the call before
};

/** The texts of "Whose race was this?", and what its form needs. */
export type WatermarkKit = {
  words: Record<string, string>;
  address: string; // where a text is tested
  bytes: number; // most of a text
  levels: number[]; // clocks at which the ground of a token changes
  insert: string; // a word to insert, with the space before it
};

/** Name of a colour -> CSS colour. */
export type Palette = Record<string, string>;

/** The colours of the light and of the dark page. */
export type Palettes = { light: Palette; dark: Palette };

/** How a row of the picture is drawn. */
export type MarkStyle = {
  sign: string; // in front of the token, which is bold then, and has its numbers at the ends of its bars; empty for none
  drafted: boolean; // "drafted here"
  draft: string; // colour of the left bar
  target: string; // colour of the right bar
  ink: string; // colour of the token
};

/** Sentences about decisions that the browser fills in or adds. */
export type DecisionWords = {
  leaf: string; // the draft was not run at a leaf
  no_draft: string; // the run has no draft
  unvisited: string; // {name}: the node above it that was lost
  beyond: string; // the text ended before it
  absent: string; // {name}: the node in view, where nothing was decided
  certain: string; // of a guess: it was drafted for certain
  cut: string; // the key of the line below the last token that is kept
  first_call: string; // which draft call the picture is of, while there are several
  about: string; // shown is the decision about {name}
};

/** A symbol or a term that explains itself. */
export type Term = {
  id: string;
  name: string;
  sentence: string;
  paper: string; // its number at arXiv; may be empty
  signs: string[]; // how it is written: words of their own
};

/** The decimals of numbers of at least a size: the significant digits asked for and `more`, at least 0. */
export type Decimals = { least: number; more: number };

/** How numbers are written. What rounds to 0 is written as less than the last decimal; 0 itself has no decimals. */
export type NumberFormat = {
  steps: Decimals[]; // largest first, the last from 0
  huge: number; // from here on `huge_words`
  huge_words: string;
  infinite: string;
  most: number; // most digits that are tried
  large_quotient: number; // from here on a quotient is only written as larger
};

/** Of a node in the tree. */
export type BoxColours = { fill: string; line: string };

/** The styles of the tree. */
export type TreeKit = {
  layout: Record<string, unknown>;
  traces: Record<string, Record<string, unknown>>; // templates by node state, "root" included: what never changes of a trace
  box_colours: Record<string, BoxColours>; // by node state, "root" included
  edge_colours: Record<string, string>; // by the state of the node that an edge leads to
};

/** The styles of the picture of a decision. */
export type DecisionKit = {
  figures: Record<string, string>; // name in `Facts` -> name in the table, in its order
  layout: Record<string, unknown>;
};

/** A tree whose steps follow from ranks. */
export type TreeName = { id: string; label: string };

/** A tree whose steps do not follow from ranks, and why. */
export type OtherTree = { label: string; why: string };

/** Why there are no steps of other trees. */
export type WhatIfWords = { waiting: string; cut_short: string; recorded: string };

/** What the steps of other trees need. */
export type WhatIfKit = {
  trees: TreeName[];
  others: OtherTree[];
  few: number; // the slider's end for k
  most: number; // the same for a run with more than `few`
  words: WhatIfWords;
};

/** What redrawn steps need. */
export type RedrawKit = {
  temperatures: number[]; // at which races can be redrawn
  words: Record<string, string>;
};

/** A step that the browser finds. */
export type Bookmark = {
  id: "all" | "root" | "rescued" | "path" | "gap"; // a key of `Landmarks`
  label: string;
  coins: string; // the label where coins decide
  help: string;
  none: string; // why there is no such step
};

/** What all players of a page share. */
export type Kit = {
  palettes: Palettes;
  signs: Record<string, string>; // by node state, what doubles its colour; a state without one has no key
  marks: Record<string, MarkStyle>;
  kinds: Record<string, Kind>;
  words: DecisionWords;
  glossary: Term[]; // in the order of the list
  numbers: NumberFormat;
  tree: TreeKit;
  decision: DecisionKit;
  what_if: WhatIfKit;
  redraw: RedrawKit;
  lanes: Record<string, string>; // of "Where the time goes": its texts
  watermark: WatermarkKit;
  sources: Record<string, string>; // of what there is to see of a source of guesses: its texts
  find: Bookmark[]; // bookmarked steps
};
