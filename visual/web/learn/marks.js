// Figure: the clocks of a recorded text under the seed that wrote it and under others; a handle chooses the seed.

/** @import * as T from "../types" */
import { kitOfPage } from "../base/kit.js";
import { html, render } from "../lit-html.js";
import { clockLegend, markedText, runningSums, sumChart } from "../watermark/picture.js";

/** @param {HTMLElement} host empty @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawMarks(host, { marks }, labels) {
  const kit = kitOfPage();
  const figure = new DocumentFragment(); // what empties the host does not know of the figure
  const nothing = { point: () => {}, key: () => {} };
  const draw = (/** @type {number} */ at) => {
    const { seed, clocks } = marks[at];
    const title = labels.marks_title.replace("{seed}", String(seed));
    const shown = { ...clocks, id: at ? "tested" : "this", title, ...runningSums(clocks.clocks), changed: [], note: "" };
    const onInput = (/** @type {Event} */ { target }) => draw(Number(/** @type {HTMLInputElement} */ (target).value));
    render(
      html`<div class="ersd-watermark learn-marks">
          <div data-part="text">${markedText(shown, -1, kit, nothing)}${clockLegend(kit, [shown])}</div>
          <div data-part="sum">${sumChart([shown], null, kit)}</div>
        </div>
        <label class="learn-handle">
          <span><span .textContent=${labels.marks_handle}></span> <b .textContent=${String(seed)}></b></span>
          <input type="range" min="0" max=${marks.length - 1} aria-valuetext=${String(seed)} .value=${String(at)} @input=${onInput} />
        </label>
        <p class="learn-note" .textContent=${labels.marks_note}></p>`,
      figure,
    );
  };
  draw(0);
  host.append(figure);
}
