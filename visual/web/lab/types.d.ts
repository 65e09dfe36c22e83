// The types of the lab: its message, and what a reader chooses.

export type * from "./messages";

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
