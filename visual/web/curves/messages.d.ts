// Written by `python -m assets.message_types` from curves.py in visual/payload/message_types: change those.

import type { Elsewhere } from "../base/messages";

/** A measurement begins. */
export type Begin = {
  type: "begin";
  run: string;
  models: string;
  temperatures: number[];
  places: Elsewhere[];
  expected: number; // how many points there will be
};

/** What a method is expected to do. */
export type CurveLine = {
  accepted: number[]; // expected accepted tokens with at most 1, 2, … drafted
  next: number[]; // probability that the 1st, 2nd, … token of the largest tree is accepted
  levels: number[][]; // `accepted` of the best trees with at most 1, 2, … levels; a single list where the levels are given
};

/** The lines at one temperature. */
export type Lines = {
  type: "lines";
  run: string;
  temperature: number;
  limit: (number | null)[]; // most accepted tokens with 1, 2, … drafted; null: no bound
  curves: Record<string, CurveLine>;
};

/** A mean over target calls. */
export type Measured = {
  mean: number;
  error: number | null; // its standard error; null after a single call
};

/** Of the tokens from the first to the last, the likeliest first. */
export type Shares = Measured & { first: number; last: number };

/** What direct runs gave. */
export type Point = { curve: string; temperature: number; k: number; calls: number; accepted: Measured; next: Shares[] };

/** Headline and sentence of each view. */
export type Headlines = { accepted: string[]; next: string[] };

/** The texts over the plot, and the note below it. */
export type Words = Headlines & { note: string };

/** All points so far. */
export type Points = {
  type: "points";
  run: string;
  points: Point[];
  done: number; // share of the work that is done
  left: number | null; // seconds that the rest will take; null: not known yet
  doing: string; // what is measured now; empty at the end
  words: Words;
};

/** The measurement is complete. */
export type End = { type: "end" | "recorded"; run: string; words: string };

/** What a tree might give. */
export type PaysTree = {
  speedups: number[]; // of 1, 2, … guesses
  guesses: number; // of the fastest of all
};

/** A single change to what was entered, and the answer to it. */
export type PaysChange = { what: string; k: string; speed: string };

/** The texts of the answer. */
export type PaysWords = {
  headline: string;
  sentence: string;
  figure: string;
  range: string; // ± beside the figure; empty without a count
  measure: string; // what the figure is
  doubt: string;
  inputs: string; // what was entered, where the fields are out of sight
  note: string;
};

/** The answer of "Does it pay for me?"; lists are of chains of 1, 2, … guesses. */
export type PaysAnswer = {
  k: number; // guesses of the best chain; 0: none pays
  logged: number; // how many rates were given
  slower_from: number | null;
  tokens: number[]; // a call
  speedups: number[];
  errors: (number | null)[]; // standard errors of the tokens a call, of the rates given; null without a count
  tree: PaysTree;
  changes: PaysChange[];
  words: PaysWords;
};

/** Why what was typed cannot be taken. */
export type PaysRefusal = { refused: string; field: string };

/** A curve: its texts, and how it is drawn. */
export type CurveStyle = { label: string; about: string; color: string; symbol: string; width: number; dash: string };

/** What the tab is sent once. */
export type CurvesKit = {
  most: number; // the largest number of drafted tokens
  curves: Record<string, CurveStyle>; // by name, in the order of the table
  layout: Record<string, unknown>; // of all plots
};

/** Where "Does it pay for me?" asks, and with which fields. */
export type PaysKit = { address: string; fields: string[] };
