// The clock of playback by whole steps.

const BEAT_MS = 1000; // one step at speed 1

/** Beats until it is stopped. */
export class Playback {
  /** @param {() => void} beat */
  constructor(beat) {
    this.beat = beat;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  get isOn() {
    return this.timer !== undefined;
  }

  /** @param {number} speed 2 is twice as fast as 1. */
  start(speed) {
    this.stop();
    this.timer = setInterval(this.beat, BEAT_MS / speed);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
