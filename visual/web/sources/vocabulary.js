// Which tokens can be guessed: the vocabulary by frequency, cut after the most frequent ones, and where the tokens of a step are on it.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { foreign } from "../base/templates.js";
import { html } from "../lit-html.js";

/** @param {T.BeginMessage} run @param {T.StepMessage[]} steps received @param {T.PanelView} view @param {Record<string, string>} words */
export function vocabulary({ settings }, steps, { index, isFinished }, words) {
  const kept = settings.frequent_tokens;
  const before = steps.slice(0, index).flatMap(ranked);
  const here = isFinished ? ranked(steps[index]) : [];
  const most = 10 ** Math.ceil(Math.log10(Math.max(kept + 1, ...steps.flatMap(ranked).map(({ rank }) => rank))));
  const at = (/** @type {number} */ rank) => `--at: ${(Math.log10(rank) / Math.log10(most)).toFixed(4)}`;
  const outside = here.filter(({ rank }) => rank > kept);
  const missed = [...before, ...here].filter(({ rank }) => rank > kept).length;
  const marks = here.map(
    ({ rank }) => html`<b class=${rank > kept ? "outside" : "inside"} style=${at(rank)} .textContent=${rank > kept ? "✕" : ""}></b>`,
  );
  const all = before.length + here.length;
  const cut = kept.toLocaleString("en");
  const found = outside.length ? words.outside : words.inside;
  const said = [fill(words.scale, { kept: cut }), ...(all ? [fill(words.missed, { missed, all })] : [])].join(" ");
  return html`<p
      class="ersd-sources-now"
      .textContent=${fill(isFinished ? found : words.playing, { step: index + 1, count: outside.length })}
    ></p>
    <div class="ersd-vocabulary" style=${at(kept)} aria-hidden="true">
      ${before.map(({ rank }) => html`<i class=${rank > kept ? "outside" : "inside"} style=${at(rank)}></i>`)}${marks}
    </div>
    <p class="ersd-vocabulary-ends" aria-hidden="true">
      <span>1</span><span class="cut" style=${at(kept)} .textContent=${cut}></span><span .textContent=${most.toLocaleString("en")}></span>
    </p>
    <p class="ersd-vocabulary-outside">
      ${outside.map(({ text, rank }) => html`<span>✕ ${foreign(text.trim() || "↵", "ersd-tok")} <b .textContent=${fill(words.rank, { rank: rank.toLocaleString("en") })}></b></span>`)}
    </p>
    <p class="ersd-sources-note" .textContent=${said}></p>`;
}

/** The tokens of a step and their places in the order of frequency. @param {T.StepMessage} step */
const ranked = ({ text }) => text.flatMap(({ text: written, rank }) => (rank === undefined ? [] : [{ text: written, rank }]));
