// What each guess saves and costs, as bars over a table, and the prices behind them.

/** @import * as T from "../types" */
import { ordinal } from "../base/format.js";
import { number } from "../base/numbers.js";
import { html, nothing } from "../lit-html.js";

/** @param {T.Guesses} guesses @param {Record<string, string>} words @param {T.NumberFormat} format */
export function guessTable({ headline, sentence, note, adds, saves, costs, best, prices }, words, format) {
  const most = Math.max(...saves, ...costs);
  const dearest = Math.max(...prices.map(({ ms }) => ms));
  const classOf = (/** @type {number} */ place) => (place < best ? "pays" : "") + (place === best ? " stops" : "");
  const cells = (/** @type {number[]} */ values) =>
    values.map((ms, place) => html`<td class=${classOf(place)} .textContent=${milliseconds(ms, format)}></td>`);
  const bars = saves.map((ms, place) => {
    const heights = `--saves: ${(ms / most).toFixed(4)}; --costs: ${(costs[place] / most).toFixed(4)}`;
    return html`<td class=${classOf(place)} style=${heights}><i></i></td>`;
  });
  const table = html`<div class="ersd-guesses-table" tabindex="0" role="group" aria-label=${words.pays}>
      <table>
        <tbody>
          <tr class="bars" aria-hidden="true">
            <th></th>
            ${bars}
          </tr>
          <tr>
            <th scope="row" .textContent=${words.guess}></th>
            ${saves.map((_, place) => html`<th scope="col" class=${classOf(place)} .textContent=${ordinal(place + 1)}></th>`)}
          </tr>
          <tr>
            <th scope="row" .textContent=${words.adds}></th>
            ${adds.map((tokens, place) => html`<td class=${classOf(place)} .textContent=${number(tokens, format)}></td>`)}
          </tr>
          <tr class="saves">
            <th scope="row" .textContent=${words.saves}></th>
            ${cells(saves)}
          </tr>
          <tr class="costs">
            <th scope="row" .textContent=${words.costs}></th>
            ${cells(costs)}
          </tr>
        </tbody>
      </table>
    </div>
    <div class="ersd-guesses-prices">
      <h4 .textContent=${words.prices}></h4>
      ${prices.map(
        ({ label, ms }) =>
          html`<p style=${`--share: ${(ms / dearest).toFixed(4)}`}>
            <span .textContent=${label}></span><i></i><b .textContent=${`${milliseconds(ms, format)} ms`}></b>
          </p>`,
      )}
    </div>`;
  return html`<section class="ersd-guesses">
    <h3 .textContent=${words.pays}></h3>
    <p class="ersd-guesses-headline" .textContent=${headline}></p>
    <p .textContent=${sentence}></p>
    ${saves.length ? table : nothing}
    <p class="ersd-lanes-note" .textContent=${note}></p>
  </section>`;
}

/** Two digits: near 1 it is no probability, which would get more. @param {number} ms @param {T.NumberFormat} format */
const milliseconds = (ms, format) => number(Number(ms.toPrecision(2)), format);
