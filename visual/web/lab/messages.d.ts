// Written by `python -m assets.message_types` from lab.py in visual/payload/message_types: change those.

import type { Block, Decision, Tree } from "../base/messages";

/** What the trials gave. */
export type Counts = {
  trials: number;
  ranks: number[]; // of the first trials: the accepted guess, -1 for none
  kept: number[]; // came out as accepted guesses
  own: number[]; // came out as the target's own
  tv: number;
  chance: [number, number]; // TV of the middle 95% of exact samples
  is_off: boolean;
  signs: number[]; // 1: clearly too often, -1: too rarely
  accepted: number;
  error: number | null; // standard error of `accepted`
};

/** Acceptance by the number of guesses. */
export type Curve = {
  name: string; // of the rule, or `limit`
  label: string;
  values: number[];
};

/** How often one of the guesses was accepted. */
export type Share = { label: string; measured: number; theory: number | null; chance: [number, number] | null; accepted: boolean };

/** The two charts: acceptance against the number of guesses, and which guess it was. */
export type Charts = {
  theory: number | null; // of `Counts.accepted`
  chance: [number, number] | null; // 95% of such shares lie here by chance
  deviates: number; // `Counts.accepted` is clearly more (1) or less (-1) than without a bug
  limit: number | null;
  too_good: boolean; // `Counts.accepted` is clearly above the limit
  curves: Curve[];
  shares: Share[];
};

/** The texts around them. */
export type LabWords = { rule: string; headline: [string, string][]; sentence: string; leanings: string; output: string };

/** Everything that the lab draws. */
export type LabAnswer = { decision: Decision; tree: Tree; block?: Block; counts: Counts; charts: Charts; words: LabWords };

/** Two distributions. */
export type Pair = { p: number[]; q: number[] };

/** What the lab starts with. */
export type UsualPreset = { start: string; tokens: number };

/** Distributions to start from. */
export type Presets = {
  names: string[];
  usual: UsualPreset;
  labels: Record<string, string>;
  sizes: Record<string, Record<string, Pair>>; // number of tokens -> preset -> probabilities
};

/** What the lab knows of a rule. */
export type LabRule = {
  label: string;
  most: number | null; // guesses at most; 0 for rules that draft nothing; null: any number
  joint: boolean;
  samples: boolean;
};

/** A bug that can be put into rules. */
export type Bug = { label: string; rules: string[] };

/** What is asked for at first. */
export type UsualTrials = { rule: string; k: number; seed: number };

/** What the lab is sent once. */
export type LabKit = {
  address: string; // where to ask, relative to the page
  presets: Presets;
  rules: Record<string, LabRule>;
  bugs: Record<string, Bug>;
  guesses: number; // the most
  trials: number[]; // how many may be asked for
  usual: UsualTrials;
};
