// A saved run in a page of its own (visual/export/document.py): it shows what its address asks for.

import { reportHeight, showTheme } from "./document.js";
import { find } from "../base/dom.js";
import { partOf } from "../base/parts.js";
import { render } from "../core/player.js";
import { showTerms } from "../glossary/terms.js";
import { pictureOf } from "./snapshot.js";

/** @param {HTMLElement} element that has the player's HTML. @param {string} trace the run, as the message `recording`. */
export function mount(element, trace) {
  const query = new URLSearchParams(location.search);
  showTheme(query);
  render({ element, trace });
  const step = Number(query.get("step"));
  if (Number.isInteger(step) && step > 0) partOf(element)?.go(step);
  // for picture.py: the address of an image of the step in view, once it is drawn; "" if it has no such picture
  const ersdPicture = async (/** @type {string} */ picture, /** @type {"svg" | "png"} */ format) => {
    const isDrawn = () => (query.has("step") ? element.dataset.step === query.get("step") : element.hasAttribute("data-step"));
    while (!isDrawn()) await new Promise(requestAnimationFrame);
    return pictureOf(element, picture, format);
  };
  Object.assign(window, { ersdPicture });
  find(document.body, ".theme-button").addEventListener("click", () => document.body.classList.toggle("dark"));
  find(document.body, ".terms-button").addEventListener("click", showTerms);
  reportHeight(document.documentElement);
}
