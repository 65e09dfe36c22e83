// The player: keeps the messages of a run and draws one step at a time. Everything after a message's arrival happens here,
// without the server. One instance per element; nothing is global but the key handler's idea of which player is in use.

import { Pictures } from "./pictures.js";
import { Panels } from "./panels.js";

const BEAT_MS = 1000; // one step of playback at speed 1
const LIVE_MS = 75; // least time from one drawing to the next while a run comes in; the server sends about as often

let inUse = null; // the player that the keys act on: the one last touched, at first the first on the page

export function mount(element, kit, props, watch) {
  const player = new Player(element, kit);
  watch("value", () => player.receive(props.value));
  player.receive(props.value);
  return player;
}

class Player {
  constructor(element, kit) {
    this.root = element.querySelector(".ersd-player");
    this.host = document.getElementById(this.root.dataset.player) || element; // carries data-state, data-step, data-steps
    this.steps = [];
    this.at = -1; // the step in view
    this.follow = true; // draw the newest as it comes
    this.state = "idle";
    this.timer = null;
    this.pending = false;
    this.drawnAt = 0;
    this.begun = null;
    this.ownVertex = null; // the vertex clicked, null: where the walk ended
    this.panels = new Panels(this.root, kit, {
      step: (index) => this.go(index),
      vertex: (vertex) => this.select(vertex),
      view: (tried) => this.pictures.view(tried),
    });
    this.pictures = new Pictures(this.root, kit, {
      step: (index) => this.go(index),
      vertex: (vertex) => this.select(vertex),
    });
    this.speed = this.root.querySelector(".ersd-speed select");
    this.listen();
    this.mark();
  }

  listen() {
    inUse = inUse || this;
    this.root.addEventListener("pointerdown", () => (inUse = this));
    this.root.addEventListener("focusin", () => (inUse = this));
    const bar = this.root.querySelector(".ersd-transport");
    // a mouse click must not leave the focus on a button, or space would press that button again
    bar.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());
    bar.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.press(button.dataset.go);
    });
    this.speed.addEventListener("change", () => this.timer && this.play());
    // the page says so when it asks the server for a run, so that the wait for the answer is seen
    this.host.addEventListener("ersd-ask", () => this.ask());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (inUse !== this || event.ctrlKey || event.metaKey || event.altKey || !this.steps.length || !this.root.offsetParent) return;
    const target = event.target;
    if (target.closest("input, textarea, select, [contenteditable], [role=tab], [role=listbox], [role=combobox]")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const action = { ArrowLeft: "previous", ArrowRight: "next", " ": "play", Home: "first", End: "last" }[event.key];
    if (!action) return;
    if ((event.key === "Home" || event.key === "End") && !this.root.contains(target)) return;
    event.preventDefault();
    this.press(action);
  }

  press(action) {
    if (action === "play") return this.timer || (this.state === "running" && this.follow) ? this.pause() : this.play();
    this.pause();
    const to = { first: 0, previous: this.at - 1, next: this.at + 1, last: this.steps.length - 1 }[action];
    this.go(to);
  }

  play() {
    clearInterval(this.timer);
    if (this.at >= this.steps.length - 1 && this.state === "running") {
      this.timer = null;
      this.follow = true;
    } else {
      if (this.at >= this.steps.length - 1) this.go(0);
      this.timer = setInterval(() => this.beat(), BEAT_MS / Number(this.speed.value));
    }
    this.mark();
  }

  beat() {
    if (this.at >= this.steps.length - 1) return this.state === "running" ? this.play() : this.pause();
    this.show(this.at + 1);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.follow = false;
    this.mark();
  }

  // To a step chosen by hand; at the end of a live run the player follows again.
  go(index) {
    if (!this.steps.length) return;
    const last = this.steps.length - 1;
    const to = Math.max(0, Math.min(index, last));
    this.follow = this.state === "running" && to === last;
    if (this.timer) this.pause();
    this.show(to);
  }

  show(index) {
    this.at = index;
    this.ownVertex = null;
    this.draw();
  }

  select(vertex) {
    this.pause();
    this.ownVertex = vertex;
    this.draw();
  }

  // --- messages -------------------------------------------------------------------------------------------------------------

  receive(value) {
    if (!value) return;
    for (const line of value.split("\n")) {
      const message = JSON.parse(line);
      if (message.type === "recording") this.recording(message);
      else this.take(message);
    }
    this.draw();
  }

  recording(message) {
    for (const one of message.messages) this.take(one);
    this.state = "idle";
    this.at = this.mostTelling();
    this.panels.say(message.words);
  }

  // Of a recorded run, show a step that has accepted a good deal and whose walk a token of the target's own ended.
  mostTelling() {
    let best = 0;
    const worth = (step) => (step.bar[1] ? 0.5 : 0) + Math.min(step.bar[0], 4) + (step.panels[step.shown].q ? 2 : 0) - (this.pictures.treeOf(step).columns < 4 ? 2 : 0);
    this.steps.forEach((step, index) => worth(step) > worth(this.steps[best]) && (best = index));
    return best;
  }

  take(message) {
    const stale = message.run && this.begun && message.run !== this.begun.run;
    if (message.type === "begin") this.begin(message);
    else if (message.type === "status") this.panels.say(message.words, "busy");
    else if (message.type === "error") this.finish("error", message.words);
    else if (message.type === "stopped") {
      if (this.state === "running") this.finish("stopped", this.asked ? "Stopped before the first step." : `Stopped after step ${this.steps.length}.`);
    } else if (stale) return;
    else if (message.type === "step" && this.state === "running" && !this.asked) this.add(message);
    else if (message.type === "end") this.finish("done", message.words);
  }

  ask() {
    clearInterval(this.timer);
    Object.assign(this, { timer: null, state: "running", asked: true });
    this.panels.say("Starting …", "busy");
    // the state alone: a drawing now would hold up the connection that brings the answer
    this.host.dataset.state = this.state;
    this.mark();
  }

  begin(message) {
    clearInterval(this.timer);
    this.timer = null;
    Object.assign(this, { begun: message, steps: [], at: -1, follow: true, state: "running", asked: false, ownVertex: null });
    this.panels.begin(message);
    this.pictures.begin(message);
    this.panels.say("Reading the prompt …", "busy");
    const focused = document.activeElement;
    // the button that started the run gives up the focus, so that space plays and does not start another
    if (focused && focused.tagName === "BUTTON" && !this.root.contains(focused)) this.root.focus({ preventScroll: true });
    inUse = this;
  }

  add(message) {
    this.steps.push(message);
    this.panels.add(message);
    this.pictures.add(message);
    this.panels.say(`Generating: step ${this.steps.length} …`, "busy");
    if (this.follow) {
      this.at = this.steps.length - 1;
      this.ownVertex = null;
    }
  }

  finish(state, words) {
    this.state = state;
    this.asked = false;
    this.follow = false;
    this.pictures.finish();
    this.panels.say(words, state === "error" ? "error" : "");
  }

  // --- drawing --------------------------------------------------------------------------------------------------------------

  // Draws the step in view on the next frame; of many updates between two frames only the last is drawn.
  draw() {
    this.host.dataset.state = this.state;
    this.host.dataset.steps = this.steps.length;
    if (this.pending) return;
    this.pending = true;
    const frame = async () => {
      try {
        this.drawnAt = performance.now();
        const step = this.steps[this.at];
        if (step) {
          await this.pictures.draw(step, this.at, this.ownVertex);
          this.panels.draw(step, this.at, this.ownVertex);
        }
        this.host.dataset.step = this.at + 1;
        this.mark();
        if (step !== this.steps[this.at]) this.again = true;
      } finally {
        this.pending = false;
        if (this.again) {
          this.again = false;
          this.draw();
        }
      }
    };
    // while a run comes in, drawing leaves the processor to the models; a page in the background gets no frames and draws all the same
    const rest = this.state === "running" ? this.drawnAt + LIVE_MS - performance.now() : 0;
    if (document.hidden || rest > 0) setTimeout(frame, Math.max(rest, document.hidden ? 50 : 0));
    else requestAnimationFrame(frame);
  }

  mark() {
    const playing = Boolean(this.timer) || (this.state === "running" && this.follow);
    this.root.classList.toggle("playing", playing);
    const play = this.root.querySelector("[data-go=play]");
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    const last = this.steps.length - 1;
    for (const button of this.root.querySelectorAll("[data-go]")) {
      const go = button.dataset.go;
      button.disabled = last < 0 || ((go === "first" || go === "previous") && this.at <= 0) || ((go === "next" || go === "last") && this.at >= last);
    }
  }
}
