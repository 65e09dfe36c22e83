// The picture of a decision: drawn once by Plotly, then shown as far as the story of its step has come.

/** @import * as T from "../types" */
import { resolve } from "../plot/colours.js";
import { find, prefersStill } from "../base/dom.js";
import { Plot } from "../plot/plotly_adapter.js";
import { html, render } from "../lit-html.js";
import { frameOf } from "./frame.js";
import { ALL, DecisionMotion, knownAt } from "./motion.js";
import { pictureKindOf } from "./picture_kinds.js";

const RUN_SECONDS = 2.5; // of each half, when only this race is run again

export class DecisionPicture {
  /** @param {HTMLElement} host @param {T.Kit} kit */
  constructor(host, kit) {
    this.host = host;
    this.kit = kit;
    const cursors = ["draft", "target"].map((side) => html`<div class="ersd-cursor ${side}" hidden><span></span></div>`);
    render(
      html`<div></div>
        ${cursors}
        <p class="ersd-half-empty"></p>`,
      host,
    );
    this.plot = new Plot(find(host, "div"));
    this.motion = new DecisionMotion(host, this.plot);
    this.empty = find(host, ".ersd-half-empty");
    /** @type {unknown[]} */
    this.state = []; // what the picture on the screen depends on
    this.known = ALL;
    /** @type {number | null} */
    this.picked = null; // the try that a reader points at
    this.running = 0;
  }

  /** @param {T.StepMessage} step @param {T.Decision} decision @param {T.PageLook} look */
  async draw(step, decision, look) {
    const { width, height, letter, palette } = look;
    const state = [decision, width, height, letter, palette];
    if (state.every((each, place) => each === this.state[place])) return;
    this.state = state;
    this.stop();
    this.picked = null;
    const kind = pictureKindOf(decision, this.kit);
    const frame = frameOf(decision, look, this.kit, kind);
    const drawn = kind.layout(decision, frame, this.kit, step);
    const base = this.kit.decision.layout;
    const axes = {
      xaxis: { .../** @type {object} */ (base.xaxis), range: [0, width] },
      yaxis: { .../** @type {object} */ (base.yaxis), range: [height, 0] },
    };
    const layout = resolve({ ...base, ...axes, shapes: drawn.layers.shapes, width, height }, palette);
    await this.plot.draw(resolve(drawn.layers.traces, palette), layout);
    this.empty.hidden = decision.q !== null;
    this.empty.textContent = step.tree.q.length ? this.kit.words.leaf : this.kit.words.no_draft;
    Object.assign(this.empty.style, {
      top: `${frame.head + 4}px`,
      width: `${frame.centre.left - 12}px`,
      height: `${frame.foot - frame.head - 8}px`,
    });
    this.motion.begin({ frame, ...drawn });
    this.render();
  }

  /**
   * Shows the decision as far as a scene knows it.
   * @param {T.Story} story
   * @param {T.Scene} scene
   * @param {T.Decision} decision the one in view
   */
  show(story, scene, decision) {
    this.known = knownAt(story, scene, decision);
    if (this.known !== ALL) this.stop();
    if (!this.running) this.render();
  }

  /** @param {number | null} stage the try that a reader points at; null: none */
  pick(stage) {
    this.picked = stage;
    this.render();
  }

  render() {
    const isPicked = this.picked !== null && this.known === ALL;
    this.motion.show(isPicked ? { ...ALL, stage: this.picked } : this.known);
  }

  /**
   * Runs the race in view once more: the draft's half, then the target's.
   * @param {() => void} done
   * @param {number} [from] 1: only the target's half
   */
  run(done, from = 0) {
    this.stop();
    this.done = done;
    if (prefersStill()) {
      done();
      return;
    }
    const begun = performance.now();
    const frame = (/** @type {number} */ now) => {
      const share = from + (now - begun) / 1000 / RUN_SECONDS;
      if (share >= 2) {
        this.stop();
        this.render();
        return;
      }
      this.motion.show({ ...ALL, draft: Math.min(1, share), target: Math.max(0, share - 1), scored: share >= 1 });
      this.running = requestAnimationFrame(frame);
    };
    this.running = requestAnimationFrame(frame);
  }

  stop() {
    if (!this.running) return;
    cancelAnimationFrame(this.running);
    this.running = 0;
    this.done?.();
  }
}
