// Written by `python -m assets.message_types` from compare.py in visual/payload/message_types: change those.

import type { Elsewhere, Exactness, Gain } from "../base/messages";

/** The badge of a method's run. */
export type LaneExactness = Exactness & {
  short: string; // the same for the table
};

/** A method. */
export type LaneBegin = {
  name: string;
  drafts: boolean;
  exact: LaneExactness;
  average: string; // tokens per call expected on average; empty where they are not known
  place: Elsewhere | null; // this machine, if its guesses cost something else than those that `elsewhere` begins with
};

/** The methods differ only in where their guesses come from: one text is shown for all. */
export type OneTextBegin = {
  prompt: string;
  method: string; // and k
  exact: LaneExactness;
  why: string; // what a source of guesses can change
};

/** A comparison begins: forget the one before. */
export type CompareBegin = {
  type: "begin";
  run: string; // name of the comparison
  lanes: LaneBegin[];
  one_text: OneTextBegin | null;
  on_average: string; // what the averages are; empty where none is known
  elsewhere: Elsewhere[]; // pairs for which this number of tokens per call would pay off more
  here: string; // the steps that the speed-up covers; empty where it is not known
};

/** The time that a method's text took so far, without that of the prompt. */
export type Spent = {
  words: string;
  draft: number; // milliseconds of guessing
  rest: number; // of target calls and choices
};

/** The figures of a method over all its calls so far, as printed. */
export type Row = Gain & { per_call: string; calls: string; tokens: string; accepted: string; ms: string; spent: Spent | null };

/** A text compared with the yardstick's. */
export type Likeness = {
  kind: "yardstick" | "same" | "other"; // `same` as far as both are written
  same: number; // number of equal tokens at the start
  first: number | null; // index of the first token that differs
  words: string;
};

/** Where a method stands now. */
export type LaneMore = {
  counts: number[]; // tokens of each new call
  own: number[]; // those of them that are the target's own
  row: Row;
  text: Likeness;
};

/** Calls were made. */
export type CompareMore = {
  type: "more";
  run: string;
  lanes: LaneMore[]; // by method
  headline: string; // the comparison in a sentence or two; empty while methods are running
  tokens: string[]; // the one text so far; empty where there is not one
};

/** All methods have finished. */
export type CompareEnd = { type: "end"; run: string; words: string };

/** A whole recorded comparison, for a board that has nothing to show yet. */
export type CompareRecording = { type: "recording"; words: string; messages: (CompareBegin | CompareMore | CompareEnd)[] };

/** A recorded comparison as fetched: the messages for the board and for each player, as JSON. */
export type Recorded = { board: string; players: string[] };

/** Where the browser fetches the recorded comparison, and which links show a run instead. */
export type WhereRecorded = {
  address: string; // relative to the page
  tab: string; // in the address of a link to a comparison
  unless: string[]; // a page that was opened there with one of these names runs that comparison
};

/** How the plot is drawn. */
export type BoardStyles = {
  layout: Record<string, unknown>;
  lines: Record<string, unknown>[]; // by place
  here: Record<string, unknown>; // the line at the call in view
};

/** What the board is sent once. */
export type BoardKit = BoardStyles & { recorded: WhereRecorded };
