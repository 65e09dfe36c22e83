// The form of the Generate tab: its request, its link, and the controls that follow one another. In the browser, so that Generate pressed right
// after a choice runs what was chosen, and no late answer undoes a newer choice.

import { openedWith } from "../base/kept.js";
import { partOf, whenMounted } from "../base/parts.js";
import { remember, remembered } from "./remember.js";
import { requestRun } from "./run_buttons.js";
import { share } from "./share.js";

/** @import { Sharing } from "./share.js" */

const PLAYER = "player"; // its element
const BUTTON = "generate";

const player = () => /** @type {HTMLElement} */ (document.getElementById(PLAYER));

/**
 * A run is requested; the browser remembers its settings. A method chosen a moment ago may not have reached the fields of its parts.
 * @param {string[]} names of the values.
 * @param {Methods} methods by their labels in the menu
 * @param {...unknown} values
 */
export async function request(names, methods, ...values) {
  const menu = /** @type {HTMLInputElement | null} */ (document.querySelector("#method input"));
  const parts = methods[menu?.value ?? ""];
  if (parts) ["algorithm", "topology"].forEach((name, index) => (values[names.indexOf(name)] = parts[index]));
  await requestRun(BUTTON, [PLAYER]);
  remember(new URLSearchParams(names.map((name, index) => [name, String(values[index] ?? "")])).toString());
  return values;
}

/** The player marks a run of other settings. @param {string[]} names of the values. @param {...unknown} values */
export function compareWithRun(names, ...values) {
  partOf(player())?.compare(Object.fromEntries(names.map((name, index) => [name, values[index]])));
}

// --- method and parts ---------------------------------------------------------------------------------------------------------------------

/** @typedef {Record<string, [string, string]>} Methods by name: algorithm and topology */

/** The parts of a method; of none the parts stay. @param {Methods} methods @param {string} method @param {[string, string]} parts */
export const partsOf = (methods, method, ...parts) => methods[method] ?? parts.slice(0, 2);

/** The values of the form with the parts of the method. @param {Methods} methods @param {[string, string, string, ...unknown[]]} values */
export const withParts = (methods, ...[method, algorithm, topology, ...others]) => [
  method,
  ...partsOf(methods, method, algorithm, topology),
  ...others,
];

/** @param {Record<string, Record<string, string>>} methods by algorithm and topology @param {string} algorithm @param {string} topology */
export const methodOf = (methods, algorithm, topology) => methods[algorithm]?.[topology];

/** Lets what changes after a field change first. */
export const nextTask = () => new Promise((resolve) => setTimeout(() => resolve([]), 0));

// --- links --------------------------------------------------------------------------------------------------------------------------------

/**
 * Copies a link to the settings, with the step and the node in view if the run on the screen is one of these settings.
 * @param {Sharing & { byParts: string, fields: { name: string, id: string, isPart: boolean }[] }} of `byParts`: the method that is none.
 * @param {string} method
 * @param {...string} values of the fields
 */
export function copyLink({ byParts, fields, ...sharing }, method, ...values) {
  const link = new URLSearchParams();
  const isNamed = method !== byParts;
  if (isNamed) link.set("method", method);
  fields.forEach(({ name, id, isPart }, index) => {
    if (document.getElementById(id) && !(isNamed && isPart)) link.set(name, values[index] ?? "");
  });
  const { step, vertex, stale } = player().dataset;
  if (stale !== "true" && Number(step) > 0) link.set("step", step ?? "");
  if (stale !== "true" && vertex !== undefined) link.set("vertex", vertex);
  return share(sharing, link.toString());
}

/** The settings of the last run, once the player shows the recorded one, which would replace a message sent before. */
export async function openPage() {
  await whenMounted(PLAYER);
  return [remembered()];
}

/**
 * @typedef {object} Asking parameters that start a run, and the one that names a trace
 * @property {string[]} names
 * @property {string} trace
 */

/** What the page's link asks of this tab. @param {Asking} parameters */
function asked({ names, trace }) {
  const query = openedWith();
  const isHere = (query.get("tab") ?? "generate") === "generate";
  return { query, isTrace: isHere && query.has(trace), isRun: isHere && names.some((name) => query.has(name)) };
}

/** Starts the run of a link, and shows it at the link's step and node. @param {Asking} parameters */
export async function runLink(parameters) {
  const { query, isTrace, isRun } = asked(parameters);
  if (!isTrace && !isRun) return;
  const part = await whenMounted(PLAYER);
  const [step, vertex] = ["step", "vertex"].map((name) => (query.has(name) ? Number(query.get(name)) : undefined));
  if (isTrace) {
    if (step !== undefined) part.go(step);
  } else if (player().dataset.state !== "error") {
    part.open({ step, vertex });
    document.getElementById(BUTTON)?.click();
  }
}

/** The settings of a link did not arrive. @param {Asking} parameters @param {string} message about it */
export function reportUnread(parameters, message) {
  const { isTrace, isRun } = asked(parameters);
  if (isTrace || isRun) partOf(player())?.receive(message);
}
