// The types of the Curves tab: its messages, and its views.

import type { ErrorMessage, LostMessage, StatusMessage, StoppedMessage } from "../types";
import type { Begin, End, Lines, Points } from "./messages";

export type * from "./messages";

export type CurvesMessage = Begin | Lines | Points | End | StatusMessage | StoppedMessage | LostMessage | ErrorMessage;

/** Drawn from the measurement. */
export type MeasuredView = "accepted" | "next" | "speed";
export type View = MeasuredView | "pays";

/** A best choice on one curve. */
export type Choice = { k: number; levels: number; speed: number };
