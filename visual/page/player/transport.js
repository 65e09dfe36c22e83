// The buttons that go from step to step.

/** @import { Action } from "./keyboard.js" */
import { around, find } from "./dom.js";

/** The row of buttons and the choice of a speed. */
export class Transport {
  /**
   * @param {HTMLElement} root the player.
   * @param {{ press: (action: Action) => void, speed: (speed: number) => void }} on told what was pressed, and another speed.
   */
  constructor(root, on) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll("[data-go]")]);
    this.play = find(root, "[data-go=play]");
    this.choice = /** @type {HTMLSelectElement} */ (find(root, ".ersd-speed select"));
    this.choice.addEventListener("change", () => on.speed(this.speed));
    const bar = find(root, ".ersd-transport");
    // a mouse click must not leave the focus on a button, or space would press that button again
    bar.addEventListener("mousedown", (event) => {
      if (around(event, "button")) event.preventDefault();
    });
    bar.addEventListener("click", (event) => {
      const button = around(event, "[data-go]");
      if (button) on.press(/** @type {Action} */ (button.dataset.go));
    });
  }

  /** The speed chosen: 2 is twice as fast as 1. */
  get speed() {
    return Number(this.choice.value);
  }

  /**
   * Shows what can be pressed.
   *
   * @param {number} index the step in view; -1: none.
   * @param {number} steps how many there are.
   * @param {boolean} isPlaying
   */
  mark(index, steps, isPlaying) {
    this.root.classList.toggle("playing", isPlaying);
    this.play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    const isOff = { first: index <= 0, previous: index <= 0, play: false, next: index >= steps - 1, last: index >= steps - 1 };
    for (const button of this.buttons) button.disabled = steps === 0 || isOff[/** @type {Action} */ (button.dataset.go)];
  }
}
