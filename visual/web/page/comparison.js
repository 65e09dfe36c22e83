// The form of the Compare tab: its request and its link.

import { openedWith } from "../base/kept.js";
import { partOf, whenMounted } from "../base/parts.js";
import { requestRun } from "./run_buttons.js";
import { share } from "./share.js";

/** @import { Sharing } from "./share.js" */

const BOARD = "compare"; // its element; also the name of the tab
const BUTTON = "compare-generate";

/**
 * @typedef {object} Form
 * @property {string[]} names of the values
 * @property {number} lanes methods at most
 * @property {string} nothing the name of no method
 * @property {string} every the source that stands for all of them
 */

/** A value of the form. @param {Form} form @param {unknown[]} values @param {string} name */
const valueOf = ({ names }, values, name) => values[names.indexOf(name)];

/** The methods chosen, each with its number of drafted tokens. @param {Form} form @param {unknown[]} values */
function chosen(form, values) {
  const { lanes, nothing } = form;
  const of = (/** @type {string} */ name) => valueOf(form, values, name);
  const all = Array.from({ length: lanes }, (_, lane) => [of(`method_${lane + 1}`), of(`draft_tokens_${lane + 1}`)]);
  return all.filter(([method]) => method !== nothing);
}

/** The methods after the first are on the form only where methods are compared. @param {string} every @param {string} source */
export function showMethods(every, source) {
  document.querySelector(".compare-setup")?.toggleAttribute("data-methods", source !== every);
}

/** Board and players show that a comparison is requested. @param {Form} form @param {...unknown} values */
export async function request(form, ...values) {
  const lanes = valueOf(form, values, "source") === form.every ? form.lanes : chosen(form, values).length;
  const root = /** @type {HTMLElement} */ (document.querySelector(".comparison"));
  root.dataset.lanes = String(lanes);
  await requestRun(BUTTON, [BOARD, ...Array.from({ length: lanes }, (_, lane) => `${BOARD}-${lane + 1}`)]);
  return values;
}

/**
 * Copies a link to the comparison.
 * @param {Form & Sharing & { perMethod: [string, string], shared: string[] }} of `perMethod`: parameters with a value per method.
 * @param {...string} values
 */
export function copyLink({ perMethod, shared, most, space, ...form }, ...values) {
  const link = new URLSearchParams({ tab: BOARD });
  const methods = chosen(form, values);
  perMethod.forEach((name, part) => link.set(name, methods.map((method) => method[part]).join(",")));
  for (const name of shared) link.set(name, values[form.names.indexOf(name)] ?? "");
  return share({ most, space }, link.toString());
}

/** Where the page was opened by an address of this tab, its elements are there before they are sent anything. @param {...unknown} values */
export async function openPage(...values) {
  if (openedWith().get("tab") === BOARD) await Promise.all([whenMounted(BOARD), whenMounted(`${BOARD}-1`)]);
  return values;
}

/** Does the page's link request a comparison? @param {string[]} names parameters that do */
const isRequested = (names) => openedWith().get("tab") === BOARD && names.some((name) => openedWith().has(name));

/** Starts the comparison of a link. @param {string[]} names parameters that request one. */
export function runLink(names) {
  if (isRequested(names) && document.getElementById(BOARD)?.dataset.state !== "error") document.getElementById(BUTTON)?.click();
}

/** The settings of a link did not arrive. @param {string[]} names parameters that request a comparison. @param {string} message about it */
export function reportUnread(names, message) {
  if (isRequested(names)) partOf(document.getElementById(BOARD))?.receive(message);
}
