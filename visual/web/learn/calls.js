// Figure: what one target call costs by the number of tokens it scores, here and on a GPU; the handle chooses the number of the third bars.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";
import { handle } from "./handle.js";

const FEW = [1, 5];
const PARTS = ["one", "five", "seventeen"];

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawCalls(host, { calls }, labels) {
  const groups = [
    group(labels.calls_here.replace("{machine}", calls.machine), calls.here, true),
    group(labels.calls_gpu, calls.gpu, false),
  ];
  const numbers = calls.here.map(({ tokens }) => String(tokens));
  const pull = handle(labels.calls_handle, numbers.length - 1, numbers, (at) => groups.forEach(({ show }) => show(at)));
  host.replaceChildren(...groups.map(({ section }) => section), pull, make("p", "learn-note", labels.calls_note));
}

/** @param {string} title @param {T.Learn.Call[]} calls by their number of tokens, from 1 @param {boolean} isHere */
function group(title, calls, isHere) {
  const section = make("section", "learn-calls");
  if (!isHere) section.dataset.part = "gpu";
  section.append(make("h3", "", title));
  const most = Math.max(...calls.map(({ ratio }) => ratio), 2.5);
  const rows = PARTS.map((part) => {
    const row = make("div", "learn-call");
    if (isHere) row.dataset.part = part;
    section.append(row);
    return row;
  });
  const show = (/** @type {number} */ at) => {
    for (const [place, row] of rows.entries()) {
      const { tokens, ms, ratio } = calls[place < FEW.length ? FEW[place] - 1 : at];
      const [bar, track] = [make("i"), make("span", "learn-track")];
      bar.style.width = `${((100 * ratio) / most).toFixed(1)}%`;
      track.append(bar);
      row.replaceChildren(
        make("b", "", `${tokens} token${tokens === 1 ? "" : "s"}`),
        track,
        make("span", "number", `${ms.toFixed(1)} ms`),
        make("strong", "", `${ratio.toFixed(2)}×`),
      );
    }
  };
  return { section, show };
}
