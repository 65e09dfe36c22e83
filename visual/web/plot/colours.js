// Colours by name: "$accepted" in a template or in data is looked up in the palette of the light or of the dark page.

/** @import * as T from "../types" */

const WRITTEN = new Set(["text", "hovertext", "customdata"]); // models and users write these: a "$" in them is no colour

/** A copy with colours in place of their names. @template T @param {T} value plain data. @param {T.Palette} palette @returns {T} */
export function resolve(value, palette) {
  return /** @type {T} */ (resolved(value, palette));
}

/** @param {unknown} value @param {T.Palette} palette @returns {unknown} */
function resolved(value, palette) {
  if (Array.isArray(value)) return value.map((each) => resolved(each, palette));
  if (typeof value === "string") return value.startsWith("$") ? palette[value.slice(1)] : value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, WRITTEN.has(name) ? each : resolved(each, palette)]);
  return Object.fromEntries(entries);
}

/**
 * A template with a step's data in it; `marker` and the like are merged one level deep.
 * @param {T.Trace} template its colours are resolved.
 * @param {T.Trace} data its colours are names.
 * @param {T.Palette} palette
 * @returns {T.Trace}
 */
export function withData(template, data, palette) {
  const trace = { ...template };
  for (const [key, value] of Object.entries(resolve(data, palette))) {
    const merged = isObject(value) && isObject(template[key]);
    trace[key] = merged ? { .../** @type {object} */ (template[key]), .../** @type {object} */ (value) } : value;
  }
  return trace;
}

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
