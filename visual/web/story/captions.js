// Captions of a step's story: a line for the phase bar, and title and sentence for the card next to the tree.

/** @import { Scene, Story } from "./story.js" */
/** @import { Kit } from "../base/kit_types.js" */
import { count, noun } from "../base/format.js";

/**
 * @typedef {object} Caption
 * @property {string} line
 * @property {string} title
 * @property {string} say
 */

/**
 * @param {Story} story
 * @param {Scene} scene
 * @param {Kit} kit
 * @returns {Caption} of a finished step only the line; its card has texts of its own.
 */
export function captionOf(story, scene, kit) {
  if (scene.phase === "draft") return draftCaption(story, scene, kit);
  if (scene.phase === "score") return scoreCaption(story);
  if (scene.phase === "walk") return walkCaption(story, scene, kit);
  return { line: result(story, kit), title: "", say: "" };
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
  const call = `raft call ${calls} of ${step.draft_calls}`;
  const drawn = step.tree.call_of.filter((each) => each === calls).length;
  return {
    line: `d${call}: ${count(drawn, "token")}`,
    title: `D${call}`,
    say: `${guess} Below, ${axis === "time" ? "the race" : "its q"} at the root.`,
  };
}

/**
 * @param {Story} story
 * @returns {Caption}
 */
function scoreCaption({ step: { tree, index } }) {
  const drafted = tree.q.length;
  const scored = drafted
    ? `${drafted === 1 ? "the" : `all ${drafted}`} drafted ${noun(drafted, "token")} and the root`
    : "the root, the text so far";
  const prompt = index === 0 ? " It reads the prompt too." : "";
  return {
    line: `one target call scores ${scored}`,
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
function walkCaption({ step, visits }, { visit, settled, trying }, kit) {
  const { vertex, decision, tries: all } = visits[visit];
  const { names, parents, states, q } = step.tree;
  const node = vertex < 0 ? "the root" : `“${names[vertex]}”`;
  if (settled > visit) {
    const accepted = parents.findIndex((parent, child) => parent === vertex && states[child] === "accepted");
    const outcome =
      accepted < 0 ? `${kit.signs.target} “${names[q.length]}” is the target’s own` : `${kit.signs.accepted} “${names[accepted]}” accepted`;
    return { line: `after ${node}: ${outcome}`, title: decision.title, say: decision.say };
  }
  const { deciding, at_leaf: atLeaf } = kit.kinds[decision.kind].story;
  const isDrawing = trying > all;
  const now = isDrawing ? `: ${all === 1 ? "" : "all "}rejected` : `: try ${trying} of ${all}`;
  return { line: `the walk stands at ${node}${all ? now : ""}`, title: decision.title, say: decision.leaf ? atLeaf : deciding };
}

/**
 * The result of a step.
 *
 * @param {Story} story
 * @param {Kit} kit
 */
function result({ step, visits }, { signs }) {
  const { bar, tree } = step;
  const sum = `${count(bar.accepted + bar.own, "token")}, 1 call`;
  if (!bar.own) return `${sum}: all drafted, and the text ends`;
  const own = `${signs.target} “${tree.names[tree.q.length]}”`;
  if (!tree.q.length) return `${sum}: ${own}`;
  const isBonus = visits[visits.length - 1].decision.leaf;
  return `${sum}: ${bar.accepted} accepted + ${own}, ${isBonus ? "a bonus" : "a correction"}`;
}
