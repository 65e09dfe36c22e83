// Position in a run: the step in view, the choice in it, and how it moves on: by hand, by playing, or by following a live run.

/** @import { Action } from "./keyboard.js" */
/** @import { Choice } from "../decision/decision.js" */
/** @import { Phase, Scene } from "../story/story.js" */
/** @import { Transport } from "./transport.js" */
/** @import { StepMessage } from "../base/types.js" */
import { Playback } from "./playback.js";
import { Playhead } from "../story/playhead.js";

const HOLD_MS = 800; // longest delay before the story of a live run plays: its models may need this processor, and most runs end before

/** Goes through the steps of a run, and through the phases of a step. */
export class Navigation {
  /**
   * @param {Transport} transport
   * @param {object} on
   * @param {() => void} on.change something else is to be drawn.
   * @param {(scene: Scene) => void} on.scene called with every scene of the story that plays.
   * @param {(step: StepMessage) => boolean} on.isReady is a step on the screen, so that its story can go on?
   * @param {(phase: Phase) => boolean} on.isSeen is this phase of it on the screen?
   */
  constructor(transport, on) {
    this.transport = transport;
    this.on = on;
    /** @type {StepMessage[]} */
    this.steps = [];
    this.index = -1; // the step in view
    /** @type {Choice | null} */
    this.choice = null; // what was chosen in it
    this.isLive = false; // more steps may come
    this.isFollowing = false; // show the newest as it comes
    this.isAsked = false; // a reader went there by hand
    this.isPlayingOn = false; // from step to step, with their stories
    this.isStillTold = false; // the run is over, and its story has played since it came in
    this.heldUntil = 0; // the story of a live run's first step stands at its beginning until then, or until the run is over
    this.playback = new Playback(() => this.beat());
    this.playhead = new Playhead({
      scene: on.scene,
      isReady: () => this.step !== undefined && on.isReady(this.step) && !this.isHeld,
      isSeen: on.isSeen,
      isLive: () => this.isLive,
      over: () => this.continueStory(),
    });
  }

  get step() {
    return /** @type {StepMessage | undefined} */ (this.steps[this.index]);
  }

  get last() {
    return this.steps.length - 1;
  }

  get isPlaying() {
    return this.playback.isOn || this.playhead.isOn || (this.isLive && this.isFollowing);
  }

  get isHeld() {
    return this.isLive && performance.now() < this.heldUntil;
  }

  /**
   * A run begins.
   *
   * @param {StepMessage[]} steps those that have come; the array grows.
   */
  begin(steps) {
    this.halt();
    this.steps = steps;
    this.index = -1;
    this.choice = null;
    this.isLive = true;
    this.isFollowing = this.transport.followsLive;
    this.playhead.open(undefined);
    if (!this.isFollowing) this.start();
  }

  /** One more step has come. */
  added() {
    if (this.isFollowing) this.show(this.last);
    else if (this.index < 0 && this.isPlaying) this.playHeld();
  }

  /** No more steps come. */
  end() {
    this.isStillTold = this.isPlayingOn;
    this.isLive = false;
    this.isFollowing = false;
  }

  /** @param {Action} action */
  press(action) {
    if (action === "play") {
      if (this.isPlaying) this.pause();
      else this.play();
      return;
    }
    this.pause();
    if (action === "nextPhase") this.goByPhase(1);
    else if (action === "previousPhase") this.goByPhase(-1);
    else this.go({ first: 0, previous: this.index - 1, next: this.index + 1, last: this.last }[action]);
  }

  // --- by itself --------------------------------------------------------------------------------------------------------------

  play() {
    const isAtEnd = this.index >= this.last && this.playhead.isFinished;
    if (isAtEnd && this.isLive) {
      this.isFollowing = this.transport.followsLive;
      if (!this.isFollowing) this.start();
    } else if (isAtEnd) {
      this.playFrom(0);
    } else {
      if (this.playhead.isFinished && !this.transport.isByStep) this.playhead.open(this.step, true);
      this.start();
    }
    this.on.change();
  }

  /** @param {number} index */
  playFrom(index) {
    this.show(index, !this.transport.isByStep);
    this.start();
  }

  /** From the first step of a live run on, in a moment. */
  playHeld() {
    this.playFrom(0);
    this.heldUntil = performance.now() + HOLD_MS;
  }

  /** Plays on from here. */
  start() {
    this.halt();
    this.playhead.until = Infinity;
    this.isPlayingOn = true;
    if (this.transport.isByStep) this.playback.start(this.transport.speed);
    else this.playhead.start(this.transport.speed);
  }

  beat() {
    if (this.index < this.last) this.show(this.index + 1);
    else if (!this.isLive) this.pause();
  }

  // The story in view is over, or the requested phase.
  continueStory() {
    if (!this.isPlayingOn) this.pause();
    else if (this.index < this.last) this.show(this.index + 1, true);
    else if (!this.isLive) this.pause();
  }

  /** The speed, or whether playing goes by whole steps, was changed. */
  changePace() {
    if (!this.playback.isOn && !this.playhead.isOn) return;
    if (this.transport.isByStep) this.playhead.open(this.step);
    const { isPlayingOn, isStillTold } = this;
    const { until } = this.playhead;
    this.start();
    Object.assign(this, { isPlayingOn, isStillTold });
    this.playhead.until = until;
    this.on.change();
  }

  /** The way to watch a live run was changed; after the run it matters as long as its story still plays. */
  changeFollowing() {
    if (!this.isLive) {
      if (this.isStillTold && this.transport.followsLive) this.go(this.last);
      return;
    }
    this.halt();
    this.isFollowing = this.transport.followsLive;
    if (this.isFollowing) this.show(this.last);
    else this.playFrom(Math.max(0, this.index));
  }

  pause() {
    this.rest();
    this.on.change();
  }

  /** Pauses without a redraw, for a picture that is about to be replaced. */
  rest() {
    this.halt();
    this.isFollowing = false;
  }

  halt() {
    this.playback.stop();
    this.playhead.stop();
    this.isPlayingOn = false;
    this.isStillTold = false;
    this.heldUntil = 0;
  }

  // --- by hand ----------------------------------------------------------------------------------------------------------------

  /**
   * Goes to a step chosen by hand and shows it finished. At the end of a live run the player follows again if the menu says so.
   *
   * @param {number} index
   */
  go(index) {
    if (!this.steps.length) return;
    this.halt();
    const nearest = Math.max(0, Math.min(index, this.last));
    this.isAsked = true;
    this.isFollowing = this.isLive && this.transport.followsLive && nearest === this.last;
    this.show(nearest);
  }

  /**
   * Plays the next phase once, or goes to the end of the previous one; past the ends of a step it goes on to the neighbouring step.
   *
   * @param {1 | -1} way
   */
  goByPhase(way) {
    const { phases, phase } = this.playhead;
    const place = phases.indexOf(phase) + way;
    if (phases[place]) {
      this.goToPhase(phases[place], way > 0);
    } else if (way < 0) {
      if (this.index > 0) this.go(this.index - 1);
    } else if (this.index < this.last) {
      this.show(this.index + 1, true);
      this.goToPhase(this.playhead.phases[0], true);
    }
  }

  /**
   * @param {Phase} phase
   * @param {boolean} inMotion from its beginning to its end; else its end is shown.
   */
  goToPhase(phase, inMotion) {
    this.halt();
    this.choice = null;
    this.isAsked = true;
    this.isFollowing = false;
    this.playhead.goTo(phase, inMotion);
    if (inMotion) this.playhead.start(this.transport.speed);
    this.on.change();
  }

  /** @param {Choice} choice */
  choose(choice) {
    this.pause();
    this.isAsked = true;
    this.playhead.open(this.step);
    this.choice = choice;
    this.on.change();
  }

  /**
   * @param {number} index
   * @param {boolean} fromTheBeginning of its story; else it is finished.
   */
  show(index, fromTheBeginning = false) {
    this.index = index;
    this.choice = null;
    this.playhead.open(this.step, fromTheBeginning);
    this.on.change();
  }

  /**
   * Opens a linked view.
   *
   * @param {number} index
   * @param {Choice | null} choice
   */
  open(index, choice) {
    this.halt();
    this.isFollowing = false;
    this.show(index);
    this.choice = choice;
  }
}
