// The board of the Compare tab: one scrubber for all players, the strips, the table and the plot. Its position is the number of target
// calls made; a method that has finished stays at its end.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { around, bringUp, find, hear, turnOff } from "../base/dom.js";
import { lifetimeOf } from "../base/lifetime.js";
import { CurrentRun } from "../core/current_run.js";
import { listen, takeKeys } from "../core/keyboard.js";
import { Playback } from "../core/playback.js";
import { DifferenceMarks } from "./difference_marks.js";
import { showRecorded } from "./recorded.js";
import { Results } from "./results.js";
import { Strips } from "./strips.js";

/**
 * Starts the board; the component (visual/ui/compare_board.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Compare.BoardKit} kit
 * @param {{ value: string }} props the component's; `value` is the newest message.
 * @param {(name: "value", changed: () => void) => void} watch
 */
export function mount(element, kit, props, watch) {
  const board = new Board(element, kit);
  watch("value", () => board.receive(props.value));
  board.receive(props.value);
  void showRecorded(board, kit.recorded);
}

export class Board {
  /** @param {HTMLElement} element @param {T.Compare.BoardKit} kit */
  constructor(element, kit) {
    this.board = find(element, ".ersd-board");
    const id = this.board.dataset.board ?? "";
    this.host = document.getElementById(id) ?? element; // carries data-state, data-step, data-steps
    // touching anything in it gives it the keys, also a player
    this.root = /** @type {HTMLElement} */ (this.host.closest(".comparison") ?? this.host);
    this.announcer = new Announcer(find(this.board, ".ersd-announcer"));
    this.status = find(this.board, ".ersd-status");
    this.where = find(this.board, ".ersd-where");
    this.headline = find(this.board, ".ersd-compare-headline");
    this.scrubber = /** @type {HTMLInputElement} */ (find(this.board, ".ersd-scrubber"));
    this.speed = /** @type {HTMLSelectElement} */ (find(this.board, "select"));
    /** @type {T.Compare.Lane[]} */
    this.lanes = [];
    this.run = new CurrentRun();
    this.position = 0; // target calls made
    this.isFollowing = true;
    this.strips = new Strips(find(this.board, ".ersd-strips"), (call) => this.goByHand(call));
    const ended = lifetimeOf(this.board);
    this.results = new Results(id, kit, ended);
    this.marks = new DifferenceMarks(id, ended);
    this.playback = new Playback(() => this.beat());
    this.listen(ended);
    this.draw();
  }

  /** @param {AbortSignal} ended */
  listen(ended) {
    hear(this.host, "ersd-ask", () => this.awaitRun(), ended);
    hear(this.host, "ersd-told", (messages) => this.receive(messages), ended);
    hear(this.root, "ersd-went", ({ step }) => this.goByHand(step), ended);
    ended.addEventListener("abort", () => this.playback.stop());
    this.scrubber.addEventListener("input", () => this.goByHand(Number(this.scrubber.value)));
    this.speed.addEventListener("change", () => this.playback.isOn && this.playback.start(Number(this.speed.value)));
    this.board.addEventListener("click", (event) => {
      const button = around(event, "[data-go]");
      if (button) this.press(/** @type {T.Action} */ (button.dataset.go));
    });
    listen(this, ended);
  }

  /** Target calls of the method with the most of them; the keys use `steps`. */
  get calls() {
    return Math.max(0, ...this.lanes.map(({ counts }) => counts.length));
  }

  get steps() {
    return Array.from({ length: this.calls });
  }

  /** The players that are mounted. */
  get players() {
    return /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll(".led")].flatMap((player) => player.closest("[data-state]") ?? []));
  }

  // --- going from call to call ------------------------------------------------------------------------------------------------

  /** @param {T.Action} action */
  press(action) {
    if (action === "play") {
      if (this.isPlaying) this.pause();
      else this.play();
      return;
    }
    const { position, calls } = this;
    const [previous, next] = [position - 1, position + 1]; // by phase too: a presenter's remote has no other keys
    this.goByHand({ first: 1, previous, next, previousPhase: previous, nextPhase: next, last: calls }[action]);
  }

  get isPlaying() {
    return this.playback.isOn || (this.run.isRunning && this.isFollowing);
  }

  play() {
    if (this.position >= this.calls && this.run.isRunning) {
      this.isFollowing = true;
    } else {
      if (this.position >= this.calls) this.go(1);
      this.playback.start(Number(this.speed.value));
    }
    this.mark();
  }

  beat() {
    if (document.hidden || !this.board.offsetParent) return; // nobody sees it, and the models may need the processor
    if (this.position < this.calls) this.go(this.position + 1);
    else if (!this.run.isRunning) this.pause();
  }

  pause() {
    this.playback.stop();
    this.isFollowing = false;
    this.mark();
  }

  /** @param {number} call */
  goByHand(call) {
    this.pause();
    this.go(call);
    this.isFollowing = this.run.isRunning && this.position === this.calls;
    this.mark();
  }

  /** @param {number} call */
  go(call) {
    if (!this.calls) return;
    this.position = Math.max(1, Math.min(call, this.calls));
    const detail = { step: this.position };
    for (const player of this.players) player.dispatchEvent(new CustomEvent("ersd-go", { detail }));
    this.draw();
  }

  // --- messages ---------------------------------------------------------------------------------------------------------------

  /** @param {string} value messages, one on a line; may be empty. */
  receive(value) {
    for (const line of value ? value.split("\n") : []) this.take(JSON.parse(line));
  }

  /** @param {T.Compare.BoardMessage} message */
  take(message) {
    if (!this.run.accepts(message)) return;
    if (message.type === "begin") this.begin(message);
    else if (message.type === "recording") this.record(message);
    else if (message.type === "more") this.more(message);
    else if (message.type === "end") this.finish("done", message.words);
    else if (message.type === "status") this.say(message.words, "busy");
    else if (message.type === "error" || message.type === "lost") this.finish("error", message.words);
    else if (message.type === "stopped") this.finish("stopped", this.whereStopped());
  }

  /** Has nothing been shown or requested yet? */
  get isFresh() {
    return this.run.state === "idle" && !this.lanes.length;
  }

  /** @param {T.Compare.CompareRecording} recording shown at its end, with the whole texts. */
  record({ messages, words }) {
    for (const message of messages) {
      if (message.type === "begin") this.begin(message);
      else this.take(message);
    }
    this.run.state = "idle";
    this.say(words);
    this.go(this.calls);
  }

  whereStopped() {
    return this.run.isAwaited ? "Stopped before the first call." : `Stopped after call ${this.calls}.`;
  }

  awaitRun() {
    this.playback.stop();
    this.run.ask();
    this.say("Starting …", "busy");
    bringUp(this.board);
    this.host.dataset.state = this.run.state;
    this.mark();
  }

  /** @param {T.Compare.CompareBegin} message */
  begin(message) {
    const { run, lanes } = message;
    this.playback.stop();
    this.run.begin({ run });
    this.isFollowing = true;
    this.position = 0;
    this.lanes = lanes.map(({ name, exact }) => ({ name, exact, counts: [], own: [], row: null, text: null }));
    this.root.dataset.lanes = String(lanes.length);
    this.strips.begin(lanes);
    this.results.begin(message);
    this.marks.begin();
    this.headline.textContent = "";
    this.say("Reading the prompt …", "busy");
    takeKeys(this);
    this.draw();
  }

  /** @param {T.Compare.CompareMore} message */
  more(message) {
    message.lanes.forEach(({ counts, own, row, text }, place) => {
      this.lanes[place].counts.push(...counts);
      this.lanes[place].own.push(...own);
      Object.assign(this.lanes[place], { row, text });
    });
    this.strips.update(this.lanes);
    this.results.update(this.lanes);
    this.marks.update(this.lanes);
    this.headline.textContent = message.headline;
    this.say(`Generating: call ${this.calls} …`, "busy");
    // players follow a live run by themselves; what they are sent may come later than this
    if (this.isFollowing) this.position = this.calls;
    this.draw();
  }

  /** @param {T.RunStatus} state @param {string} words */
  finish(state, words) {
    this.run.finish(state);
    this.isFollowing = false;
    this.say(words, state === "error" ? "error" : "");
    this.draw();
  }

  /** @param {string} words @param {"" | "busy" | "error"} [mood] */
  say(words, mood = "") {
    this.status.textContent = words;
    this.status.dataset.kind = mood;
    if (mood !== "busy") this.announcer.say(words);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------------

  draw() {
    const { calls, position } = this;
    this.host.dataset.state = this.run.state;
    this.host.dataset.step = String(position);
    this.host.dataset.steps = String(calls);
    this.scrubber.max = String(Math.max(1, calls));
    this.scrubber.value = String(Math.max(1, position));
    this.where.textContent = calls ? `call ${position} / ${calls}` : "";
    this.strips.draw(position);
    this.results.draw(position);
    this.mark();
  }

  mark() {
    this.host.toggleAttribute("data-awaited", this.run.isAwaited);
    const { calls, position } = this;
    this.board.classList.toggle("playing", this.isPlaying);
    const play = find(this.board, "[data-go=play]");
    play.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    const isOff = { first: position <= 1, previous: position <= 1, play: false, next: position >= calls, last: position >= calls };
    this.scrubber.disabled = !calls;
    for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (this.board.querySelectorAll("[data-go]")))
      turnOff(button, !calls || isOff[/** @type {keyof typeof isOff} */ (button.dataset.go)], play);
  }
}
