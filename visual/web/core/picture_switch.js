// On a phone there is room for one picture: a switch shows the tree or the race. The style sheet does it by `data-picture`.

import { around } from "../base/dom.js";

/** The two buttons of a player. */
export class PictureSwitch {
  /** @param {HTMLElement} root the player. */
  constructor(root) {
    this.root = root;
    this.buttons = /** @type {HTMLButtonElement[]} */ ([...root.querySelectorAll(".ersd-switch [data-picture]")]);
    root.querySelector(".ersd-switch")?.addEventListener("click", (event) => {
      const button = around(event, "[data-picture]");
      if (button) this.show(button.dataset.picture === "race" ? "race" : "tree");
    });
  }

  /** @param {"tree" | "race"} picture */
  show(picture) {
    this.root.dataset.picture = picture;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.picture === picture));
  }
}
