// Why small clocks win, where they leave no trace, and all of them as a table.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { decimal, number, quotient } from "../base/numbers.js";
import { html, nothing } from "../lit-html.js";
import { MAX_SHOWN } from "./picture.js";

const SURE = [1 / 3, 0.9]; // p at which a token is unsure, in between, sure
const DECIMALS = 4; // of clocks that are to be added up

/**
 * @param {import("./picture.js").Marked} own
 * @param {number[]} p of its tokens
 * @param {string} keys
 * @param {T.Kit} kit
 */
export function reasons(own, p, keys, { watermark: { words }, numbers }) {
  const paragraph = (/** @type {string} */ text) => html`<p .textContent=${text}></p>`;
  return html`${luckiest(own, p, words, numbers)} ${paragraph(words.sure)} ${meanClocks(own.clocks, p, words, numbers)}
  ${[words.draft, words[keys], words.tokenised, words.clear].map(paragraph)}`;
}

/** The race that the smallest clock won. @param {import("./picture.js").Marked} own @param {number[]} p @param {Record<string, string>} words @param {T.NumberFormat} numbers */
function luckiest({ texts, clocks }, p, words, numbers) {
  const open = clocks.flatMap((clock, index) => (clock && p[index] < SURE[1] ? [{ clock, index }] : []));
  if (!open.length) return nothing;
  const { clock, index } = open.reduce((one, other) => (other.clock < one.clock ? other : one));
  const comes = quotient(clock, p[index], numbers)
    .replace(/^ [=<>] /, "")
    .replace(" / ", " ÷ ");
  return html`<p .textContent=${fill(words.why, { token: `“${texts[index].trim()}”`, quotient: comes })}></p>`;
}

/** @param {(number | null)[]} clocks @param {number[]} p @param {Record<string, string>} words @param {T.NumberFormat} numbers */
function meanClocks(clocks, p, words, numbers) {
  const groups = [words.below, words.between, words.above].map((name, level) => {
    const own = clocks.filter((clock, index) => clock !== null && SURE.filter((from) => p[index] >= from).length === level);
    const sum = own.reduce((/** @type {number} */ total, clock) => total + (clock ?? 0), 0);
    return { name, count: own.length, mean: own.length ? number(sum / own.length, numbers) : "–" };
  });
  return html`<table>
    <tbody>
      <tr>
        <td></td>
        ${groups.map(({ name }) => html`<th scope="col" .textContent=${name}></th>`)}
        <th scope="col" .textContent=${words.other}></th>
      </tr>
      <tr>
        <th scope="row" .textContent=${words.mean}></th>
        ${groups.map(({ mean }) => html`<td .textContent=${mean}></td>`)}
        <td>1</td>
      </tr>
      <tr>
        <th scope="row" .textContent=${words.tokens}></th>
        ${groups.map(({ count }) => html`<td .textContent=${String(count)}></td>`)}
        <td></td>
      </tr>
    </tbody>
  </table>`;
}

/** Every token with its clock, in columns. @param {import("./picture.js").Marked} text */
export function allClocks({ texts, clocks, title }) {
  const items = texts.slice(0, MAX_SHOWN).map(
    (text, index) =>
      html`<li>
        <span translate="no" .textContent=${text.trim() || "↵"}></span>
        <b .textContent=${clocks[index] === null ? "–" : decimal(clocks[index] ?? 0, DECIMALS)}></b>
      </li>`,
  );
  return html`<h4 .textContent=${title}></h4>
    <ol>
      ${items}
    </ol>`;
}
