// Speed-up against the number of drafted tokens, from the expected accepted tokens. Each tree is as deep as pays: deeper trees accept more,
// but every level is a draft call.

/** @import * as T from "../types" */
import { decimal } from "../base/numbers.js";
import { speedupAt } from "../figures/cost_ratio.js";

const NAMES = /** @type {Record<string, string>} */ ({ tau_star: "the τ* tree", sequence: "a chain", batch: "a batch" }); // in a sentence

/**
 * The fastest tree for every k from 1: of all depths, the one that is fastest at this cost.
 * @param {string} curve
 * @param {T.Curves.CurveLine} line
 * @param {T.PlaceCosts} costs
 * @returns {T.Curves.Choice[]}
 */
export function speeds(curve, { levels }, costs) {
  return levels[0].map((_, place) => {
    const k = place + 1;
    const choices = levels.map((accepted, index) => {
      const depth = curve === "sequence" ? k : index + 1;
      return { k, levels: depth, speed: speedupAt(costs, 1 + accepted[place], depth, 1 + k).factor };
    });
    return choices.reduce((best, choice) => (choice.speed > best.speed ? choice : best));
  });
}

/** The fastest of all, the largest of those that are equally fast. @param {T.Curves.Choice[]} choices */
export const fastest = (choices) => choices.reduce((best, choice) => (choice.speed >= best.speed ? choice : best));

/**
 * Headline and sentence on the speed-up at one temperature.
 * @param {T.Curves.Lines} lines
 * @param {T.Curves.CurvesKit} kit
 * @param {T.PlaceCosts} costs
 * @returns {[string, string]}
 */
export function speedWords({ temperature, curves }, kit, costs) {
  const all = Object.entries(kit.curves).map(([name, { label }]) => {
    const choices = speeds(name, curves[name], costs);
    return { name, label, choices, best: fastest(choices) };
  });
  const first = all.reduce((best, each) => (each.best.speed > best.best.speed ? each : best));
  const { calls, level } = costs;
  const at = `A target call costs ${Number((calls[0][1] / level).toPrecision(3))} draft calls, T = ${temperature}`;
  if (first.best.speed <= 1) return [`${at}: nothing pays`, "Every tree costs more than its accepted tokens save."];
  const size =
    first.best.k === kit.most ? `${kit.most} drafted tokens or more` : `${first.best.k} drafted ${first.best.k === 1 ? "token" : "tokens"}`;
  const headline = `${at}: fastest with ${size}, ${decimal(first.best.speed, 2)}× by ${NAMES[first.name] ?? first.label}`;
  const chain = all.find(({ name }) => name === "sequence");
  if (!chain) return [headline, ""];
  const slower = chain.choices.find(({ k, speed }) => k > chain.best.k && speed < 1);
  const best = `A chain is fastest with ${chain.best.k} (${decimal(chain.best.speed, 2)}×)`;
  const [scored, cost] = calls.at(-1) ?? [1, 1];
  const grows =
    calls.length > 1 ? ` A call for ${scored} tokens costs ${decimal(cost / calls[0][1], 2)} times one for a single token.` : "";
  return [headline, `${wordsOfChain(best, slower)}${grows}`];
}

/** @param {string} best @param {T.Curves.Choice | undefined} slower the first k at which it is slower than no draft. */
const wordsOfChain = (best, slower) =>
  slower ? `${best} and slower than no draft at all from ${slower.k} on: each token of it is a draft call.` : `${best}.`;
