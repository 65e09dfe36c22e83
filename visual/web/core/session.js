// The run that a player, the board or the curves show, and the position in it. All that happens to either goes through `dispatch`: messages,
// the request for a run, and what a reader does.

/** @import * as T from "../types" */
import { bringUp } from "../base/dom.js";
import { FrameLoop, restAfter } from "../plot/frame_loop.js";
import { Clock } from "./clock.js";
import { ENDS, NO_RUN, concerns, requestedAfter, runAfter } from "./current_run.js";
import { INITIAL, reduce } from "./state.js";

/**
 * @typedef {object} Display what shows the run
 * @property {HTMLElement} host carries data-state and data-awaited
 * @property {Omit<T.Run, "isLive">} inView what the next position depends on
 * @property {number} [speed] of playback: 2 is twice as fast as 1
 * @property {boolean} [isLed] led by another part of the page
 * @property {(message: any) => void} begin
 * @property {(message: any) => void} add
 * @property {(status: T.RunStatus, words: string, message: any) => void} finish
 * @property {(recording: any) => void} [record] a recorded run was received, and is over
 * @property {(isAwaited: boolean) => string} whereStopped
 * @property {(words: string, mood?: "" | "busy" | "error") => void} say in its status line
 * @property {(event: T.Event) => void} [moved] the position may be another
 * @property {() => void | Promise<void>} draw
 *
 * @typedef {T.RecordingMessage | T.Compare.CompareRecording} AnyRecording
 * @typedef {Exclude<T.Message | T.Compare.BoardMessage | T.Curves.CurvesMessage, AnyRecording>} AnyMessage
 * @typedef {{ type: "requested", stop: () => void } | { type: "cleared" } | AnyRecording | AnyMessage | T.Event} SessionEvent
 */

/** @type {Set<string>} */
const CONTENT = new Set(["step", "more", "lines", "points"]);

/** @param {SessionEvent} event @returns {event is AnyMessage} */
const isMessage = (event) => CONTENT.has(event.type) || event.type in ENDS || event.type === "begin" || event.type === "status";

export class Session {
  /** @param {Display} display @param {HTMLElement} root the element that is to be in sight. @param {AbortSignal} ended */
  constructor(display, root, ended) {
    this.display = display;
    this.root = root;
    this.bench = display.host.closest(".workbench"); // for the buttons of the form: a :has() in the style sheet would search the whole page
    /** @type {T.CurrentRun} */
    this.run = NO_RUN;
    /** @type {T.State} */
    this.position = INITIAL;
    this.stop = () => {}; // on the server
    this.frames = new FrameLoop(
      () => this.draw(),
      (took) => restAfter(took, this.position.mode === "following" && this.position.index >= 0, Boolean(display.isLed)),
    );
    const tick = (/** @type {number} */ seconds) => this.dispatch({ type: "tick", seconds: seconds * (display.speed ?? 1) });
    this.clock = new Clock(root, tick, () => this.isRunning, ended);
  }

  get isRunning() {
    return this.run.status === "running";
  }

  get isPlaying() {
    return this.position.mode !== "paused";
  }

  /** @param {string} value messages, one on a line; may be empty. */
  receive(value) {
    for (const line of value ? value.split("\n") : []) this.dispatch(JSON.parse(line));
    this.request();
  }

  /** @param {SessionEvent} event */
  dispatch(event) {
    if (event.type === "recording") this.record(event);
    else if (event.type === "requested") this.awaitRun(event.stop);
    else if (event.type === "cleared") this.clearError();
    else if (!isMessage(event)) this.move(event);
    else {
      const { run } = this;
      this.run = runAfter(run, event);
      if (concerns(run, event)) this.take(event, run.isAwaited);
    }
  }

  /** @param {T.AnyMessage} message of this run. @param {boolean} isAwaited was it? */
  take(message, isAwaited = false) {
    const { display } = this;
    if (message.type === "begin") {
      this.move({ type: "begin" });
      display.begin(message);
    } else if (message.type === "status") display.say(message.words, "busy");
    else if (message.type in ENDS) {
      this.move({ type: "ended" });
      const words = message.type === "stopped" ? display.whereStopped(isAwaited) : /** @type {{ words: string }} */ (message).words;
      display.finish(ENDS[message.type], words, message);
    } else {
      display.add(message);
      this.move({ type: "added" });
    }
  }

  /** @param {T.AnyRecording} recording */
  record(recording) {
    const { messages, words } = recording;
    if (this.isRunning) this.stop();
    this.dispatch({ type: "stopped" }); // where nothing goes on at a server
    const [{ run: name }] = /** @type {{ run?: string }[]} */ (messages);
    this.run = { ...this.run, status: "idle", name };
    for (const message of messages) this.take(message);
    this.display.record?.(recording);
    this.display.say(words);
  }

  /** @param {() => void} stop ends it on the server. */
  awaitRun(stop) {
    this.stop = stop;
    this.run = requestedAfter(this.run);
    this.move({ type: "rest" });
    this.display.say("Starting …", "busy");
    if (!this.display.isLed) bringUp(this.root);
    this.markAwaited();
  }

  // The field at fault was changed.
  clearError() {
    if (this.run.status !== "error") return;
    this.run = { ...this.run, status: "idle" };
    this.display.say("");
    this.request();
  }

  /** @param {T.Event} event */
  move(event) {
    this.position = reduce(this.position, event, { ...this.display.inView, isLive: this.isRunning });
    this.clock.run(this.position.mode === "playing" || this.position.mode === "phase");
    this.display.moved?.(event);
    if (event.type !== "tick" && event.type !== "announced") this.request();
  }

  // --- drawing: once a frame ---------------------------------------------------------------------------------------------------

  request() {
    this.display.host.dataset.state = this.run.status;
    this.bench?.toggleAttribute("data-running", this.isRunning);
    this.frames.request();
  }

  async draw() {
    await this.display.draw();
    this.markAwaited();
  }

  // Until something of it is on the screen.
  markAwaited() {
    this.display.host.toggleAttribute("data-awaited", this.run.isAwaited);
  }
}
