// Captions of a step's story: title and sentence for the card next to the tree.

/** @import { Scene, Story } from "./story.js" */
/** @import { Kit } from "../base/kit_types.js" */
import { count } from "../base/format.js";

/**
 * @typedef {object} Caption
 * @property {string} title
 * @property {string} say
 */

/**
 * @param {Story} story
 * @param {Scene} scene
 * @param {Kit} kit
 * @returns {Caption} empty for a finished step; its card has texts of its own.
 */
export function captionOf(story, scene, kit) {
  if (scene.phase === "draft") return draftCaption(story, scene, kit);
  if (scene.phase === "score") return scoreCaption(story);
  if (scene.phase === "walk") return walkCaption(story, scene, kit);
  return { title: "", say: "" };
}

/**
 * @param {Story} story
 * @param {Scene} scene
 * @param {Kit} kit
 * @returns {Caption}
 */
function draftCaption({ step, visits }, { calls }, kit) {
  const { axis, story } = kit.kinds[visits[0].decision.kind];
  const { guess } = story;
  return {
    title: `Draft call ${calls} of ${step.draft_calls}`,
    say: `${guess} Below, ${axis === "time" ? "the race" : "its q"} at the root.`,
  };
}

/**
 * @param {Story} story
 * @returns {Caption}
 */
function scoreCaption({ step: { tree, index } }) {
  const drafted = tree.q.length;
  const prompt = index === 0 ? " It reads the prompt too." : "";
  return {
    title: drafted ? `${count(drafted, "drafted token")} + the root, in one call` : "The root alone",
    say: `One target call gives the next-token probabilities ${drafted ? "at every node" : "after the text so far"}.${prompt}`,
  };
}

/**
 * @param {Story} story
 * @param {Scene} scene
 * @param {Kit} kit
 * @returns {Caption}
 */
function walkCaption({ visits }, { visit, settled }, kit) {
  const { decision } = visits[visit];
  const { deciding, at_leaf: atLeaf } = kit.kinds[decision.kind].story;
  const question = decision.leaf ? atLeaf : deciding;
  return { title: decision.title, say: settled > visit ? decision.say : question };
}
