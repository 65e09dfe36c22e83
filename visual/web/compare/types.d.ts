// The types of the Compare tab: its messages, and what the board keeps.

import type { ErrorMessage, LostMessage, StatusMessage, StoppedMessage } from "../types";
import type { CompareBegin, CompareEnd, CompareMore, CompareRecording, Likeness, Row } from "./messages";

export type * from "./messages";

export type BoardMessage =
  CompareBegin | CompareMore | CompareEnd | CompareRecording | StatusMessage | StoppedMessage | LostMessage | ErrorMessage;

/** A method, as the board keeps it. */
export type Lane = {
  name: string;
  drafts: boolean;
  /** tokens of every call */
  counts: number[];
  /** those of them that are the target's own */
  own: number[];
  row: Row | null;
  text: Likeness | null;
};
