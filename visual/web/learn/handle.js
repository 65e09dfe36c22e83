// The handle of a figure: a slider with its name and what it stands at.

import { make } from "../base/dom.js";

/**
 * @param {string} label
 * @param {number} at
 * @param {string[]} names of the positions.
 * @param {(at: number) => void} changed called at once, too.
 */
export function handle(label, at, names, changed) {
  const field = make("label", "learn-handle");
  const [value, input] = [make("b"), make("input")];
  Object.assign(input, { type: "range", min: "0", max: String(names.length - 1), value: String(at) });
  const show = () => {
    value.textContent = names[Number(input.value)];
    input.setAttribute("aria-valuetext", value.textContent);
    changed(Number(input.value));
  };
  input.addEventListener("input", show);
  const words = make("span", "", `${label} `);
  words.append(value);
  field.append(words, input);
  show();
  return field;
}
