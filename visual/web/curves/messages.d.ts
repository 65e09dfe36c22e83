// Written by `python -m assets.message_types` from curves/message_types.py in visual/payload: change those.

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
export type Shares = Measured & {
  first: number;
  last: number;
};

/** What direct runs gave. */
export type Point = {
  curve: string;
  temperature: number;
  k: number;
  calls: number;
  accepted: Measured;
  next: Shares[];
};

/** Headline and sentence of each view. */
export type Headlines = {
  accepted: string[];
  next: string[];
};

/** The texts over the plot, and the note below it. */
export type Words = Headlines & {
  note: string;
};

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
export type End = {
  type: "end" | "recorded";
  run: string;
  words: string;
};
