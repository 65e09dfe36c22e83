// What is chosen in the lab, in the page's address: `?tab=lab&lab-rule=gsd&lab-bug=no_residual`. Only what differs from the usual is written.

/** @import * as T from "../types" */
import { setInAddress } from "../base/kept.js";
import { rounded } from "./probabilities.js";

const PREFIX = "lab-";
const SUM = 1e-6; // by how much probabilities in an address may miss 1

/**
 * The choice that an address asks for, and what is wrong with it.
 * @param {URLSearchParams} parameters
 * @param {T.Lab.LabKit} kit
 * @returns {{ choice: T.Lab.Choice, problem: string }}
 */
export function choiceIn(parameters, kit) {
  const { presets, usual } = kit;
  const asked = (/** @type {string} */ name) => parameters.get(PREFIX + name);
  /** @type {string[]} */
  const problems = [];
  const oneOf = (/** @type {string} */ name, /** @type {string[]} */ allowed, /** @type {string} */ otherwise) => {
    const value = asked(name) ?? otherwise;
    if (allowed.includes(value)) return value;
    problems.push(`${PREFIX}${name} must be one of ${allowed.filter(Boolean).join(", ")}, got “${value}”`);
    return otherwise;
  };
  const whole = (/** @type {string} */ name, /** @type {number} */ least, /** @type {number} */ most, /** @type {number} */ otherwise) => {
    const value = asked(name);
    if (value === null) return otherwise;
    if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    problems.push(`${PREFIX}${name} must be a whole number from ${least} to ${most}, got “${value}”`);
    return otherwise;
  };
  const rule = oneOf("rule", Object.keys(kit.rules), usual.rule);
  const { bug, why } = bugOf(asked("bug") ?? "", rule, kit);
  if (why) problems.push(why);
  const start = oneOf("start", Object.keys(presets.labels), presets.usual.start);
  const sizes = Object.keys(presets.sizes).map(Number);
  const tokens = whole("tokens", Math.min(...sizes), Math.max(...sizes), presets.usual.tokens);
  const k = whole("k", 1, kit.guesses, usual.k);
  const seed = whole("seed", 0, Number.MAX_SAFE_INTEGER, usual.seed);
  const trials = Number(oneOf("trials", kit.trials.map(String), String(kit.trials.at(-1))));
  const trial = whole("trial", 1, Math.max(...kit.trials), 1) - 1;
  const preset = presets.sizes[tokens][start];
  const choice = { start, names: presets.names.slice(0, tokens), ...preset, rule, bug, k, seed, trials, trial };
  for (const side of /** @type {const} */ (["p", "q"])) {
    const list = asked(side);
    if (list === null) continue;
    const values = list.split(",").map(Number);
    const sum = values.reduce((total, each) => total + each, 0);
    if (values.length === choice.names.length && values.every((each) => each >= 0) && Math.abs(sum - 1) < SUM) {
      choice[side] = rounded(values);
      choice.start = "own";
    } else problems.push(`${PREFIX}${side} must be ${choice.names.length} numbers from 0 that sum to 1, got “${list}”`);
  }
  return { choice, problem: problems.length ? `${problems.join("; ")}.` : "" };
}

/**
 * The bug of an address where the rule can have it; else none, and why.
 * @param {string} asked
 * @param {string} rule
 * @param {T.Lab.LabKit} kit
 */
function bugOf(asked, rule, { bugs, rules }) {
  const known = Object.hasOwn(bugs, asked) ? bugs[asked] : null;
  if (!asked || known?.rules.includes(rule)) return { bug: asked, why: "" };
  const label = rules[rule].label;
  if (!known) return { bug: "", why: `${PREFIX}bug must be one of ${Object.keys(bugs).join(", ")}, got “${asked}”` };
  const able = known.rules.map((name) => rules[name].label).join(", ");
  return { bug: "", why: `${label} cannot have the bug “${known.label}” (offered for: ${able}), so the rule is shown as it should be` };
}

/**
 * Writes a choice into the page's address. A real decision is not written: it belongs to a run.
 * @param {T.Lab.Choice} choice @param {T.Lab.LabKit} kit
 */
export function keepInAddress({ start, names, p, q, rule, bug, k, seed, trials, trial }, kit) {
  const { presets, usual } = kit;
  const isOwn = start === "own";
  const unless = (/** @type {string | number} */ value, /** @type {unknown} */ usually) => (value === usually ? "" : String(value));
  const values = {
    rule: unless(rule, usual.rule),
    bug,
    start: isOwn || start === "last" ? "" : unless(start, presets.usual.start),
    tokens: unless(names.length, presets.usual.tokens),
    k: unless(k, usual.k),
    seed: unless(seed, usual.seed),
    trials: unless(trials, kit.trials.at(-1)),
    trial: unless(trial + 1, 1),
    p: isOwn ? p.join(",") : "",
    q: isOwn ? q.join(",") : "",
  };
  setInAddress(Object.fromEntries(Object.entries(values).map(([name, value]) => [PREFIX + name, value])));
}
