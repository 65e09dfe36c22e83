// Draws at most once per frame: of several requests between two frames only the last is drawn.

const HIDDEN_MS = 1000; // between two drawings of a page that nobody sees

/** Calls a drawing function at most once per frame, and never while it is still running. */
export class FrameLoop {
  /**
   * @param {() => Promise<void>} draw draws the current state.
   * @param {(took: number) => number} rest least milliseconds between the starts of two drawings, given how long the last one took.
   */
  constructor(draw, rest) {
    this.draw = draw;
    this.rest = rest;
    this.begun = 0;
    this.took = 0;
    this.due = Infinity; // when the next drawing begins; infinite: none is requested
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isDrawing = false;
    this.outdated = false; // something changed while a drawing was under way
  }

  /** Requests a drawing. A request with a shorter rest is not delayed by an earlier one with a longer rest. */
  request() {
    if (this.isDrawing) {
      this.outdated = true;
      return;
    }
    const now = performance.now();
    // a page in the background gets no frames and still draws
    const wait = Math.max(this.begun + this.rest(this.took) - now, document.hidden ? HIDDEN_MS : 0);
    if (now + wait >= this.due) return;
    clearTimeout(this.timer);
    this.due = now + wait;
    if (wait > 0) this.timer = setTimeout(() => this.begin(), wait);
    else this.begin();
  }

  /** Draws in the next frame, or immediately where the browser gives none. */
  begin() {
    this.due = -Infinity;
    if (document.hidden) void this.frame();
    else requestAnimationFrame(() => this.frame());
  }

  async frame() {
    this.isDrawing = true;
    this.outdated = false;
    this.begun = performance.now();
    try {
      await this.draw();
      await shown();
    } finally {
      this.took = performance.now() - this.begun;
      this.isDrawing = false;
      this.due = Infinity;
      if (this.outdated) this.request();
    }
  }
}

/** Resolves once the changes made so far have been laid out and painted: a channel's message arrives after that. */
const shown = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

const LIVE_MS = 200; // least time between drawings while a live run is followed: the models need the processor, and the server sends as often
const LIVE_SHARE = 0.15; // largest share of the time that drawing may take then

/**
 * Least milliseconds from the start of one drawing to the next: a live run leaves the processor to the models, else there is no rest.
 * @param {number} took milliseconds, the drawing before.
 * @param {boolean} isFollowing a live run is followed.
 * @param {boolean} isOneOfMany several players share the time.
 */
export function restAfter(took, isFollowing, isOneOfMany) {
  return isFollowing ? Math.max(LIVE_MS, took / LIVE_SHARE) * (isOneOfMany ? 3 : 1) : 0;
}
