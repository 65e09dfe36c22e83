// Drawing in step with the screen: of all that is asked for between two frames only the last is drawn.

const HIDDEN_MS = 50;

/** Calls a drawing function, once per frame at most and never while it is still at work. */
export class FrameLoop {
  /**
   * @param {() => Promise<void>} draw draws what is to be seen at that moment.
   * @param {(took: number) => number} rest milliseconds to leave at least between the begin of one drawing, which took so many until it
   *   was on the screen, and that of the next.
   */
  constructor(draw, rest) {
    this.draw = draw;
    this.rest = rest;
    this.begun = 0;
    this.took = 0;
    this.due = Infinity; // when the next drawing begins; infinite: none was asked for
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isDrawing = false;
    this.outdated = false; // something changed while a drawing was under way
  }

  /** Asks for a drawing. What is asked for when there is less to wait for is not held up by what was asked for before it. */
  request() {
    if (this.isDrawing) {
      this.outdated = true;
      return;
    }
    const now = performance.now();
    // a page in the background gets no frames and draws all the same
    const wait = Math.max(this.begun + this.rest(this.took) - now, document.hidden ? HIDDEN_MS : 0);
    if (now + wait >= this.due) return;
    clearTimeout(this.timer);
    this.due = now + wait;
    if (wait > 0) this.timer = setTimeout(() => this.soon(), wait);
    else this.soon();
  }

  /** In a frame of the browser, where there are any: what the browser has to do with a drawing comes right behind it. */
  soon() {
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

/** A message is handed on when what was changed before it has been laid out and painted. */
const shown = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
