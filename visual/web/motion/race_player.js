// Plays decisions in motion: driven by the story of a step, or by the button that runs the decision in view once.

/** @import { Scene, Story } from "../story/story.js" */
/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */
import { RaceMotion } from "./race_motion.js";
import { find } from "../base/dom.js";

const PAUSE_MS = 2500; // pause when all is decided

const wantsNoMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Runs one decision. */
export class RacePlayer {
  /**
   * @param {HTMLElement} card
   * @param {Kit} kit
   * @param {{ announce: (words: string) => void, pause: () => void }} on `pause`: the story of the step stands still meanwhile.
   */
  constructor(card, kit, on) {
    this.kit = kit;
    this.on = on;
    this.motion = new RaceMotion(find(card, ".ersd-race-plot"), kit);
    this.button = /** @type {HTMLButtonElement} */ (find(card, ".ersd-run-race"));
    this.button.addEventListener("click", () => (this.isOn ? this.stop() : this.start()));
    /** @type {StepMessage | null} */
    this.step = null;
    this.vertex = -1;
    this.isOn = false;
    this.frame = 0;
    /** @type {{ step: StepMessage, place: number, phase: string, from: number, held: number } | null} */
    this.played = null; // the decision that the story plays
  }

  /**
   * Sets the decision that the button runs; another decision stops a running one.
   *
   * @param {StepMessage} step
   * @param {number} vertex where the decision in view was made.
   */
  draw(step, vertex) {
    if (step === this.step && vertex === this.vertex) return;
    this.stop();
    Object.assign(this, { step, vertex });
    this.mark();
  }

  /**
   * Shows the decision of a scene at its moment: in the draft phase the draft's race at the root, in the walk the decision where the walk
   * stands, until it is settled.
   *
   * @param {Story} story
   * @param {Scene} scene
   * @param {boolean} isDrawn do the bars under it belong to this scene? Until they do, the end of the motion stays.
   */
  tell({ step, visits }, { phase, drafted, visit, share, settled }, isDrawn) {
    if (this.isOn) return; // the button has it
    const isDrafting = phase === "draft" && visits[0].decision.q !== null;
    const isDeciding = phase === "walk" && settled <= visit;
    const place = isDrafting ? 0 : visit;
    if (!isDrafting && !isDeciding) {
      if (!isDrawn) return;
      if (this.played) this.motion.clear();
      this.played = null;
      return;
    }
    if (this.played?.step !== step || this.played.place !== place || this.played.phase !== phase) {
      this.stop();
      const { held, fallen } = this.motion.show(step, visits[place].vertex, { side: isDrafting ? "draft" : "target" });
      this.played = { step, place, phase, from: place > 0 ? fallen : 0, held };
    }
    const { from, held } = this.played;
    this.motion.seek(from + (held - from) * (isDrafting ? drafted : share));
  }

  start() {
    if (!this.step) return;
    this.on.pause();
    this.played = null;
    const { seconds, held, words } = this.motion.show(this.step, this.vertex);
    this.isOn = true;
    this.mark();
    this.on.announce(words);
    // with reduced motion the end is shown until the button is pressed again
    if (wantsNoMotion()) this.motion.seek(held);
    else this.run(performance.now(), seconds * 1000, held);
  }

  /**
   * @param {number} begun
   * @param {number} lasts milliseconds of the motion; it stands still for a while when all is decided.
   * @param {number} held
   */
  run(begun, lasts, held) {
    const frame = (/** @type {number} */ now) => {
      const passed = Math.max(0, now - begun);
      const decided = held * lasts;
      const moved = passed < decided ? passed : Math.max(decided, passed - PAUSE_MS);
      if (moved >= lasts) {
        this.stop();
        return;
      }
      this.motion.seek(moved / lasts);
      this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  /** The bars again. */
  stop() {
    if (!this.isOn) return;
    cancelAnimationFrame(this.frame);
    this.isOn = false;
    this.motion.clear();
    this.mark();
  }

  mark() {
    const decision = this.step?.decisions[this.vertex];
    if (!decision) return;
    const name = this.isOn ? "back to the bars" : this.kit.kinds[decision.kind].run;
    this.button.textContent = this.isOn ? "■ bars" : "▶ run";
    this.button.title = name;
    this.button.setAttribute("aria-label", name);
    this.button.setAttribute("aria-pressed", String(this.isOn));
  }
}
