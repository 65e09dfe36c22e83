// The board of the Compare tab: one scrubber for all players, the strips, the table and the plot. Its position is the number of target
// calls made; a method that has finished stays at its end.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { find } from "../base/dom.js";
import { lifetimeOf } from "../base/lifetime.js";
import { mountPart, partOf } from "../base/parts.js";
import { listen, takeKeys } from "../core/keyboard.js";
import { Session } from "../core/session.js";
import { GoButtons } from "../core/transport.js";
import { DifferenceMarks } from "./difference_marks.js";
import { OneText } from "./one_text.js";
import { showRecorded } from "./recorded.js";
import { Results } from "./results.js";
import { Strips } from "./strips.js";

const STOPPED = JSON.stringify({ type: "stopped" });
/** @type {{ [action in T.Action]?: T.Action }} by phase too: a presenter's remote has no other keys */
const STEPWISE = { previousPhase: "previous", nextPhase: "next" };

/**
 * Starts the board; the component (visual/ui/tabs/compare_board.py) calls it.
 * @param {HTMLElement} element what Gradio made of the template.
 * @param {T.Compare.BoardKit} kit
 * @param {{ value: string }} props the component's; `value` is the newest message.
 * @param {(name: "value", changed: () => void) => void} watch
 */
export function mount(element, kit, props, watch) {
  const board = new Board(element, kit);
  const { receive } = board.part;
  watch("value", () => receive(props.value));
  receive(props.value);
  mountPart(board.host, board.part, board.ended);
  mountPart(board.root, board.part, board.ended); // its players look for it around them
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
    this.menu = /** @type {HTMLSelectElement} */ (find(this.board, "select"));
    /** @type {T.Compare.Lane[]} */
    this.lanes = [];
    this.position = 0; // target calls made, where the players are
    const pointed = find(this.board, ".ersd-pointed");
    const isFramed = () => this.session.request();
    this.text = new OneText(find(this.board, ".ersd-one-text"), pointed, (words) => this.announcer.say(words), isFramed);
    const frame = (/** @type {number} */ token) => this.text.frame(token);
    this.strips = new Strips(find(this.board, ".ersd-strips"), (call) => this.go(call), frame);
    const ended = (this.ended = lifetimeOf(this.board));
    this.results = new Results(id, kit, ended);
    this.marks = new DifferenceMarks(id, ended);
    this.session = new Session(this, this.board, ended);
    /** @type {T.SteppedPart} */
    this.part = {
      receive: (messages) => this.session.receive(messages),
      requested: (stop) => this.session.dispatch({ type: "requested", stop }),
      go: (call) => this.go(call),
    };
    this.scrubber.addEventListener("input", () => this.go(Number(this.scrubber.value)));
    this.buttons = new GoButtons(this.board, this.press.bind(this));
    listen(this, ended);
    this.draw();
  }

  /** Tokens of every target call of the method with the most of them. */
  get steps() {
    return this.lanes.map(({ counts }) => counts).reduce((one, other) => (other.length > one.length ? other : one), []);
  }

  get inView() {
    const steps = /** @type {any} */ (this.steps); // where phases are skipped, nothing looks into a step
    return { steps, followsLive: true, skipsPhases: true, seen: /** @type {T.Phase} */ ("text") };
  }

  get speed() {
    return Number(this.menu.value);
  }

  /** The players that are mounted. */
  get players() {
    return [...this.root.querySelectorAll(".led")].flatMap((player) => partOf(player.closest("[data-state]")) ?? []);
  }

  // --- going from call to call ------------------------------------------------------------------------------------------------

  /** @param {T.Action} action */
  press(action) {
    this.session.dispatch({ type: "press", action: STEPWISE[action] ?? action });
  }

  /** @param {number} call from 1 */
  go(call) {
    this.session.dispatch({ type: "go", index: call - 1 });
  }

  /** The players go with the board; a live run they follow by themselves: what they are sent may come later. @param {T.Event} event */
  moved({ type }) {
    const position = this.session.position.index + 1;
    const hasMoved = position !== this.position;
    this.position = position;
    if (type === "tick" && !this.session.isPlaying) this.session.request(); // it has come to the end
    if (!position || (type !== "go" && !(hasMoved && (type === "press" || type === "tick")))) return;
    for (const player of this.players) player.go(position);
    this.session.request();
  }

  // --- messages ---------------------------------------------------------------------------------------------------------------

  /** Has nothing been shown or requested yet? */
  get isFresh() {
    return this.session.run.status === "idle" && !this.lanes.length;
  }

  /** A recorded comparison is shown at its end, with the whole texts. */
  record() {
    this.go(this.steps.length);
  }

  /** @param {boolean} isAwaited */
  whereStopped(isAwaited) {
    return isAwaited ? "Stopped before the first call." : `Stopped after call ${this.steps.length}.`;
  }

  /** @param {T.Compare.CompareBegin} message */
  begin(message) {
    const { lanes } = message;
    if (this.session.isRunning) takeKeys(this);
    this.lanes = lanes.map(({ name, drafts }) => ({ name, drafts, counts: [], own: [], row: null, text: null }));
    this.root.dataset.lanes = String(lanes.length);
    this.root.dataset.oneText = message.one_text?.exact.kind ?? "";
    for (const player of this.players.slice(lanes.length)) player.receive(STOPPED); // it gets no run
    this.text.begin(message);
    this.results.begin(message);
    this.marks.begin();
    this.headline.textContent = "";
    this.say("Reading the prompt …", "busy");
  }

  /** @param {T.Compare.CompareMore} message */
  add(message) {
    message.lanes.forEach(({ counts, own, row, text }, place) => {
      this.lanes[place].counts.push(...counts);
      this.lanes[place].own.push(...own);
      Object.assign(this.lanes[place], { row, text });
    });
    this.text.update(message.tokens, this.lanes);
    this.results.update(this.lanes);
    this.marks.update(this.lanes);
    this.headline.textContent = message.headline;
    this.say(`Generating: call ${this.steps.length} …`, "busy");
  }

  /** @param {T.RunStatus} status @param {string} words */
  finish(status, words) {
    if (status === "done") this.text.finish();
    this.say(words, status === "error" ? "error" : "");
  }

  /** @param {string} words @param {"" | "busy" | "error"} [mood] */
  say(words, mood = "") {
    this.status.textContent = words;
    this.status.dataset.kind = mood;
    if (mood !== "busy") this.announcer.say(words);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------------

  draw() {
    const { steps, session, scrubber } = this;
    const calls = steps.length;
    const position = session.position.index + 1;
    this.host.dataset.step = String(position);
    this.host.dataset.steps = String(calls);
    scrubber.max = String(Math.max(1, calls));
    scrubber.value = String(Math.max(1, position));
    scrubber.disabled = !calls;
    this.where.textContent = calls ? `After ${position} of ${calls} calls` : "";
    this.strips.draw(this.lanes, position, this.text.framed);
    find(this.board, ".ersd-last").textContent = String(this.strips.most);
    this.results.draw(position);
    this.buttons.mark(position - 1, calls, session.isPlaying);
  }
}
