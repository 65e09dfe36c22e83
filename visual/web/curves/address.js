// The view in the page's address, `?tab=curves&curve=speed`, and the fields of "Does it pay for me?" with it.

/** @import * as T from "../types" */

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
  const address = new URL(location.href);
  const values = Object.entries({ [PARAMETER]: view === "accepted" ? "" : view, ...fields });
  for (const [name, value] of values) {
    if (value && (view === "pays" || name === PARAMETER)) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  if (address.href !== location.href) history.replaceState(history.state, "", address);
}
