// The playhead: the moment of a step's story that is shown, and the clock that moves it. A step whose story does not play is finished.

/** @import { Phase, Scene, Story } from "./story.js" */
/** @import { StepMessage } from "../base/types.js" */
import { sceneAt, storyOf } from "./story.js";

const JUST_AFTER = 1e-6; // seconds after a moment, so that what begins there has begun
const SPARE_MS = 50; // pause between two scenes while the run still comes in: the models may need this processor
const LONGEST_FRAME = 0.1; // seconds; a longer frame delays the story instead of skipping a part of it

const prefersStill = window.matchMedia("(prefers-reduced-motion: reduce)");

/** Plays the stories of steps. */
export class Playhead {
  /**
   * @param {object} on
   * @param {(scene: Scene) => void} on.scene called with every scene.
   * @param {() => boolean} on.isReady may time go on? The step may not yet be on the screen.
   * @param {(phase: Phase) => boolean} on.isSeen is this phase of it on the screen?
   * @param {() => boolean} on.isLive is the run still coming in?
   * @param {() => void} on.over called when the story in view is over.
   */
  constructor(on) {
    this.on = on;
    /** @type {Story | null} */
    this.story = null;
    this.time = Infinity; // seconds into the story; infinite: finished
    this.until = Infinity; // where it stops by itself
    this.speed = 1;
    /** @type {(() => void) | undefined} */
    this.cancel = undefined; // the next scene
    this.last = 0;
  }

  get isOn() {
    return this.cancel !== undefined;
  }

  get isFinished() {
    return this.time === Infinity;
  }

  /** The scene to show now. With reduced motion a phase is at its end as soon as it has begun. */
  get scene() {
    if (!this.story) return null;
    const { phase } = sceneAt(this.story, this.time);
    return sceneAt(this.story, prefersStill.matches ? this.endOf(phase) : this.time);
  }

  /** @returns {Phase} */
  get phase() {
    return this.scene?.phase ?? "text";
  }

  /** The phases of the story, in order. */
  get phases() {
    return this.story?.spans.map(({ phase }) => phase) ?? [];
  }

  /**
   * Opens a step, finished or at the beginning of its story.
   *
   * @param {StepMessage | undefined} step
   * @param {boolean} fromTheBeginning
   */
  open(step, fromTheBeginning = false) {
    this.story = step ? storyOf(step) : null;
    this.time = fromTheBeginning ? JUST_AFTER : Infinity;
    this.until = Infinity;
  }

  /**
   * Goes to a phase: to its beginning, to play it to its end, or to its end immediately.
   *
   * @param {Phase} phase
   * @param {boolean} inMotion
   */
  goTo(phase, inMotion) {
    const span = this.story?.spans.find((each) => each.phase === phase);
    if (!span) return;
    const isLast = phase === "text";
    this.until = isLast ? Infinity : span.end;
    this.time = inMotion && !prefersStill.matches ? span.start + JUST_AFTER : this.until;
  }

  /** @param {Phase} phase */
  endOf(phase) {
    const end = this.story?.spans.find((each) => each.phase === phase)?.end ?? Infinity;
    return phase === "text" ? Infinity : end;
  }

  /** @param {number} speed 2 is twice as fast as 1. */
  start(speed) {
    this.speed = speed;
    if (this.isOn) return;
    this.last = performance.now();
    this.goOn();
  }

  stop() {
    this.cancel?.();
    this.cancel = undefined;
  }

  /** Schedules the next scene: in the next frame, or a little later during a live run, as every frame costs time. */
  goOn() {
    const tick = (/** @type {number} */ now) => this.tick(now);
    this.cancel = this.on.isLive() ? later(tick, SPARE_MS) : inFrame(tick);
  }

  /**
   * The moment some seconds later. No phase is skipped before it was on the screen.
   *
   * @param {number} seconds
   */
  after(seconds) {
    const next = Math.min(this.time + seconds, this.until);
    const spans = this.story?.spans ?? [];
    const place = spans.findIndex(({ end }) => this.time <= end);
    if (place < 0) return next;
    const { phase, end } = spans[place];
    const isOver = this.time === end && this.on.isSeen(phase);
    return Math.min(next, isOver ? (spans[place + 1]?.end ?? next) : end);
  }

  /** @param {number} now milliseconds */
  tick(now) {
    this.goOn();
    const passed = Math.max(0, Math.min(LONGEST_FRAME, (now - this.last) / 1000));
    this.last = now;
    if (!this.story || !this.on.isReady()) return;
    this.time = this.after(passed * this.speed);
    const isToEnd = this.until === Infinity;
    const isOver = isToEnd ? this.time >= this.story.seconds && this.on.isSeen("text") : this.time === this.until;
    if (isOver && isToEnd) {
      this.time = Infinity; // `over` draws the next step: the finished one is not shown in between, as its path is the root by then
    } else if (this.scene) {
      this.on.scene(this.scene);
    }
    if (isOver) this.on.over();
  }
}

/**
 * @param {(now: number) => void} run
 * @returns {() => void} it will not be run then.
 */
function inFrame(run) {
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}

/**
 * In the first frame after some time.
 *
 * @param {(now: number) => void} run
 * @param {number} milliseconds
 * @returns {() => void} it will not be run then.
 */
function later(run, milliseconds) {
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => (cancel = inFrame(run)), milliseconds);
  return () => cancel();
}
