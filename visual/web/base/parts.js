// The parts of the page that show runs, and what others may ask of them: `host.ersd`, on the element that has the part's id.

/** @import * as T from "../types" */

/**
 * @typedef {object} RunPart shows a run: the curves
 * @property {(messages: string) => void} receive shows messages, one on a line
 * @property {(stop: () => void) => void} requested a run was requested; `stop` ends it on the server
 *
 * @typedef {RunPart & { go: (step: number) => void }} SteppedPart goes to a step, from 1: the board
 *
 * @typedef {object} PlayerOnly
 * @property {() => void} play plays the step in view once
 * @property {(link: { step?: number, vertex?: number }) => void} open what a link names is shown as soon as it is there
 * @property {(values: Record<string, unknown>) => void} compare the controls have these values, by field
 * @property {() => T.View | null} view what is on the screen
 * @property {() => void} [onAct] called when a reader acts, or another run is shown
 *
 * @typedef {SteppedPart & PlayerOnly} PlayerPart
 */

/** @type {Map<string, ((part: any) => void)[]>} by id, who waits for the part */
const waiting = new Map();

/**
 * Lets others reach a part. What it shows at first is there already, so that nothing that it is sent gets lost or replaced.
 * @param {HTMLElement & { ersd?: RunPart }} host
 * @param {RunPart} part
 * @param {AbortSignal} ended
 */
export function mountPart(host, part, ended) {
  host.ersd = part;
  ended.addEventListener("abort", () => host.ersd === part && delete host.ersd);
  for (const resolve of waiting.get(host.id) ?? []) resolve(part);
  waiting.delete(host.id);
}

/**
 * The part of an element; undefined before it is mounted.
 * @template {RunPart} [P=PlayerPart]
 * @param {Element | null | undefined} host
 * @returns {P | undefined}
 */
export const partOf = (host) => /** @type {{ ersd?: P } | null | undefined} */ (host)?.ersd;

/**
 * A part, once it is mounted: in a tab of the page that was never open that is when it is opened.
 * @template {RunPart} [P=PlayerPart]
 * @param {string} id
 * @returns {Promise<P>}
 */
export function whenMounted(id) {
  const part = /** @type {P | undefined} */ (partOf(document.getElementById(id)));
  if (part) return Promise.resolve(part);
  return new Promise((resolve) => waiting.set(id, [...(waiting.get(id) ?? []), resolve]));
}
