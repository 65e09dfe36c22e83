// The transport bar: buttons that go from step to step, the speed, and how a run is watched.

/** @import * as T from "../types" */
import { around, find, keepFocus, turnOff } from "../base/dom.js";

/** The buttons that go from step to step, or from call to call. */
export class GoButtons {
  /** @param {HTMLElement} root the player, or the board. @param {(action: T.Action) => void} press */
  constructor(root, press) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("[data-go]")]);
    this.play = find(root, "[data-go=play]");
    const bar = find(root, ".ersd-transport");
    keepFocus(bar);
    bar.addEventListener("click", (event) => {
      const button = around(event, "[data-go]");
      if (button) press(/** @type {T.Action} */ (button.dataset.go));
    });
  }

  /**
   * Shows what can be pressed.
   * @param {number} index the step in view; -1: none.
   * @param {number} steps how many there are.
   * @param {boolean} isPlaying
   */
  mark(index, steps, isPlaying) {
    this.root.classList.toggle("playing", isPlaying);
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    /** @type {Record<string, boolean>} */
    const isOff = { first: index <= 0, previous: index <= 0, play: false, next: index >= steps - 1, last: index >= steps - 1 };
    for (const button of this.buttons) turnOff(button, steps === 0 || Boolean(isOff[button.dataset.go ?? ""]), this.play);
  }
}

/** The row of buttons, the choice of a speed, and how a run is watched. */
export class Transport extends GoButtons {
  /**
   * @param {HTMLElement} root the player.
   * @param {{ press: (action: T.Action) => void, pace: () => void, follow: () => void }} on callbacks: a
   *   button was pressed; the speed or whole steps were chosen; the way to watch a live run was chosen.
   */
  constructor(root, on) {
    super(root, on.press);
    this.choice = /** @type {HTMLSelectElement} */ (find(root, ".ersd-speed select"));
    this.wholeSteps = /** @type {HTMLInputElement} */ (find(root, ".ersd-whole input"));
    this.follow = /** @type {HTMLSelectElement} */ (find(root, ".ersd-follow select"));
    for (const control of [this.choice, this.wholeSteps]) control.addEventListener("change", () => on.pace());
    this.follow.addEventListener("change", () => on.follow());
  }

  /** The speed chosen: 2 is twice as fast as 1. */
  get speed() {
    return Number(this.choice.value);
  }

  /** Does playing go from step to step, without their phases? */
  get skipsPhases() {
    return this.wholeSteps.checked;
  }

  /** Is the newest step of a live run shown as it comes? */
  get followsLive() {
    return this.follow.value === "live";
  }
}
