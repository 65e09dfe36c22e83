// What came out of the trials: p as an empty outline, filled with the accepted guesses and with the target's own tokens.

/** @import * as T from "../types" */
import { foreign, make } from "../base/dom.js";
import { scaleOf, formatProbability } from "./probabilities.js";

/** @param {HTMLElement} list @param {string[]} names @param {number[]} p @param {T.Lab.Counts} counts */
export function drawOutput(list, names, p, { kept, own, trials, signs }) {
  const shares = names.map((_, token) => (kept[token] + own[token]) / trials);
  const full = scaleOf([...p, ...shares]);
  if (list.children.length !== names.length) list.replaceChildren(...names.map(() => row()));
  for (const [token, element] of [...list.children].entries()) {
    const [name, bar, share, wanted] = /** @type {HTMLElement[]} */ ([...element.children]);
    const { style } = /** @type {HTMLElement} */ (element);
    const long = (/** @type {number} */ value) => String(Math.min(1, value / full));
    style.setProperty("--p", long(p[token]));
    style.setProperty("--kept", long(Math.min(kept[token] / trials, signs[token] > 0 ? p[token] : 1)));
    style.setProperty("--all", long(signs[token] > 0 ? Math.min(shares[token], p[token]) : shares[token]));
    style.setProperty("--share", long(shares[token]));
    element.classList.toggle("often", signs[token] > 0);
    element.classList.toggle("rare", signs[token] < 0);
    name.replaceChildren(foreign(names[token]));
    bar.title = `${kept[token].toLocaleString("en")} accepted, ${own[token].toLocaleString("en")} the target’s own, of ${trials.toLocaleString("en")}`;
    share.textContent = `${{ 1: "▲ ", [-1]: "▼ " }[signs[token]] ?? ""}${shares[token].toFixed(3)}`;
    wanted.textContent = formatProbability(p[token]);
  }
}

function row() {
  const element = make("li", "lab-row");
  const bar = make("span", "lab-output");
  for (const part of ["over", "own", "kept", "outline"]) bar.append(make("i", part));
  element.append(make("b", "lab-name"), bar, make("span", "lab-share"), make("span", "lab-wanted"));
  return element;
}
