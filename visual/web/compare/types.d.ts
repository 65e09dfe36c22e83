// The types of the Compare tab: its messages, what the page is sent once (visual/payload/compare/board.py), and what the board keeps.

import type { ErrorMessage, LostMessage, PlotlyLayout, PlotlyTrace, StatusMessage, StoppedMessage } from "../types";
import type { CompareBegin, CompareEnd, CompareMore, CompareRecording, LaneExactness, Likeness, Row } from "./messages";

export type * from "./messages";

export type BoardMessage =
  CompareBegin | CompareMore | CompareEnd | CompareRecording | StatusMessage | StoppedMessage | LostMessage | ErrorMessage;

/** A recorded comparison as fetched. */
export type Recorded = {
  board: string;
  /** a recorded run each */
  players: string[];
};

export type WhereRecorded = {
  /** relative to the page */
  address: string;
  /** in the address of a link to a comparison */
  tab: string;
  /** a page that was opened there with one of these names runs that comparison */
  unless: string[];
};

export type BoardKit = {
  layout: PlotlyLayout;
  /** by place */
  lines: PlotlyTrace[];
  /** the line at the call in view */
  here: Record<string, unknown>;
  recorded: WhereRecorded;
};

/** A method, as the board keeps it. */
export type Lane = {
  name: string;
  exact: LaneExactness;
  /** tokens of every call */
  counts: number[];
  /** those of them that are the target's own */
  own: number[];
  row: Row | null;
  text: Likeness | null;
};
