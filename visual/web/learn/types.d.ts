// What the Learn tab is sent (visual/server/tabs/lessons.py): lessons, the data of their figures, steps to guess about, labels and pages.

import type { Figures, Guess } from "./messages";

export type * from "./messages";

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
  figure: "calls" | "run" | "lab" | "clocks" | "trees" | "leaves" | "marks";
  choice: string; // the recorded run and its step, or what is chosen in the lab
  show: string[]; // parts of the lab
  caption: string; // of the figure by itself
  action: string;
  question: { ask: string; answers: string[]; right: number; why: string; first: boolean };
  takeaway: string;
  sources: string[];
  sentences: { words: string; parts: string[]; choice: string }[];
};
