// A picture of the step in view as an image: for the list of what can be saved, and for Python (visual/export/picture.py).

import { plotIn } from "../base/plotly_adapter.js";
import { snapshot } from "../base/snapshot.js";

const CARDS = /** @type {Record<string, string>} */ ({ tree: ".ersd-tree-card", race: ".ersd-race-card" });

/**
 * The address of an image in the colours of the screen; "" if the step has no such picture.
 * @param {HTMLElement} root the player.
 * @param {string} picture tree or race
 * @param {"svg" | "png"} format
 */
export async function pictureOf(root, picture, format) {
  const card = root.querySelector(CARDS[picture]);
  const plot = card && plotIn(card);
  return plot ? snapshot(plot, format, getComputedStyle(root).getPropertyValue("--ersd-page").trim()) : "";
}
