// The player: keeps the messages of a run and shows one step at a time, without the server. One instance per element; players share
// nothing but the keys.

/** @import * as T from "../types" */
import { bringUp, find, hear, prefersStill } from "../base/dom.js";
import { RunFiles } from "./files.js";
import { firstView } from "./first_view.js";
import { FrameLoop, restAfter } from "../base/frame_loop.js";
import { Clock } from "./clock.js";
import { DataAttributes } from "./data_attributes.js";
import { listen, takeKeys } from "./keyboard.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { LinkedView } from "./linked_view.js";
import { TextPanels } from "./text_panels.js";
import { Pictures } from "./pictures.js";
import { PictureSwitch } from "./picture_switch.js";
import { SettingsMatch } from "./settings_match.js";
import { RunState } from "./run_state.js";
import { INITIAL, isAction, reduce } from "./state.js";
import { Transport } from "./transport.js";
import { sameVisit, viewOf } from "./view.js";
import { listenInTree } from "../tree/tree_keys.js";

/**
 * Starts a player: the entry of the page (visual/ui/player.py), of saved files and of notebooks (visual/export/start.js).
 * @param {object} given
 * @param {HTMLElement} given.element that has the player's HTML.
 * @param {string} [given.trace] a whole run, as the message `recording`.
 * @param {{ props: { value: string }, watch: (name: "value", changed: () => void) => void }} [given.stream] messages as they come: a Gradio
 *   component, whose `value` is the newest.
 */
export function render({ element, trace = "", stream }) {
  const player = new Player(element, kitOfPage());
  stream?.watch("value", () => player.receive(stream.props.value));
  player.receive(stream ? stream.props.value : trace);
}

class Player {
  /** @param {HTMLElement} element @param {T.Kit} kit */
  constructor(element, kit) {
    this.kit = kit;
    this.root = find(element, ".ersd-player");
    this.host = document.getElementById(this.root.dataset.player ?? "") ?? element;
    this.marks = new DataAttributes(this.host);
    this.run = new RunState();
    const ended = lifetimeOf(this.root);
    /** @type {T.State} */
    this.state = INITIAL;
    this.drawnKey = ""; // what was requested to be drawn last
    this.isLed = this.root.classList.contains("led"); // the board has the keys and sends the step to show
    const on = { step: this.moveByUser.bind(this), choice: this.choose.bind(this), redraw: this.redraw.bind(this) };
    this.pictures = new Pictures(this.root, kit, { ...on, resize: () => this.panels.resize() }, ended);
    this.switch = new PictureSwitch(this.root);
    const more = {
      phase: (/** @type {T.Phase} */ phase) => this.dispatch({ type: "phase", phase, inMotion: !prefersStill() }),
      pause: () => this.dispatch({ type: "rest" }),
      pick: (/** @type {number | null} */ stage) => this.pictures.decision.pick(stage),
      run: (/** @type {() => void} */ done) => this.pictures.decision.run(done),
    };
    this.panels = new TextPanels(this.root, kit, { ...on, ...more }, ended);
    this.transport = new Transport(this.root, {
      press: this.press.bind(this),
      pace: () => this.dispatch({ type: "pace" }),
      follow: () => this.dispatch({ type: "follow" }),
    });
    if (this.isLed) this.transport.follow.value = "live"; // led players show the newest step
    this.frames = new FrameLoop(this.draw.bind(this), (took) => restAfter(took, this.state.mode === "following", this.isLed));
    const tick = (/** @type {number} */ seconds) => this.dispatch({ type: "tick", seconds: seconds * this.transport.speed });
    this.clock = new Clock(this.root, tick, () => this.run.isRunning, ended);
    this.match = new SettingsMatch(this.host, find(this.root, ".ersd-stale"), () => this.clearError(), this.panels.altText, ended);
    new RunFiles(this.root, this.run, { show: (messages) => this.receive(messages), settle: () => this.settle() });
    this.linked = new LinkedView(this.host, () => this.pictures.view, ended);
    if (!this.isLed) listen(this, ended);
    listenInTree(find(this.root, ".ersd-tree"), this);
    hear(this.host, "ersd-ask", () => this.awaitRun(), ended); // when the page requests a run, so that the wait is visible
    hear(this.host, "ersd-told", (messages) => this.receive(messages), ended); // that the page makes itself: stopped, errors, recorded runs
    hear(this.host, "ersd-tell", () => this.dispatch({ type: "tell" }), ended);
    hear(this.host, "ersd-go", ({ step }) => this.go(step - 1), ended);
    this.mark();
  }

  get steps() {
    return this.run.steps;
  }

  get index() {
    return this.state.index;
  }

  /** @returns {T.Run} */
  get runInView() {
    const { steps, transport } = this;
    const step = steps[this.index];
    const seen = step && this.pictures.isDrawn(step) ? this.marks.phase : null;
    return { steps, isLive: this.run.isRunning, followsLive: transport.followsLive, skipsPhases: transport.skipsPhases, seen };
  }

  /** All that happens to the view goes through here. @param {T.Event} event */
  dispatch(event) {
    if (isAction(event)) this.host.dispatchEvent(new Event("ersd-acted"));
    this.state = reduce(this.state, event, this.runInView);
    this.clock.run(this.state.mode === "playing" || this.state.mode === "phase");
    if (event.type === "tick") this.move();
    else this.request();
  }

  /** Puts the step in view on the screen as it is at its end, whatever plays. */
  async settle() {
    if (this.state.time !== Infinity || this.state.whatIf) this.go(this.index);
    this.pictures.settle();
    await this.draw();
  }

  /** @param {T.Action} action */
  press(action) {
    this.dispatch({ type: "press", action });
  }

  /** @param {number} index */
  go(index) {
    this.dispatch({ type: "go", index });
  }

  /** Goes to a step chosen in this player, and reports it to the page. @param {number} index */
  moveByUser(index) {
    this.go(index);
    this.host.dispatchEvent(new CustomEvent("ersd-went", { detail: { step: index + 1 } }));
  }

  /** @param {T.Choice} choice */
  choose(choice) {
    this.switch.show("race"); // where there is room for one of them
    this.dispatch({ type: "choose", choice });
  }

  /** Shows the step in view as it would be; null: as it was. @param {T.WhatIf | null} whatIf */
  redraw(whatIf) {
    const before = this.view();
    this.dispatch({ type: "redraw", whatIf, choice: null });
    this.dispatch({ type: "redraw", whatIf, choice: sameVisit(before, this.view()) });
  }

  // --- messages ---------------------------------------------------------------------------------------------------------------

  /** @param {string} value messages, one on a line; may be empty. */
  receive(value) {
    for (const line of value ? value.split("\n") : []) {
      /** @type {T.Message} */
      const message = JSON.parse(line);
      this.take(message);
      if (message.type === "begin" && !this.isLed) takeKeys(this);
    }
    this.request();
  }

  /** @param {T.Message} message */
  take(message) {
    if (!this.run.accepts(message)) return;
    if (message.type === "begin") this.begin(message);
    else if (message.type === "step") this.add(message);
    else if (message.type === "end") this.finish("done", message.words, "", message);
    else if (message.type === "status") this.panels.say(message.words, "busy");
    else if (message.type === "error") this.finish("error", message.words, message.field);
    else if (message.type === "lost") this.finish("error", message.words);
    else if (message.type === "stopped") this.stop();
    else if (message.type === "recording") this.record(message);
  }

  /** @param {T.RecordingMessage} recording */
  record({ messages, words, view }) {
    this.leave();
    for (const message of messages) {
      if (message.type === "begin") this.begin(message);
      else this.take(message);
    }
    this.run.state = "idle";
    const { index, choice } = firstView(this.steps, view);
    this.dispatch({ type: "open", index, choice });
    this.panels.say(words);
  }

  /** Ends a run that goes on: the page stops it on the server too (page/stop_button.js). */
  leave() {
    if (this.run.isRunning) this.host.dispatchEvent(new Event("ersd-left", { bubbles: true }));
    this.stop();
  }

  awaitRun() {
    this.dispatch({ type: "rest" });
    this.run.ask();
    this.panels.say("Starting …", "busy");
    this.panels.altText.announce("Generating …");
    if (!this.isLed) bringUp(this.root);
    // only the state: a drawing now would delay the answer
    this.marks.setRun(this.run);
    this.mark();
  }

  /** @param {T.BeginMessage} message */
  begin(message) {
    this.run.begin(message);
    this.dispatch({ type: "begin" });
    this.match.begin(message);
    this.panels.begin(message);
    this.pictures.begin();
    this.panels.say("Reading the prompt …", "busy");
  }

  /** @param {T.StepMessage} step */
  add(step) {
    this.steps.push(step);
    this.panels.add(step);
    this.pictures.add(step);
    this.panels.say(`Generating: step ${this.steps.length} …`, "busy");
    const linked = this.linked.at(this.steps);
    this.dispatch(linked ? { type: "open", ...linked } : { type: "added" });
  }

  stop() {
    if (!this.run.isRunning) return;
    this.finish("stopped", this.run.isAwaited ? "Stopped before the first step." : `Stopped after step ${this.steps.length}.`);
  }

  // The field at fault was changed.
  clearError() {
    if (this.run.state !== "error") return;
    this.run.state = "idle";
    this.panels.say("");
    this.request();
  }

  /**
   * @param {T.RunStatus} state
   * @param {string} words
   * @param {string} [fault] the field an error is about.
   * @param {T.EndMessage} [message] of a run that came to its end.
   */
  finish(state, words, fault = "", message = undefined) {
    this.match.fail(fault);
    this.run.finish(state, message);
    this.dispatch({ type: "ended" });
    this.pictures.finish();
    this.panels.finish(words, state === "error" ? "error" : "", message);
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------------

  request() {
    this.marks.setRun(this.run);
    this.marks.setSteps(this.steps.length);
    this.frames.request();
  }

  async draw() {
    const { index, choice, byHand } = this.state;
    const view = this.view();
    if (view) {
      this.panels.draw(view);
      if (byHand) this.panels.announce();
      this.state = { ...this.state, byHand: false };
      await this.pictures.draw(view);
      this.panels.scroll();
    }
    this.marks.setView(index, view?.redrawn ? null : choice, view?.scene.phase); // a link names nodes of the run
    this.mark();
  }

  /** @returns {T.View | null} null: there is nothing to draw. */
  view() {
    return viewOf(this.state, this.steps, this.panels.redraw);
  }

  /** Moves what moves in a scene; other changes of pictures and texts are drawn with the next frame. */
  move() {
    const view = this.view();
    if (!view) return;
    this.pictures.move(view.story, view.scene);
    this.panels.move(view.story, view.scene);
    const { phase, calls, visit, settled, tries, trying } = view.scene;
    const key = [view.index, this.state.mode, phase, calls, visit, settled, tries, trying].join();
    if (key !== this.drawnKey) this.request();
    this.drawnKey = key;
  }

  mark() {
    this.marks.setAwaited(this.run.isAwaited);
    this.transport.mark(this.index, this.steps.length, this.state.mode !== "paused");
  }
}
