// The types that modules share, by name. A module imports all of them as one namespace, T, which says at each use that it is a type:
//
//     /** @import * as T from "../types" */
//
// Compare, Curves, Lab and Learn have their types under their names: T.Lab.Choice.

export type { Plot, Trace } from "./plot/plotly_adapter.js";
export type { PageLook, Size } from "./plot/look.js";
export type * from "./base/messages";
export type { PlayerPart, RunPart, SteppedPart } from "./base/parts.js";
export type { Board } from "./compare/board.js";
export type * as Compare from "./compare/types";
export type { CurrentRun, RunStatus } from "./core/current_run.js";
export type { Action } from "./core/keyboard.js";
export type { View } from "./core/pictures.js";
export type { AnyMessage, AnyRecording, SessionEvent } from "./core/session.js";
export type { Event, Run, State } from "./core/state.js";
export type { PanelView } from "./core/panels.js";
export type { Box, Scale } from "./curves/axes.js";
export type { Curve, Drawing } from "./curves/picture.js";
export type * as Curves from "./curves/types";
export type { Choice, InView } from "./decision/decision.js";
export type { Frame } from "./decision/frame.js";
export type { Layers } from "./decision/layers.js";
export type { DecisionMotion, Known, Picture } from "./decision/motion.js";
export type { PictureKind } from "./decision/picture_kinds.js";
export type { RowNumbers, Side } from "./decision/printed_numbers.js";
export type { Shown } from "./decision/frame.js";
export type { Lab as RaceLab } from "./lab/lab.js";
export type * as Lab from "./lab/types";
export type * as Learn from "./learn/types";
export type { AltText } from "./panels/alt_text.js";
export type { Glossary } from "./glossary/glossary.js";
export type { Cut, TreeChoice } from "./what_if/static_trees.js";
export type { Chosen, Guess } from "./redraw/decision.js";
export type { RedrawPanel } from "./redraw/panel.js";
export type { Arrival } from "./redraw/race.js";
export type { Redrawn, RedrawAt } from "./redraw/redraw.js";
export type { Asked } from "./story/visits.js";
export type { Act, Beat, RootArrivals, Verdict, Phase, Scene, Story, Visit } from "./story/story.js";
export type { Folding, Item } from "./tree/items.js";
export type { Look, Spot, TreeLayout } from "./tree/layout.js";
export type { Figure } from "./tree/tree_figure.js";
