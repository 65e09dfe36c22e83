// A step as a story: what happens when. A pure function of the step's message, and of a moment in it the scene that is to be seen; so
// going back, pausing, another speed and the keys all show the same. No element and no clock is known here.

/** @import * as T from "../types" */
import { beatsOf, endOf } from "./schedule.js";
import { rootArrivalsOf, visitsOf } from "./visits.js";

/** @typedef {"draft" | "score" | "walk" | "text"} Phase */
/** @typedef {"call" | "sweep" | "decide" | "verdict" | "rest"} Act  What happens in a beat. */

/**
 * @typedef {object} Beat
 * @property {Phase} phase
 * @property {Act} act
 * @property {number} start seconds
 * @property {number} seconds
 * @property {number} place the draft call, from 1, or the visit, from 0; else 0
 */

/** @typedef {{ vertex: number, after: number, state: T.VertexState }} Verdict  What becomes of a vertex once this share of a visit is over. */

/**
 * @typedef {object} Visit  a node at which the walk stood
 * @property {number} vertex
 * @property {T.Decision} decision
 * @property {number} first coins that had fallen before: the walk may come to a node again
 * @property {number} tries coins that fall one by one; 0: all is decided at once
 * @property {number} length of the decision, in tries
 * @property {number} decisions that it counts for
 * @property {Verdict[]} falls of its children, in the order of the tries; a child that is drawn twice may be tried twice
 */

/** @typedef {{ phase: Phase, start: number, end: number }} Span */
/** @typedef {Map<number, number>} RootArrivals  of the root's children: the share of the first draft call after which each is there */

/**
 * @typedef {object} Story
 * @property {T.StepMessage} step
 * @property {RootArrivals} rootArrivals
 * @property {Visit[]} visits in the order decided
 * @property {Beat[]} beats
 * @property {Span[]} spans of the phases there are: a step without a draft has no draft phase
 * @property {number} seconds
 */

/**
 * @typedef {object} Scene  what is to be seen at a moment
 * @property {Phase} phase
 * @property {number} progress share of this phase that is over
 * @property {number} calls draft calls that have begun
 * @property {number} calling share of the draft call in view that is over
 * @property {number} drafted share of the first draft call that is over: the root's children come in it
 * @property {number} sweep share of the tree that the target's call has passed
 * @property {number} visit index of the visit where the marker stands; -1 before the walk
 * @property {number} share of that visit's decision that is over
 * @property {number} settled visits that are decided
 * @property {number} tries of the visit in view that are decided
 * @property {number} trying the try in view, from 1, as in the coins' scene; one more than there are: a token is drawn after all of them
 * @property {boolean} isOver all is told: the finished step
 */

/** @type {Phase[]} */
export const PHASES = ["draft", "score", "walk", "text"];

/** @param {T.StepMessage} step @returns {Story} */
export function storyOf(step) {
  const visits = visitsOf(step);
  const beats = beatsOf(step, visits);
  const spans = PHASES.flatMap((phase) => {
    const own = beats.filter((beat) => beat.phase === phase);
    return own.length ? [{ phase, start: own[0].start, end: endOf(own[own.length - 1]) }] : [];
  });
  return { step, rootArrivals: rootArrivalsOf(step), visits, beats, spans, seconds: endOf(beats[beats.length - 1]) };
}

/**
 * What is to be seen at a moment. A moment at which one phase ends and another begins belongs to the one that ends.
 * @param {Story} story
 * @param {number} time seconds; past the end nothing changes any more.
 * @returns {Scene}
 */
export function sceneAt({ step, visits, beats, spans, seconds }, time) {
  const share = (/** @type {Beat | undefined} */ beat) => (beat ? Math.max(0, Math.min(1, (time - beat.start) / beat.seconds)) : 1);
  const begun = (/** @type {Act} */ act) => beats.filter((beat) => beat.act === act && beat.start < time);
  const { phase, start, end } = spans.find((span) => time <= span.end) ?? spans[spans.length - 1];
  const begunVisits = begun("decide");
  const visit = begunVisits.length - 1;
  const now = share(begunVisits[visit]);
  const { first = 0, tries: count = 0, length = 0, falls = [] } = visits[visit] ?? {};
  return {
    phase,
    progress: Math.max(0, Math.min(1, (time - start) / (end - start))),
    calling: share(begun("call").at(-1)),
    drafted: share(beats.find(({ act }) => act === "call")),
    calls: phase === "draft" ? Math.max(1, begun("call").length) : step.draft_calls,
    sweep: share(beats.find(({ act }) => act === "sweep")),
    visit,
    share: visit < 0 ? 0 : now,
    settled: begun("verdict").length,
    tries: first + Math.min(count, falls.filter(({ after }) => after <= now).length),
    trying: first + (count || first ? Math.min(Math.ceil(length), Math.floor(now * length) + 1) : 0),
    isOver: time >= seconds,
  };
}

/**
 * What is known of every node in a scene; the target's own token is the last one.
 * @param {Story} story
 * @param {Scene} scene
 * @returns {Array<"hidden" | "drafted" | "scored" | T.VertexState>}
 */
export function statesAt({ step: { tree }, rootArrivals, visits }, scene) {
  const drafted = tree.q.length;
  /** @type {ReturnType<typeof statesAt>} */
  const states = tree.names.map((_, vertex) => {
    if (vertex >= drafted || (tree.call_of[vertex] ?? 0) > scene.calls) return "hidden";
    if (scene.phase === "draft" && (rootArrivals.get(vertex) ?? 0) > scene.drafted) return "hidden";
    return scene.phase === "draft" ? "drafted" : "scored";
  });
  if (scene.settled === visits.length) return [...tree.states];
  visits.slice(0, scene.visit + 1).forEach(({ falls }, place) => {
    const isOver = place < scene.settled;
    for (const { vertex, after, state } of falls) if (isOver || after <= scene.share) states[vertex] = state;
  });
  return states;
}

/** How many guesses are known to be accepted. @param {Story} story @param {Scene} scene */
export function acceptedAt(story, scene) {
  if (scene.phase === "text") return story.step.bar.accepted;
  return statesAt(story, scene).filter((state) => state === "accepted").length;
}
