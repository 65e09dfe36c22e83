// The types of the Curves tab: its messages, and what the page is sent once (KIT in visual/payload/curves/message.py).

import type { ErrorMessage, LostMessage, StatusMessage, StoppedMessage } from "../types";
import type { Begin, End, Lines, Points } from "./messages";

export type * from "./messages";

export type CurvesMessage = Begin | Lines | Points | End | StatusMessage | StoppedMessage | LostMessage | ErrorMessage;

export type CurvesKit = {
  /** the largest number of drafted tokens */
  most: number;
  /** by name, in the order of the table */
  curves: Record<string, Style>;
  /** of all plots */
  layout: Record<string, unknown>;
};

export type Style = { label: string; about: string; color: string; symbol: string; width: number; dash: string };

export type View = "accepted" | "next" | "speed";

/** A best choice on one curve. */
export type Choice = { k: number; levels: number; speed: number };
