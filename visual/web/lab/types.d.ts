// The types of the lab: its message, what the page is sent once (KIT in visual/server/tabs/lab.py), and what a reader chooses.

export type * from "./messages";

export type LabKit = {
  /** where to ask, relative to the page */
  address: string;
  presets: Presets;
  /** `most`: guesses at most; 0 for rules that draft nothing */
  rules: Record<string, { label: string; most: number | null; joint: boolean; samples: boolean }>;
  /** with the rules that can have them */
  bugs: Record<string, { label: string; rules: string[] }>;
  /** the most */
  guesses: number;
  /** how many may be asked for */
  trials: number[];
  usual: { rule: string; k: number; seed: number };
};

export type Presets = {
  names: string[];
  usual: { start: string; tokens: number };
  labels: Record<string, string>;
  /** number of tokens -> preset -> probabilities */
  sizes: Record<string, Record<string, Pair>>;
};

export type Pair = { p: number[]; q: number[] };

/** What a reader chose; what the lab asks, with `p`, `q` and `names`. */
export type Choice = {
  /** a preset, `last` for a real decision, or `own` */
  start: string;
  names: string[];
  p: number[];
  q: number[];
  rule: string;
  /** empty for none */
  bug: string;
  k: number;
  seed: number;
  trials: number;
  /** the one in view, from 0 */
  trial: number;
};
