// The pictures of decisions: what differs between them. A kind names its picture (`Kind.picture`); a new one is one more entry here. That a draft has no
// clocks is known by its scale (`draftArrivals` in race/time_scale.js).

/** @import * as T from "../types" */
import { coinLayout } from "../coins/coin_picture.js";
import { lapsLayout } from "../race/laps_picture.js";
import { coinCells, halfRaceCells, raceCells } from "./printed_numbers.js";
import { halfRaceLayout, raceLayout } from "../race/race_picture.js";

/**
 * @typedef {object} PictureKind
 * @property {{ letters: number, share: number }} centre its width: at most so many letters, and at most this share of the picture
 * @property {number} axisBelow lines from the ticks down to the words of the axis; 0: between the ticks
 * @property {(decision: T.Decision, frame: T.Frame, kit: T.Kit, step: T.StepMessage) => T.Picture} layout
 * @property {boolean} canRun a button runs it once more
 * @property {{ heads: string[], cellsOf: (decision: T.Decision, format: T.NumberFormat) => string[][] }} table after the column of the tokens
 * @property {LabWords} lab
 * @typedef {object} LabWords what the lab calls a trial
 * @property {string} title
 * @property {string} randomness what is new in each trial
 * @property {string} next
 * @property {[string, string]} shares title and note of the shares
 */

const RACE = { centre: { letters: 11.4, share: 0.36 }, axisBelow: 1.3, canRun: true };

/** @type {Record<T.Kind["picture"], PictureKind>} */
export const PICTURES = {
  race: {
    ...RACE,
    layout: raceLayout,
    table: { heads: ["q", "p", "E", "E ÷ q", "E ÷ p"], cellsOf: raceCells },
    lab: {
      title: "Race once",
      randomness: "the same clocks for both",
      next: "New clocks",
      shares: ["Which arrival won?", "green: drafted; ticks: theory ± chance"],
    },
  },
  half_race: {
    ...RACE,
    layout: halfRaceLayout,
    table: { heads: ["q", "p", "E", "E ÷ p"], cellsOf: halfRaceCells },
    lab: {
      title: "Race once",
      randomness: "target’s clocks",
      next: "New clocks",
      shares: ["Which guess won?", "green: drafted; ticks: theory ± chance"],
    },
  },
  laps: {
    ...RACE,
    layout: lapsLayout,
    table: { heads: ["q", "p", "E", "E ÷ q", "E ÷ p"], cellsOf: raceCells },
    lab: { title: "", randomness: "", next: "", shares: ["", ""] }, // the lab has no trees
  },
  probabilities: {
    centre: { letters: 9.5, share: 0.3 },
    axisBelow: 0,
    layout: coinLayout,
    canRun: false,
    table: { heads: ["q", "p"], cellsOf: coinCells },
    lab: {
      title: "Decide once",
      randomness: "fresh coins",
      next: "New coins",
      shares: ["Which guess was kept?", "bars: trials; ticks: theory ± chance"],
    },
  },
};

/** @param {T.Decision} decision @param {T.Kit} kit */
export const pictureKindOf = (decision, kit) => PICTURES[kit.kinds[decision.kind].picture];
