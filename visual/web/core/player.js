// The player: keeps the messages of a run and shows one step at a time, without the server. One instance per element; players share
// nothing but the keys.

/** @import * as T from "../types" */
import { find, prefersStill } from "../base/dom.js";
import { RunFiles } from "../files/files.js";
import { LinkedView, firstView } from "./first_view.js";
import { listen, takeKeys } from "./keyboard.js";
import { kitOfPage } from "../base/kit.js";
import { lifetimeOf } from "../base/lifetime.js";
import { mountPart, partOf } from "../base/parts.js";
import { Panels } from "./panels.js";
import { PictureSwitch, Pictures } from "./pictures.js";
import { Session } from "./session.js";
import { SettingsMatch } from "./settings_match.js";
import { isAction } from "./state.js";
import { Transport } from "./transport.js";
import { sameVisit, viewOf } from "./view.js";
import { listenInTree } from "../tree/tree_keys.js";

/**
 * Starts a player: the entry of the page (visual/ui/player.py), of saved files and of notebooks (files/saved_run.js).
 * @param {object} given
 * @param {HTMLElement} given.element that has the player's HTML.
 * @param {string} [given.trace] a whole run, as the message `recording`.
 * @param {{ props: { value: string }, watch: (name: "value", changed: () => void) => void }} [given.stream] messages as they come: a Gradio
 *   component, whose `value` is the newest.
 */
export function render({ element, trace = "", stream }) {
  const player = new Player(element, kitOfPage());
  const { receive } = player.part;
  stream?.watch("value", () => receive(stream.props.value));
  receive(stream ? stream.props.value : trace);
  mountPart(player.host, player.part, player.ended);
}

class Player {
  /** @param {HTMLElement} element @param {T.Kit} kit */
  constructor(element, kit) {
    this.root = find(element, ".ersd-player");
    this.host = document.getElementById(this.root.dataset.player ?? "") ?? element;
    this.host.dataset.steps = "0";
    const ended = (this.ended = lifetimeOf(this.root));
    /** @type {T.StepMessage[]} */
    this.steps = []; // received so far
    /** @type {T.BeginMessage | undefined} */
    this.first = undefined;
    /** @type {T.EndMessage | undefined} */
    this.last = undefined; // once the run has come to its end
    this.drawnKey = ""; // what was requested to be drawn last
    this.isLed = this.root.classList.contains("led"); // the board has the keys and sends the step to show
    const on = { step: this.moveByUser.bind(this), choice: this.choose.bind(this), redraw: this.redraw.bind(this) };
    this.pictures = new Pictures(this.root, kit, { ...on, resize: () => this.panels.scroll() }, ended);
    this.switch = new PictureSwitch(this.root);
    const more = {
      phase: (/** @type {T.Phase} */ phase) => this.dispatch({ type: "phase", phase, inMotion: !prefersStill() }),
      pause: () => this.dispatch({ type: "rest" }),
      pick: (/** @type {number | null} */ stage) => this.pictures.decision.pick(stage),
      run: (/** @type {() => void} */ done) => this.pictures.decision.run(done),
    };
    this.panels = new Panels(this.root, kit, { ...on, ...more }, ended);
    this.transport = new Transport(this.root, {
      press: this.press.bind(this),
      pace: () => this.dispatch({ type: "pace" }),
      follow: () => this.dispatch({ type: "follow" }),
    });
    if (this.isLed) this.transport.follow.value = "live"; // led players show the newest step
    /** @type {Session} */
    this.session = new Session(this, this.root, ended);
    const { altText } = this.panels;
    this.match = new SettingsMatch(this.host, find(this.root, ".ersd-stale"), () => this.dispatch({ type: "cleared" }), altText);
    this.linked = new LinkedView();
    /** @type {T.PlayerPart} */
    this.part = {
      receive: (messages) => this.session.receive(messages),
      requested: (stop) => {
        this.dispatch({ type: "requested", stop });
        altText.announce("Generating …");
      },
      go: (step) => this.go(step - 1),
      play: () => this.dispatch({ type: "tell" }),
      open: (link) => (this.linked.wanted = link),
      compare: (values) => this.match.compare(values),
      view: () => this.pictures.view,
    };
    new RunFiles(this.root, this, { show: this.part.receive, settle: () => this.settle() });
    if (!this.isLed) listen(this, ended);
    listenInTree(find(this.root, ".ersd-tree"), this);
    this.mark();
  }

  /** @returns {number} */
  get index() {
    return this.session.position.index;
  }

  get speed() {
    return this.transport.speed;
  }

  get inView() {
    const { steps, transport, host } = this;
    const step = steps[this.index];
    const seen = step && this.pictures.isDrawn(step) ? /** @type {T.Phase} */ (host.dataset.phase ?? "text") : null;
    return { steps, followsLive: transport.followsLive, skipsPhases: transport.skipsPhases, seen };
  }

  /** @param {T.SessionEvent} event */
  dispatch(event) {
    this.session.dispatch(event);
  }

  /** Puts the step in view on the screen as it is at its end, whatever plays. */
  async settle() {
    const { time, redrawAt } = this.session.position;
    if (time !== Infinity || redrawAt) this.go(this.index);
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

  /** Goes to a step chosen in this player; others of a comparison go with it. @param {number} index */
  moveByUser(index) {
    this.go(index);
    /** @type {T.SteppedPart | undefined} */ (partOf(this.host.closest(".comparison")))?.go(index + 1);
  }

  /** @param {T.Choice} choice */
  choose(choice) {
    this.switch.show("decision"); // where there is room for one of them
    this.dispatch({ type: "choose", choice });
  }

  /** Shows the step in view as it would be; null: as it was. @param {T.RedrawAt | null} redrawAt */
  redraw(redrawAt) {
    const before = this.view();
    this.dispatch({ type: "redraw", redrawAt, choice: null });
    this.dispatch({ type: "redraw", redrawAt, choice: sameVisit(before, this.view()) });
  }

  // --- what the session shows -------------------------------------------------------------------------------------------------

  /** @param {T.BeginMessage} message */
  begin(message) {
    if (this.session.isRunning && !this.isLed) takeKeys(this);
    Object.assign(this, { first: message, last: undefined, steps: [] });
    this.host.dataset.steps = "0";
    this.match.begin(message);
    this.panels.begin(message, this.steps);
    this.pictures.begin(this.steps);
    this.say("Reading the prompt …", "busy");
  }

  /** @param {T.StepMessage} step */
  add(step) {
    this.steps.push(step);
    this.host.dataset.steps = String(this.steps.length);
    this.say(`Generating: step ${this.steps.length} …`, "busy");
    const linked = this.linked.at(this.steps);
    if (linked) this.dispatch({ type: "open", ...linked });
  }

  /** @param {T.RunStatus} status @param {string} words @param {T.EndMessage | T.ErrorMessage} message */
  finish(status, words, message) {
    this.last = message.type === "end" ? message : undefined;
    this.match.fail(message.type === "error" ? message.field : "");
    this.pictures.finish();
    this.panels.finish(words, status === "error" ? "error" : "", this.last);
  }

  /** @param {T.RecordingMessage} recording */
  record({ view }) {
    this.dispatch({ type: "open", ...firstView(this.steps, view) });
  }

  /** @param {boolean} isAwaited */
  whereStopped(isAwaited) {
    return isAwaited ? "Stopped before the first step." : `Stopped after step ${this.steps.length}.`;
  }

  /** @param {string} words @param {"" | "busy" | "error"} [mood] */
  say(words, mood) {
    this.panels.say(words, mood);
  }

  /** @param {T.Event} event */
  moved(event) {
    if (isAction(event)) this.part.onAct?.();
    if (event.type === "tick") this.move();
  }

  // --- drawing ----------------------------------------------------------------------------------------------------------------

  async draw() {
    const { index, choice, byHand } = this.session.position;
    const view = this.view();
    if (view) {
      this.panels.draw(view);
      if (byHand) {
        this.panels.announce();
        this.dispatch({ type: "announced" });
      }
      await this.pictures.draw(view);
      this.panels.scroll();
      this.host.dataset.phase = view.scene.phase;
    }
    // a link names nodes of the run
    if (choice && !choice.about && !view?.redrawn) this.host.dataset.vertex = String(choice.vertex);
    else delete this.host.dataset.vertex;
    this.host.dataset.step = String(index + 1);
    this.mark();
  }

  /** @returns {T.View | null} null: there is nothing to draw. */
  view() {
    return viewOf(this.session.position, this.steps, this.panels.redraw);
  }

  /** Moves what moves in a scene; other changes of pictures and texts are drawn with the next frame. */
  move() {
    const view = this.view();
    if (!view) return;
    this.pictures.move(view.story, view.scene);
    this.panels.move(view.story, view.scene);
    const { phase, calls, visit, settled, tries, trying } = view.scene;
    const key = [view.index, this.session.position.mode, phase, calls, visit, settled, tries, trying].join();
    if (key !== this.drawnKey) this.session.request();
    this.drawnKey = key;
  }

  mark() {
    this.transport.mark(this.index, this.steps.length, this.session.isPlaying);
  }
}
