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

/** Drawn from the measurement. */
export type MeasuredView = "accepted" | "next" | "speed";
export type View = MeasuredView | "pays";

/** Where "Does it pay for me?" asks, and with which fields (KIT in visual/server/tabs/pays.py). */
export type PaysKit = { address: string; fields: string[] };

/** A best choice on one curve. */
export type Choice = { k: number; levels: number; speed: number };
