// Hover labels of the tree: the numbers of a node, and why it was accepted, rejected or not visited.

/** @import * as T from "../types" */
import { escape, fill, isolate, isolated, ordinal, ranges, wrapped } from "../base/format.js";
import { number } from "../base/numbers.js";
import { decisionThatSettled } from "../decision/decision.js";
import { arrivals, draftArrivals } from "../race/time_scale.js";

const COLUMNS = 46;

/**
 * The label of a node, in Plotly's pseudo-HTML.
 * @param {T.StepMessage} step
 * @param {number} vertex
 * @param {number[]} tries the numbers of its tries, where it was one of several.
 * @param {T.Kit} kit
 */
export function vertexLabel(step, vertex, tries, kit) {
  const { tree } = step;
  const isOwn = vertex >= tree.q.length;
  const decision = decisionThatSettled(step, vertex);
  const lines = [`<b>${escape(isolate(tree.names[vertex]))}</b>${isOwn ? ", the target’s own" : ""}`];
  if (!isOwn) lines.push(`draft q ${escape(number(tree.q[vertex], kit.numbers))}, the draft’s ${ordinal(tree.ranks[vertex])} here`);
  if (decision) lines.push(...targetLines(decision, isOwn ? decision.chosen : decision.row_of[vertex], isOwn, kit).map(escape));
  if (decision?.tries && tries.length) lines.push(`tried as number ${ranges(tries)} of ${decision.tries.length}`);
  lines.push(wrapped(isolated(reason(step, vertex, kit)), COLUMNS));
  return lines.join("<br>");
}

/**
 * The target's view of a row: its probability, and in a race the arrival times.
 * @param {T.Decision} decision
 * @param {number | undefined} row undefined or -1: not listed.
 * @param {boolean} withDraft with the draft's probability.
 * @param {T.Kit} kit
 */
function targetLines(decision, row, withDraft, { numbers }) {
  if (row === undefined || row < 0) return [];
  const draft = withDraft && decision.q ? `, draft q ${number(decision.q[row], numbers)}` : "";
  const lines = [`target p ${number(decision.p[row], numbers)}${draft}`];
  if (decision.clock) {
    const drafted = draftArrivals(decision);
    const first = drafted ? `draft ${number(drafted[row], numbers)}, ` : "";
    lines.push(`arrives: ${first}target ${number(arrivals(decision, decision.p)[row], numbers)}`);
  }
  return lines;
}

/**
 * Why a node was accepted, rejected or not visited, in one sentence.
 * @param {T.StepMessage} step
 * @param {number} vertex
 * @param {T.Kit} kit
 * @returns {string}
 */
export function reason(step, vertex, kit) {
  const { tree } = step;
  const decision = decisionThatSettled(step, vertex);
  if (tree.why[vertex]) return tree.why[vertex];
  if (!decision) return unvisited(step, vertex, kit);
  const tries = (decision.tries ?? []).filter((one) => one.vertex === vertex);
  const decisive = tries.find(({ accepted }) => accepted) ?? tries.at(-1);
  if (decisive) return decisive.say;
  if (vertex >= tree.q.length || tree.states[vertex] === "accepted") return decision.say;
  const chosen = tree.parents.findIndex((parent, other) => parent === tree.parents[vertex] && tree.states[other] === "accepted");
  return chosen < 0 ? kit.words.beyond : fill(kit.kinds[decision.kind].untried, { name: tree.names[chosen] });
}

/**
 * Why the walk did not reach a vertex: it left the path at an ancestor.
 * @param {T.StepMessage} step
 * @param {number} vertex
 * @param {T.Kit} kit
 */
function unvisited(step, vertex, { words }) {
  const { names, parents, states } = step.tree;
  let lost = vertex;
  while (parents[lost] >= 0 && !decisionThatSettled(step, lost)) lost = parents[lost];
  return states[lost] === "accepted" ? words.beyond : fill(words.unvisited, { name: names[lost] });
}
