// The view in the page's address, `?tab=curves&curve=speed`, and the fields of "Does it pay for me?" with it.

/** @import * as T from "../types" */
import { setInAddress } from "../base/kept.js";

const PARAMETER = "curve";
const VIEWS = /** @type {T.Curves.View[]} */ (["accepted", "next", "speed", "pays"]);

/** The view that an address asks for, if any, and what is wrong with it. @param {URLSearchParams} parameters */
export function viewIn(parameters) {
  const asked = parameters.get(PARAMETER);
  const view = VIEWS.find((each) => each === asked);
  const isWrong = asked !== null && !view;
  return { view, problem: isWrong ? `${PARAMETER} must be one of ${VIEWS.join(", ")}, got “${asked}”.` : "" };
}

/** @param {T.Curves.View} view @param {Record<string, string>} fields by name; they are of "Does it pay for me?" alone. */
export function keepInAddress(view, fields) {
  const isUsual = view === "accepted";
  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, ""]));
  setInAddress({ [PARAMETER]: isUsual ? "" : view, ...(view === "pays" ? fields : none) });
}
