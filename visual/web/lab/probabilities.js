// Probabilities that stay a distribution while one of them is changed. Pure functions.

const UNIT = 1e3; // probabilities have three decimals at most, so that the fields show all of them

/**
 * One probability set to a value; the others share the rest in proportion, or equally where they have nothing.
 * @param {number[]} all
 * @param {number} place
 * @param {number} value from 0 to 1.
 */
export function withValue(all, place, value) {
  if (all.length === 1) return [1];
  const others = all.reduce((sum, each, at) => sum + (at === place ? 0 : each), 0);
  const rest = 1 - value;
  const changed = all.map((each, at) => {
    if (at === place) return value;
    return others > 0 ? (each * rest) / others : rest / (all.length - 1);
  });
  return rounded(changed, place);
}

/**
 * Rounded to three decimals, so that they still sum to 1: what is missing goes to the largest that was not set.
 * @param {number[]} all
 * @param {number} [fixed]
 */
export function rounded(all, fixed = -1) {
  const whole = all.map((each) => Math.round(each * UNIT));
  const order = whole.map((_, at) => at).filter((at) => at !== fixed);
  const largest = order.reduce((best, at) => (whole[at] > whole[best] ? at : best), order[0]);
  whole[largest] += UNIT - whole.reduce((sum, each) => sum + each, 0);
  return whole.map((each) => each / UNIT);
}

/** A number that a reader typed, as a probability. @param {string} typed @returns {number | null} null: it is none. */
export function read(typed) {
  const words = typed.trim().replace(",", ".");
  if (!/^\d*\.?\d+%?$|^\d+\.%?$/.test(words)) return null;
  const value = Number(words.replace("%", "")) / (words.endsWith("%") ? 100 : 1);
  return value >= 0 && value <= 1 ? value : null;
}

/** @param {number} value as the fields show it: two decimals, or three. */
export function formatProbability(value) {
  const two = value.toFixed(2);
  return Math.abs(Number(two) - value) < 0.5 / UNIT ? two : value.toFixed(3);
}

/** The probability at the end of the bars: the next round number above the largest. @param {number[]} values */
export function scaleOf(values) {
  const largest = Math.max(...values);
  return [0.12, 0.16, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8].find((full) => largest <= full * 0.97) ?? 1;
}

/**
 * The likeliest tokens of a real decision, rescaled to sum to 1.
 * @param {{names: string[], p: number[], q: number[]}} decision
 * @param {number} most
 */
export function likeliest({ names, p, q }, most) {
  const order = names.map((_, row) => row).sort((one, other) => p[other] + q[other] - p[one] - q[one]);
  const kept = order.slice(0, most).sort((one, other) => q[other] - q[one]);
  const share = (/** @type {number[]} */ values) => {
    const own = kept.map((row) => values[row]);
    const sum = own.reduce((total, each) => total + each, 0);
    return sum > 0 ? rounded(own.map((each) => each / sum)) : null;
  };
  const [scaledP, scaledQ] = [share(p), share(q)];
  return scaledP && scaledQ ? { names: kept.map((row) => names[row]), p: scaledP, q: scaledQ } : null;
}
