// Where a player stands in its run, as one small state, and what every action makes of it. Pure: no element, no clock.
//
// `following`: the newest step of a live run is shown as it comes. `playing`: steps play one after the other. `phase`: one phase of the step
// in view plays, or all of it (`tell`), then it pauses. `paused`: nothing moves.

/** @import * as T from "../types" */
import { sceneAt, storyOf } from "../story/story.js";

/**
 * @typedef {object} State
 * @property {"following" | "playing" | "phase" | "paused"} mode
 * @property {number} index of the step in view; -1: none
 * @property {T.Choice | null} choice what a reader chose in it
 * @property {number} time seconds into its story; infinite: finished
 * @property {number} until where `phase` ends
 * @property {number} waited seconds since a step was shown, where phases are skipped
 * @property {boolean} byHand a reader went there, so it is announced
 * @property {T.RedrawAt | null} redrawAt the step in view is shown as it would be; null: as it was
 */

/**
 * @typedef {object} Run what the next state depends on besides the state
 * @property {T.StepMessage[]} steps received so far
 * @property {boolean} isLive more may come
 * @property {boolean} followsLive a live run is watched as it comes, not at reading pace
 * @property {boolean} skipsPhases
 * @property {T.Phase | null} seen the phase on the screen; null: the step in view is not drawn yet
 */

/**
 * @typedef {{ type: "begin" | "added" | "ended" | "rest" | "pace" | "follow" | "tell" | "announced" }
 *   | { type: "press", action: T.Action }
 *   | { type: "go", index: number }
 *   | { type: "open", index: number, choice: T.Choice | null }
 *   | { type: "choose", choice: T.Choice }
 *   | { type: "redraw", redrawAt: T.RedrawAt | null, choice: T.Choice | null }
 *   | { type: "phase", phase: T.Phase, inMotion: boolean }
 *   | { type: "tick", seconds: number }} Event
 */

const BEGUN = 1e-6; // seconds after a moment, so that what begins there has begun
const STEP_SECONDS = 1; // of a step, where phases are skipped

/** @type {State} */
export const INITIAL = {
  mode: "paused",
  index: -1,
  choice: null,
  time: Infinity,
  until: Infinity,
  waited: 0,
  byHand: false,
  redrawAt: null,
};

/** @type {Set<Event["type"]>} */
const BY_ITSELF = new Set(["added", "ended", "pace", "follow", "tell", "tick", "announced"]);

/** Does a reader act, or bring another run? @param {Event} event */
export const isAction = ({ type }) => !BY_ITSELF.has(type);

/** @type {WeakMap<T.StepMessage, T.Story>} */
const stories = new WeakMap();

/** @param {T.StepMessage} step */
export function storyOfStep(step) {
  const known = stories.get(step) ?? storyOf(step);
  stories.set(step, known);
  return known;
}

/**
 * The scene to show. Where motion is unwelcome, a phase is at its end as soon as it has begun.
 * @param {T.Story} story
 * @param {number} time
 * @param {boolean} isStill
 * @returns {T.Scene}
 */
export function sceneOf(story, time, isStill) {
  const scene = sceneAt(story, time);
  return isStill ? sceneAt(story, endOf(story, scene.phase)) : scene;
}

/** @param {State} state @param {Event} event @param {Run} run @returns {State} the same object where nothing changes. */
export function reduce(state, event, run) {
  const last = run.steps.length - 1;
  switch (event.type) {
    case "begin":
      return { ...INITIAL, mode: run.followsLive ? "following" : "playing" };
    case "added":
      if (state.mode === "following") return shown(state, last, false);
      return state.mode === "playing" && state.index < 0 ? shown(state, 0, !run.skipsPhases) : state;
    case "ended":
      return state.mode === "following" ? { ...state, mode: "paused" } : state;
    case "rest":
      return { ...state, mode: "paused" };
    case "go":
      return gone(state, event.index, run);
    case "open":
      return { ...shown(state, event.index, false), choice: event.choice, mode: "paused" };
    case "choose":
      return { ...shown(state, state.index, false), choice: event.choice, mode: "paused", byHand: true, redrawAt: state.redrawAt };
    case "redraw":
      return { ...shown(state, state.index, false), choice: event.choice, mode: "paused", byHand: true, redrawAt: event.redrawAt };
    case "tell":
      return state.index < 0 ? state : { ...shown(state, state.index, true), mode: "phase" };
    case "announced":
      return { ...state, byHand: false };
    case "phase":
      return inPhase(state, event, run);
    case "press":
      return pressed(state, event.action, run);
    case "pace":
      return state.mode === "playing" ? { ...state, time: run.skipsPhases ? Infinity : state.time, waited: 0 } : state;
    case "follow":
      return followed(state, run);
    case "tick":
      return state.mode === "phase" || state.mode === "playing" ? ticked(state, event.seconds, run) : state;
  }
}

/** @param {State} state @param {number} index @param {boolean} fromTheBeginning of its story; else it is finished. @returns {State} */
function shown(state, index, fromTheBeginning) {
  return { ...INITIAL, mode: state.mode, index, time: fromTheBeginning ? BEGUN : Infinity };
}

/**
 * A step chosen by hand, finished. At the end of a live run the player follows again, if that is chosen.
 * @param {State} state
 * @param {number} index
 * @param {Run} run
 * @returns {State}
 */
function gone(state, index, { steps, isLive, followsLive }) {
  const last = steps.length - 1;
  if (last < 0) return state;
  const nearest = Math.max(0, Math.min(index, last));
  const follows = isLive && followsLive && nearest === last;
  return { ...shown(state, nearest, false), mode: follows ? "following" : "paused", byHand: true };
}

/** @param {State} state @param {T.Action} action @param {Run} run @returns {State} */
function pressed(state, action, run) {
  if (action === "play") return state.mode !== "paused" ? { ...state, mode: "paused" } : played(state, run);
  if (action === "nextPhase") return byPhase(state, 1, run);
  if (action === "previousPhase") return byPhase(state, -1, run);
  const index = { first: 0, previous: state.index - 1, next: state.index + 1, last: run.steps.length - 1 }[action];
  return gone(state, index, run);
}

/** @param {State} state @param {Run} run @returns {State} */
function played(state, { steps, isLive, followsLive, skipsPhases }) {
  const last = steps.length - 1;
  const isFinished = state.time === Infinity;
  if (state.index >= last && isFinished && isLive) return { ...state, index: last, mode: followsLive ? "following" : "playing" };
  if (state.index >= last && isFinished) return { ...shown(state, 0, !skipsPhases), mode: "playing" };
  const again = isFinished && !skipsPhases ? shown(state, state.index, true) : state;
  return { ...again, redrawAt: null, until: Infinity, waited: 0, mode: "playing" };
}

/**
 * The way to watch a live run was changed; after its end that matters as long as its steps still play.
 * @param {State} state
 * @param {Run} run
 * @returns {State}
 */
function followed(state, run) {
  const last = run.steps.length - 1;
  if (!run.isLive) return state.mode === "playing" && run.followsLive ? gone(state, last, run) : state;
  if (run.followsLive) return { ...shown(state, last, false), mode: "following" };
  if (last < 0) return { ...state, mode: "playing" };
  return { ...shown(state, Math.max(0, state.index), !run.skipsPhases), mode: "playing" };
}

/** @param {State} state @param {{ phase: T.Phase, inMotion: boolean }} event @param {Run} run @returns {State} */
function inPhase(state, { phase, inMotion }, { steps }) {
  const step = steps[state.index];
  const span = step && storyOfStep(step).spans.find((each) => each.phase === phase);
  if (!span) return state;
  const until = phase === "text" ? Infinity : span.end;
  const time = inMotion ? span.start + BEGUN : until;
  return { ...shown(state, state.index, false), until, time, mode: inMotion ? "phase" : "paused", byHand: true };
}

/**
 * Plays the next phase, or goes to the end of the one before; past the ends of a step it goes on to its neighbour.
 * @param {State} state
 * @param {1 | -1} way
 * @param {Run} run
 * @returns {State}
 */
function byPhase(state, way, run) {
  const step = run.steps[state.index];
  if (!step) return state;
  const story = storyOfStep(step);
  const phases = story.spans.map(({ phase }) => phase);
  const place = phases.indexOf(sceneAt(story, state.time).phase) + way;
  if (phases[place]) return inPhase(state, { phase: phases[place], inMotion: way > 0 }, run);
  if (way < 0) return state.index > 0 ? gone(state, state.index - 1, run) : { ...state, mode: "paused" };
  if (state.index >= run.steps.length - 1) return { ...state, mode: "paused" };
  const following = shown(state, state.index + 1, true);
  return inPhase(following, { phase: storyOfStep(run.steps[following.index]).spans[0].phase, inMotion: true }, run);
}

/** @param {State} state @param {number} seconds @param {Run} run @returns {State} */
function ticked(state, seconds, run) {
  const step = run.steps[state.index];
  if (!step || run.seen === null) return state; // nothing goes on before it is on the screen
  if (state.mode === "playing" && run.skipsPhases) {
    const waited = state.waited + seconds;
    return waited < STEP_SECONDS ? { ...state, waited } : next(state, run);
  }
  if (state.time === Infinity) return state.mode === "playing" ? next(state, run) : { ...state, mode: "paused" };
  const story = storyOfStep(step);
  const time = later(story, state, seconds, run.seen);
  if (state.mode === "phase" && time === state.until) return { ...state, time, mode: "paused" };
  if (time < story.seconds || run.seen !== "text") return { ...state, time };
  return state.mode === "playing" ? next({ ...state, time: Infinity }, run) : { ...state, time: Infinity, mode: "paused" };
}

/** @param {State} state @param {Run} run @returns {State} */
function next(state, { steps, isLive, skipsPhases }) {
  if (state.index < steps.length - 1) return shown(state, state.index + 1, !skipsPhases);
  return isLive ? { ...state, time: Infinity, waited: STEP_SECONDS } : { ...state, time: Infinity, mode: "paused" };
}

/**
 * The moment some seconds later. No phase is passed over before it was on the screen.
 * @param {T.Story} story
 * @param {State} state
 * @param {number} seconds
 * @param {T.Phase} seen
 */
function later({ spans }, { time, until }, seconds, seen) {
  const wanted = Math.min(time + seconds, until);
  const place = spans.findIndex(({ end }) => time <= end);
  if (place < 0) return wanted;
  const { phase, end } = spans[place];
  const isOver = time === end && seen === phase;
  return Math.min(wanted, isOver ? (spans[place + 1]?.end ?? wanted) : end);
}

/** @param {T.Story} story @param {T.Phase} phase */
function endOf({ spans }, phase) {
  return phase === "text" ? Infinity : (spans.find((each) => each.phase === phase)?.end ?? Infinity);
}
