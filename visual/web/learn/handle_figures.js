// Figures that a handle changes: what one target call costs by the number of tokens it scores, here and on a GPU; three shapes of a draft of as
// many tokens, with what they are expected to give; a chain decided from the root and from the leaf; and the clocks of a recorded text under
// the seed that wrote it and under others.

/** @import * as T from "../types" */
import { count, fill } from "../base/format.js";
import { kitOfPage } from "../base/kit.js";
import { plain } from "../base/templates.js";
import { html, nothing, render } from "../lit-html.js";
import { clockLegend, markedText, runningSums, sumChart } from "../watermark/picture.js";

const FEW = [1, 5]; // tokens of the first bars; the handle chooses those of the third
const PARTS = ["one", "five", "seventeen"];
const USUAL = "16"; // tokens of a draft

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawCalls(host, { calls: { machine, here, gpu } }, labels) {
  const title = fill(labels.calls_here, { machine });
  const handle = {
    label: labels.calls_handle,
    note: labels.calls_note,
    names: here.map(({ tokens }) => String(tokens)),
    at: here.length - 1,
  };
  drawFigure(host, handle, (at) => [callsOf(title, here, at, true), callsOf(labels.calls_gpu, gpu, at, false)]);
}

/** @param {string} title @param {T.Learn.Call[]} calls by their number of tokens, from 1 @param {number} at @param {boolean} isHere */
function callsOf(title, calls, at, isHere) {
  const most = Math.max(...calls.map(({ ratio }) => ratio), 2.5);
  const rows = PARTS.map((part, place) => {
    const { tokens, ms, ratio } = calls[place < FEW.length ? FEW[place] - 1 : at];
    return html`<div class="learn-call" data-part=${isHere ? part : nothing}>
      <b .textContent=${count(tokens, "token")}></b>
      ${barOf(ratio / most)}
      <span class="number" .textContent=${`${ms.toFixed(1)} ms`}></span>
      <strong .textContent=${`${ratio.toFixed(2)}×`}></strong>
    </div>`;
  });
  return html`<section class="learn-calls" data-part=${isHere ? nothing : "gpu"}>
    <h3 .textContent=${title}></h3>
    ${rows}
  </section>`;
}

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawTrees(host, { trees }, labels) {
  const names = Object.keys(trees);
  const most = Math.max(...Object.values(trees).flatMap((shapes) => Object.values(shapes).map(({ expected }) => expected)));
  const handle = { label: labels.trees_handle, note: labels.trees_note, names, at: names.indexOf(USUAL) };
  const section = (/** @type {[string, { svg: string, expected: number }]} */ [name, { svg, expected }]) =>
    html`<section class="learn-tree" data-part=${name}>
      <h3 .textContent=${labels[`tree_${name}`]}></h3>
      <div .innerHTML=${svg}></div>
      <p><b .textContent=${expected.toFixed(2)}></b>${plain(` ${labels.tree_expected}`)}</p>
      ${barOf(expected / most)}
    </section>`; // the picture is made by the server from the shape alone
  drawFigure(host, handle, (at) => Object.entries(trees[names[at]]).map(section));
}

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawLeaves(host, { leaves: { positions, at } }, labels) {
  const handle = { label: labels.leaves_handle, note: labels.leaves_note, names: positions.map(({ name }) => name), at };
  drawFigure(host, handle, (place) => {
    const { root, leaf, average } = positions[place];
    return [
      chancesOf("root", ["first", "second", "both"], root, 1, labels),
      chancesOf("leaf", ["carried", "path"], leaf, 1, labels),
      chancesOf("average", ["from_root", "from_leaf"], average, 2, labels),
    ];
  });
}

/**
 * Values as bars, each with the sum that it comes from.
 * @param {string} part
 * @param {string[]} names of the rows, in the labels
 * @param {[string, number][]} rows
 * @param {number} most length of a bar
 * @param {Record<string, string>} labels
 */
function chancesOf(part, names, rows, most, labels) {
  const lines = rows.map(
    ([says, value], place) =>
      html`<div class=${`learn-call ${names[place]}`}>
        <b .textContent=${labels[`leaves_${names[place]}`]}></b>
        ${barOf(value / most)}
        <span class="number" .textContent=${says}></span>
        <strong .textContent=${value.toFixed(2)}></strong>
      </div>`,
  );
  return html`<section class="learn-calls learn-chances" data-part=${part}>
    <h3 .textContent=${labels[`leaves_${part}`]}></h3>
    ${lines}
  </section>`;
}

/** @param {HTMLElement} host @param {T.Learn.Figures} figures @param {Record<string, string>} labels */
export function drawMarks(host, { marks }, labels) {
  const kit = kitOfPage();
  const still = { point: () => {}, key: () => {} }; // nothing is said of single tokens here
  const handle = { label: labels.marks_handle, note: labels.marks_note, names: marks.map(({ seed }) => String(seed)), at: 0 };
  drawFigure(host, handle, (at) => {
    const { seed, clocks } = marks[at];
    const title = fill(labels.marks_title, { seed });
    const shown = { ...clocks, id: at ? "tested" : "this", title, ...runningSums(clocks.clocks), changed: [], note: "" };
    return html`<div class="ersd-watermark learn-marks">
      <div data-part="text">${markedText(shown, -1, kit, still)}${clockLegend(kit, [shown])}</div>
      <div data-part="sum">${sumChart([shown], null, kit)}</div>
    </div>`;
  });
}

/** @param {number} share */
const barOf = (share) => html`<span class="learn-track"><i style="width: ${(100 * share).toFixed(1)}%"></i></span>`;

/**
 * Draws a figure and its handle, a slider with its name and what it stands at.
 * @param {HTMLElement} host empty
 * @param {{ label: string, note: string, names: string[], at: number }} handle with the names of its positions, and where it begins
 * @param {(at: number) => unknown} partsAt
 */
function drawFigure(host, { label, note, names, at: begin }, partsAt) {
  const figure = new DocumentFragment(); // what empties the host does not know of the figure
  const draw = (/** @type {number} */ at) => {
    const onInput = (/** @type {Event} */ { target }) => draw(Number(/** @type {HTMLInputElement} */ (target).value));
    const last = names.length - 1;
    render(
      html`${partsAt(at)}
        <label class="learn-handle">
          <span>${plain(`${label} `)}<b .textContent=${names[at]}></b></span>
          <input type="range" min="0" max=${last} aria-valuetext=${names[at]} .value=${String(at)} @input=${onInput} />
        </label>
        <p class="learn-note" .textContent=${note}></p>`,
      figure,
    );
  };
  draw(begin);
  host.append(figure);
}
