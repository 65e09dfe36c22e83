// What the Learn tab is sent (visual/server/tabs/lessons.py): lessons, the data of their figures, steps to guess about, labels and pages.

import type { Decision } from "../types";

export type LearnKit = { address: string; languages: string[] };

export type Learning = {
  labels: Record<string, string>;
  lessons: Lesson[];
  figures: Figures;
  guesses: Guess[];
  pages: Record<string, string>; // HTML
};

export type Lesson = {
  title: string;
  short: string;
  name: string; // of its figure in links
  figure: "calls" | "run" | "lab" | "clocks" | "trees";
  choice: string; // the recorded run and its step, or what is chosen in the lab
  show: string[]; // parts of the lab
  caption: string; // of the figure by itself
  action: string;
  question: { ask: string; answers: string[]; right: number; why: string; first: boolean };
  takeaway: string;
  sources: string[];
  sentences: { words: string; parts: string[]; choice: string }[];
};

export type Figures = {
  calls: { machine: string; here: Call[]; gpu: Call[] }; // by their number of tokens, from 1
  clocks: Clocks;
  trees: Record<string, Record<string, { svg: string; expected: number }>>; // by their number of tokens and their shape
};

export type Call = { tokens: number; ms: number; ratio: number };

export type Clocks = {
  names: string[];
  before: string; // the text before the decision
  p: number[];
  /** of the handle; the middle one is the recorded step; `own` and `shared` in that order */
  positions: { q: number[]; own: boolean[]; shared: boolean[]; expected: [number, number]; chance: [number, number][] }[];
  clocks: number[][]; // by draw and token
  own_clocks: number[][]; // the draft's own
};

export type Guess = { step: number; before: string; decision: Decision; tree: object; name: string; accepted: boolean };
