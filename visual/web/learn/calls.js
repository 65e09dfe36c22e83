// Figure: what one target call costs by the number of tokens it scores, here and on a GPU.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";

const PARTS = new Map([
  [1, "one"],
  [5, "five"],
  [17, "seventeen"],
]);

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawCalls(host, { calls }, labels) {
  host.replaceChildren(
    group(labels.calls_here.replace("{machine}", calls.machine), calls.here, true),
    group(labels.calls_gpu, calls.gpu, false),
    make("p", "learn-note", labels.calls_note),
  );
}

/** @param {string} title @param {T.Learn.Call[]} rows @param {boolean} isHere */
function group(title, rows, isHere) {
  const section = make("section", "learn-calls");
  if (!isHere) section.dataset.part = "gpu";
  section.append(make("h3", "", title));
  const most = Math.max(...rows.map(({ ratio }) => ratio), 2.5);
  for (const { tokens, ms, ratio } of rows) {
    const row = make("div", "learn-call");
    if (isHere) row.dataset.part = PARTS.get(tokens) ?? "";
    const bar = make("i");
    bar.style.width = `${((100 * ratio) / most).toFixed(1)}%`;
    const track = make("span", "learn-track");
    track.append(bar);
    row.append(
      make("b", "", `${tokens} token${tokens === 1 ? "" : "s"}`),
      track,
      make("span", "number", `${ms.toFixed(1)} ms`),
      make("strong", "", `${ratio.toFixed(2)}×`),
    );
    section.append(row);
  }
  return section;
}
