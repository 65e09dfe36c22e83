// The address at which the page runs the settings of a run with another temperature and k, and shows the same step.

/** @import * as T from "../types" */

const MAX_CHARACTERS = 8000; // of an address that servers take (visual/ui/links.py)

/** @param {T.BeginMessage} run @param {T.WhatIf} whatIf @param {number} index of the step @returns {string} empty: it would be too long */
export function linkOf({ prompt, models, settings }, { temperature, k }, index) {
  const link = new URL(location.pathname, location.origin);
  const values = { prompt, models, ...settings, temperature, draft_tokens: k, step: index + 1 };
  for (const [name, value] of Object.entries(values)) link.searchParams.set(name, String(value));
  if (document.body.classList.contains("dark")) link.searchParams.set("__theme", "dark");
  return link.href.length > MAX_CHARACTERS ? "" : link.href;
}
