// Moves a copy of the target's own token from the tree into the text.

/** @import { Scene, Story } from "./story.js" */
import { find, make } from "../base/dom.js";

const HIGH = 60; // height of its arc, pixels

/** Shows the moving token. */
export class TokenFlight {
  /**
   * @param {HTMLElement} root the player.
   * @param {Record<string, string>} signs
   */
  constructor(root, signs) {
    this.root = root;
    this.sign = signs.target;
    this.token = make("div", "ersd-flying");
    this.token.setAttribute("aria-hidden", "true");
    this.token.hidden = true;
    /** @type {Story | null} */
    this.story = null; // of the token that moves
    this.from = { x: 0, y: 0 };
    this.to = { x: 0, y: 0 };
    root.append(this.token);
  }

  /**
   * @param {Story} story
   * @param {Scene} scene
   * @param {{ x: number, y: number } | null} start where the token stands in the tree, on the screen.
   */
  show(story, { phase, flight }, start) {
    const isUnderWay = phase === "text" && flight > 0 && flight < 1;
    const target = isUnderWay ? /** @type {HTMLElement | null} */ (this.root.querySelector(".ersd-token.here.target")) : null;
    this.token.hidden = !target || !start;
    this.root.classList.toggle("flying", !this.token.hidden);
    if (!target || !start) {
      this.story = null;
      return;
    }
    if (this.story !== story) this.begin(story, target, start);
    const x = this.from.x + (this.to.x - this.from.x) * flight;
    const y = this.from.y + (this.to.y - this.from.y) * flight - 4 * HIGH * flight * (1 - flight);
    this.token.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
  }

  /**
   * Measures start and end once, not in every frame.
   *
   * @param {Story} story
   * @param {HTMLElement} target
   * @param {{ x: number, y: number }} start
   */
  begin(story, target, start) {
    this.story = story;
    const { left, top, width, height } = target.getBoundingClientRect();
    const text = find(this.root, ".ersd-text").getBoundingClientRect();
    this.from = start;
    this.to = { x: left + width / 2, y: Math.max(text.top, Math.min(text.bottom, top + height / 2)) };
    const { names, q } = story.step.tree;
    this.token.replaceChildren(`${this.sign} ${names[q.length]}`, make("small", "", "from the same call"));
  }
}
