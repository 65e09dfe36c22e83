// Written by `python -m assets.message_types` from learn.py in visual/payload/message_types: change those.

import type { Decision, TextOfClocks } from "../base/messages";

/** Where the lessons are, and in which languages. */
export type LearnKit = { address: string; languages: string[] };

/** What a target call for so many tokens costs, also as a multiple of a call for one. */
export type Call = { tokens: number; ms: number; ratio: number };

/** By their number of tokens, from 1. */
export type Calls = { machine: string; here: Call[]; gpu: Call[] };

/** A position of the handle: a draft, draws in which it agrees with the target, and how often it should, by own and shared clocks. */
export type Position = { q: number[]; own: boolean[]; shared: boolean[]; expected: [number, number]; chance: [number, number][] };

/** One decision sampled by two models. */
export type Clocks = {
  names: string[];
  before: string; // the text before the decision
  p: number[];
  positions: Position[]; // of the handle; the middle one is the recorded step
  clocks: number[][]; // by draw and token
  own_clocks: number[][]; // the draft's own
};

/** A tree and the accepted tokens expected of it. */
export type Shape = { svg: string; expected: number };

/** What a probability is computed from, and its value. */
export type Chance = [string, number];

/** A chain of two guesses at a position of the handle: its chances decided from the root and from the leaf, and both averages. */
export type ChainAt = { name: string; root: Chance[]; leaf: Chance[]; average: Chance[] };

/** Chains by position of the handle; `at`: the first shown. */
export type Leaves = { at: number; positions: ChainAt[] };

/** The text of the recorded run, tested for a seed. */
export type Mark = { seed: number; clocks: TextOfClocks };

/** The data of figures that are the same on every machine. */
export type FixedFigures = {
  clocks: Clocks;
  trees: Record<string, Record<string, Shape>>; // by their number of tokens and their shape
  leaves: Leaves;
  marks: Mark[]; // the seed of the run first
};

/** The data of the figures that are shown. */
export type Figures = FixedFigures & { calls: Calls };

/** A decision to guess about. */
export type Guess = { before: string; decision: Decision; name: string; accepted: boolean };
