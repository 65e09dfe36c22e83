// A step as a story: what happens when. A pure function of the step's message, and of a moment in it the scene that is to be seen; so
// going back, pausing, another speed and the keys all show the same. No element and no clock is known here.

/** @import { Decision, StepMessage, VertexState } from "./types.js" */

/** @typedef {"draft" | "score" | "walk" | "text"} Phase */
/** @typedef {"call" | "sweep" | "decide" | "verdict" | "fly" | "join" | "rest"} Act  What happens in a beat. */

/**
 * @typedef {object} Beat
 * @property {Phase} phase
 * @property {Act} act
 * @property {number} start seconds
 * @property {number} seconds
 * @property {number} place the draft call, from 1, or the visit, from 0; else 0
 */

/** @typedef {{ vertex: number, after: number, state: VertexState }} Fall  What becomes of a vertex once this share of a visit is over. */

/**
 * @typedef {object} Visit  a vertex at which the walk stood
 * @property {number} vertex
 * @property {Decision} decision
 * @property {number} tries coins that fall one by one; 0: all is decided at once
 * @property {number} length of the decision, in tries
 * @property {Fall[]} falls of its children, in the order of the tries; a child that is drawn twice may be tried twice
 */

/** @typedef {{ phase: Phase, start: number, end: number }} Span */

/**
 * @typedef {object} Story
 * @property {StepMessage} step
 * @property {Visit[]} visits from the root to where the walk ended
 * @property {Beat[]} beats
 * @property {Span[]} spans of the phases there are: a step without a draft has no draft phase
 * @property {number} seconds
 */

/**
 * @typedef {object} Scene  what is to be seen at a moment
 * @property {Phase} phase
 * @property {number} calls draft calls that have begun
 * @property {number} drafted share of the draft's time that is over
 * @property {number} sweep share of the tree that the target's call has passed
 * @property {number} visit index of the visit where the marker stands; -1 before the walk
 * @property {number} share of that visit's decision that is over
 * @property {number} settled visits that are decided
 * @property {number} tries of the visit in view that are decided
 * @property {number} trying the try in view, from 1, as in the coins' scene; one more than there are: a token is drawn after all of them
 * @property {number} flight share of the target's own token's way into the text
 * @property {number} joined share of the path's way into the root
 * @property {boolean} isOver all is told: the finished step
 */

/** @type {Phase[]} */
export const PHASES = ["draft", "score", "walk", "text"];

// seconds at speed 1: a usual step takes 3 to 4, one with a long path more
const CALL = { each: 0.3, most: 0.6 }; // a draft call, and all of them together
const SWEEP = 0.4;
const VISIT = { least: 0.3, most: 0.9, all: 1.4 }; // a decision, and all of them together where there are few
const TRY = { each: 0.35, most: 1.6 }; // what a coin after the first adds, and all of them together
const LEAF = 0.2;
const VERDICT = { least: 0.12, most: 0.25, all: 0.5 };
const FLIGHT = 0.45;
const JOIN = 0.4;
const REST = 0.25;

// in tries, as they are in the coins' scene: when a coin lies and its verdict is read, and the token that is drawn when all were rejected
const LIES = 0.45;
const DRAWN = 0.7;

/**
 * @param {StepMessage} step
 * @returns {Story}
 */
export function storyOf(step) {
  const visits = visitsOf(step);
  const beats = beatsOf(step, visits);
  const spans = PHASES.flatMap((phase) => {
    const own = beats.filter((beat) => beat.phase === phase);
    return own.length ? [{ phase, start: own[0].start, end: endOf(own[own.length - 1]) }] : [];
  });
  return { step, visits, beats, spans, seconds: endOf(beats[beats.length - 1]) };
}

/**
 * What is to be seen at a moment. A moment at which one phase ends and another begins belongs to the one that ends.
 *
 * @param {Story} story
 * @param {number} time seconds; past the end nothing changes any more.
 * @returns {Scene}
 */
export function sceneAt({ step, visits, beats, spans, seconds }, time) {
  const share = (/** @type {Beat | undefined} */ beat) => (beat ? Math.max(0, Math.min(1, (time - beat.start) / beat.seconds)) : 1);
  const begun = (/** @type {Act} */ act) => beats.filter((beat) => beat.act === act && beat.start < time);
  const { phase } = spans.find(({ end }) => time <= end) ?? spans[spans.length - 1];
  const begunVisits = begun("decide");
  const visit = begunVisits.length - 1;
  const now = share(begunVisits[visit]);
  const { tries: count = 0, length = 0, falls = [] } = visits[visit] ?? {};
  const draft = spans.find((span) => span.phase === "draft");
  return {
    phase,
    drafted: draft ? Math.min(1, time / draft.end) : 1,
    calls: phase === "draft" ? Math.max(1, begun("call").length) : step.draft_calls,
    sweep: share(beats.find(({ act }) => act === "sweep")),
    visit,
    share: visit < 0 ? 0 : now,
    settled: begun("verdict").length,
    tries: count ? falls.filter(({ after }) => after <= now).length : 0,
    trying: count ? Math.min(Math.ceil(length), Math.floor(now * length) + 1) : 0,
    flight: phase === "text" ? share(beats.find(({ act }) => act === "fly")) : 0,
    joined: phase === "text" ? share(beats.find(({ act }) => act === "join")) : 0,
    isOver: time >= seconds,
  };
}

/**
 * What is known of every vertex in a scene; the target's own token is the last one.
 *
 * @param {Story} story
 * @param {Scene} scene
 * @returns {Array<"hidden" | "drafted" | "scored" | VertexState>}
 */
export function statesAt({ step: { tree }, visits }, scene) {
  const drafted = tree.q.length;
  /** @type {ReturnType<typeof statesAt>} */
  const states = tree.names.map((_, vertex) => {
    if (vertex >= drafted || (tree.call_of[vertex] ?? 0) > scene.calls) return "hidden";
    return scene.phase === "draft" ? "drafted" : "scored";
  });
  if (scene.settled === visits.length) return [...tree.states];
  visits.slice(0, scene.visit + 1).forEach(({ falls }, place) => {
    const isOver = place < scene.settled;
    for (const { vertex, after, state } of falls) if (isOver || after <= scene.share) states[vertex] = state;
  });
  return states;
}

/** @param {Beat} beat */
const endOf = ({ start, seconds }) => start + seconds;

/**
 * @param {StepMessage} step
 * @param {Visit[]} visits
 */
function beatsOf(step, visits) {
  /** @type {Beat[]} */
  const beats = [];
  const add = (/** @type {Phase} */ phase, /** @type {Act} */ act, /** @type {number} */ seconds, place = 0) => {
    const last = beats[beats.length - 1];
    beats.push({ phase, act, start: last ? endOf(last) : 0, seconds, place });
  };
  const calls = step.draft_calls;
  for (let call = 1; call <= calls; call += 1) add("draft", "call", Math.min(CALL.each, CALL.most / calls), call);
  add("score", "sweep", SWEEP);
  const [deciding, verdict] = [VISIT, VERDICT].map(({ least, most, all }) => Math.max(least, Math.min(most, all / visits.length)));
  visits.forEach(({ falls, tries }, place) => {
    const more = Math.min(TRY.most, TRY.each * Math.max(0, tries - 1));
    add("walk", "decide", falls.length ? deciding + more : LEAF, place);
    add("walk", "verdict", verdict, place);
  });
  if (step.bar.own) {
    add("text", "fly", FLIGHT);
    add("text", "join", JOIN);
  }
  add("text", "rest", REST);
  return beats;
}

/**
 * @param {StepMessage} step
 * @returns {Visit[]}
 */
function visitsOf({ tree, decisions }) {
  // the way goes down the tree, where children have higher numbers than their parents
  const way = Object.keys(decisions).map(Number);
  way.sort((one, other) => one - other);
  return way.map((vertex) => {
    const decision = decisions[vertex];
    const coins = decision.tries ?? [];
    const falls = coins.length ? fallsOfTries(coins) : fallsAtOnce(tree, vertex);
    return { vertex, decision, tries: coins.length, length: lengthOf(coins), falls };
  });
}

/**
 * The tries, and the token that is drawn where all were rejected.
 *
 * @param {NonNullable<Decision["tries"]>} tries
 */
const lengthOf = (tries) => tries.length + (tries.some(({ accepted }) => accepted) ? 0 : DRAWN);

/**
 * @param {NonNullable<Decision["tries"]>} tries
 * @returns {Fall[]}
 */
function fallsOfTries(tries) {
  const length = lengthOf(tries);
  return tries.map(({ vertex, accepted }, place) => ({
    vertex,
    after: (place + LIES) / length,
    state: accepted ? "accepted" : "rejected",
  }));
}

/**
 * @param {StepMessage["tree"]} tree
 * @param {number} parent
 * @returns {Fall[]}
 */
function fallsAtOnce({ parents, q, states }, parent) {
  return q.flatMap((_, vertex) => (parents[vertex] === parent ? [{ vertex, after: 1, state: states[vertex] }] : []));
}
