// Drawing in step with the screen: of all that is asked for between two frames only the last is drawn.

const HIDDEN_MS = 50;

/** Calls a drawing function, once per frame at most and never while it is still at work. */
export class FrameLoop {
  /**
   * @param {() => Promise<void>} draw draws what is to be seen at that moment.
   * @param {(took: number) => number} rest milliseconds to leave at least between the begin of one drawing, which took so many, and that
   *   of the next.
   */
  constructor(draw, rest) {
    this.draw = draw;
    this.rest = rest;
    this.begun = 0;
    this.took = 0;
    this.pending = false;
    this.outdated = false; // something changed while a drawing was under way
  }

  /** Asks for a drawing. */
  request() {
    if (this.pending) {
      this.outdated = true;
      return;
    }
    this.pending = true;
    const wait = this.begun + this.rest(this.took) - performance.now();
    // a page in the background gets no frames and draws all the same
    if (document.hidden) setTimeout(() => this.frame(), Math.max(wait, HIDDEN_MS));
    else if (wait > 0) setTimeout(() => this.frame(), wait);
    else requestAnimationFrame(() => this.frame());
  }

  async frame() {
    this.outdated = false;
    this.begun = performance.now();
    try {
      await this.draw();
    } finally {
      this.took = performance.now() - this.begun;
      this.pending = false;
      if (this.outdated) this.request();
    }
  }
}
