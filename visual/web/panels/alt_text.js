// Text for screen readers: alternatives of the pictures, and announcements.

/** @import * as T from "../types" */
import { Announcer } from "../base/announcer.js";
import { find } from "../base/dom.js";
import { count, isolate } from "../base/format.js";

export class AltText {
  /** @param {HTMLElement} root the player, its pictures in place. */
  constructor(root) {
    this.tree = picture(root, ".ersd-tree > div");
    picture(root, ".ersd-decision-plot");
    this.timeline = picture(root, ".ersd-timeline");
    this.announcer = new Announcer(find(root, ".ersd-announcer"));
  }

  /** @param {T.StepMessage} step @param {number} steps how many there are. */
  draw(step, steps) {
    this.tree.setAttribute("aria-label", treeInWords(step));
    this.timeline.setAttribute("aria-label", `Timeline of ${count(steps, "step")}; step ${step.index + 1}: ${step.title}.`);
  }

  /** Announces a text once, when the screen reader is idle. @param {string} words */
  announce(words) {
    this.announcer.say(words);
  }
}

/** @param {HTMLElement} root @param {string} selector */
function picture(root, selector) {
  const element = find(root, selector);
  element.setAttribute("role", "img");
  return element;
}

/** @param {T.StepMessage} step */
function treeInWords({ tree }) {
  const named = (/** @type {string} */ state) =>
    tree.names
      .filter((_, vertex) => tree.states[vertex] === state)
      .map(isolate)
      .join(" ");
  const drafted = tree.q.length;
  if (!drafted) return `No draft tree: the target alone gave ${named("target")}.`;
  const levels = Math.max(...depths(tree.parents).slice(0, drafted));
  const own = named("target");
  const rest = own ? `; then ${own}, the target’s own` : "";
  return `Draft tree: ${count(drafted, "token")} on ${count(levels, "level")}; accepted: ${named("accepted") || "none"}${rest}.`;
}

/** Levels of the vertices, from 1; parents come first. @param {number[]} parents */
function depths(parents) {
  /** @type {number[]} */
  const found = [];
  for (const parent of parents) found.push(1 + (found[parent] ?? 0));
  return found;
}
