// The lanes: draft above, target below, the same with a draft that works ahead, and the same tokens without a draft, all on one axis.

import { formatFactor, signOf } from "../figures/cost_ratio.js";
import { count, fill } from "../base/format.js";
import { duration } from "../base/numbers.js";
import { html, nothing } from "../lit-html.js";

const [NARROW, SLIM] = [0.032, 0.1]; // shares of the axis below which a box has no room for a word: on any screen, on a phone and in large letters
const SIGNS = { draft: "✓", target: "★" };

/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Slot} Slot */
/** @typedef {import("./layout.js").Interval} Interval */
/** @typedef {{ hasDraft: boolean, isSameText: boolean, alone: number | null, whole: string, wholeAhead: string }} Run what of a run the picture depends on; `whole`: its own speed, in words; `wholeAhead`: with a draft that works ahead */

/** @param {Layout} layout @param {Run} run @param {Record<string, string>} words */
export function lanes(layout, run, words) {
  const { slots, sums, span, ticks, plain, ahead, factor } = layout;
  return html`<div class="ersd-lanes-field" style=${`--tick: ${percent(ticks[1] ?? span, span)}`}>
    <div class="ersd-lanes-numbers">${slots.map((slot) => numberOf(slot, span, words))}</div>
    ${run.hasDraft ? draftLane(slots, sums.all, span, words) : nothing} ${targetLane(slots, sums.all, span, words)}
    <div class="ersd-lanes-words" translate="no">${slots.map((slot) => wordsOf(slot, span))}</div>
    ${endOf(sums.all, factor, run.whole, words)} ${ahead ? aheadLanes(ahead, span, run.wholeAhead, words) : nothing}
    ${plain === null ? nothing : plainLane(layout, run, words)}
    <div class="ersd-lanes-axis" aria-hidden="true">${ticks.map((tick) => tickAt(tick, span))}</div>
  </div>`;
}

/** @param {Slot} slot @param {number} span @param {Record<string, string>} words */
function numberOf({ start, end, step, isInView }, span, words) {
  const name = fill(words.number, { step: step.index + 1 });
  const size = (end - start) / span < SLIM ? "slim" : "";
  return html`<span class=${`${isInView ? "here" : ""} ${size}`} style=${placed({ start, end }, span)}
    ><span class="long" .textContent=${name}></span><span class="short" .textContent=${String(step.index + 1)}></span
  ></span>`;
}

/** @param {Slot[]} slots @param {number} all @param {number} span @param {Record<string, string>} words */
function draftLane(slots, all, span, words) {
  const blocks = slots.map(({ calls, draft, step }) => {
    if (!calls) {
      const title = fill(words.drafting, { count: step.draft_calls, ms: lasting(draft) });
      return html`<i class="call" style=${placed(draft, span)} title=${title}></i>`;
    }
    return calls.map((call, place) => {
      const title = fill(words.call, { number: place + 1, count: calls.length, ms: lasting(call) });
      return html`<i class="call" style=${placed(call, span)} title=${title}></i>`;
    });
  });
  const said = slots.map(({ draft, step }) =>
    fill(words.said_draft, { step: step.index + 1, calls: count(step.draft_calls, "draft call"), ms: lasting(draft) }),
  );
  return html`<span class="ersd-lanes-name" .textContent=${words.draft}></span>
    ${lane(`${words.draft}: ${said.join("; ")}`, blocks, all, span)}`;
}

/** @param {string} said @param {unknown} blocks @param {number} all milliseconds up to its end @param {number} span @param {string} [kind] */
function lane(said, blocks, all, span, kind = "") {
  return html`<div class=${`ersd-lane ${kind}`} role="img" aria-label=${said} style=${`--end: ${percent(all, span)}`}>
    ${blocks}<i class="end"></i>
  </div>`;
}

/** The same steps with a draft that works while the target verifies. @param {import("./layout.js").Ahead} ahead @param {number} span @param {string} whole @param {Record<string, string>} words */
function aheadLanes({ slots, all, factor }, span, whole, words) {
  const marks = slots.map((slot) => {
    const [sign, title, kind] = slot.isPrepared ? [SIGNS.draft, words.prepared, "prepared"] : ["✕", words.not_prepared, "anew"];
    const step = slot.step.index + 1;
    const text = `${sign} ${step}`;
    return html`<span class=${kind} style=${placed(slot, span)} title=${fill(title, { step })} .textContent=${text}></span>`;
  });
  const blocks = slots.map(({ ahead, calls, draft, isPrepared, step }) => {
    const anew = isPrepared ? [] : (calls ?? [draft]);
    const titles = [fill(words.preparing, { step: step.index + 2 }), fill(words.drafting_anew, { step: step.index + 1 })];
    return [
      ahead.map((part) => html`<i class="ahead" style=${placed(part, span)} title=${`${titles[0]}: ${lasting(part)}`}></i>`),
      anew.map((part) => html`<i class="call" style=${placed(part, span)} title=${`${titles[1]}: ${lasting(part)}`}></i>`),
    ];
  });
  const said = slots.map(({ isPrepared, waits, step }) =>
    fill(isPrepared ? words.said_prepared : words.said_not_prepared, { step: step.index + 1, ms: lasting(waits) }),
  );
  return html`<p class="ersd-lanes-title" .textContent=${words.ahead}></p>
    <div class="ersd-lanes-numbers ersd-lanes-marks">${marks}</div>
    <span class="ersd-lanes-name" .textContent=${words.draft}></span>
    ${lane(`${words.ahead}. ${said.join("; ")}`, blocks, all, span, "predrafted")} ${targetLane(slots, all, span, words, "predrafted")}
    ${endOf(all, factor, whole, words, "ahead")}`;
}

/** @param {Slot[]} slots @param {number} all @param {number} span @param {Record<string, string>} words @param {string} [kind] */
function targetLane(slots, all, span, words, kind) {
  const blocks = slots.map(({ verify, accept, step }) => {
    const tokens = count(1 + step.tree.q.length, "token");
    const gained = fill(words.gained, { count: step.text.length });
    const signs = step.text.map(({ source }) => SIGNS[source]).join("");
    return html`<span class="verify" style=${placed(verify, span)} title=${fill(words.verify, { count: tokens, ms: lasting(verify) })}
        ><b .textContent=${gained}></b><small .textContent=${signs}></small></span
      ><i class="accept" style=${placed(accept, span)} title=${fill(words.accept, { ms: lasting(accept) })}></i>`;
  });
  const said = slots.map(({ verify, step }) =>
    fill(words.said_target, { step: step.index + 1, tokens: count(step.text.length, "token"), ms: lasting(verify) }),
  );
  return html`<span class="ersd-lanes-name" .textContent=${words.target}></span>
    ${lane(`${words.target}: ${said.join("; ")}`, blocks, all, span, kind)}`;
}

/** The text of a step under its blocks. @param {Slot} slot @param {number} span */
function wordsOf({ start, end, step }, span) {
  const tokens = step.text.map(
    ({ text, source }, place) => html`<span class=${source} .textContent=${place ? text : text.trimStart()}></span>`,
  );
  const title = step.text.map(({ text }) => text).join("");
  return html`<p style=${`--share: ${percent(end - start, span)}; flex-basis: var(--share)`} title=${title} dir="auto">${tokens}</p>`;
}

/** @param {number} all milliseconds @param {number | null} factor @param {string} whole the whole run, in words @param {Record<string, string>} words @param {string} [kind] */
function endOf(all, factor, whole, words, kind = "") {
  const sign = factor === null ? "" : signOf(factor);
  const key = { "▲": "faster", "▼": "slower", "": "equal" }[sign];
  const speed = factor === null ? "" : `${sign} ${fill(words[key], { factor: formatFactor(factor) })}`.trim();
  return html`<p class=${`ersd-lanes-end ${kind} ${sign === "▼" ? "slower" : ""}`}>
    <b .textContent=${duration(all).text}></b> <span .textContent=${speed}></span> <small .textContent=${whole}></small>
  </p>`;
}

/** @param {Layout} layout @param {Run} run @param {Record<string, string>} words */
function plainLane({ slots, tokens, plain, span }, { alone, isSameText }, words) {
  const [width, title] = [percent(alone ?? 0, span), fill(words.plain, { ms: duration(alone ?? 0).text })];
  const share = (alone ?? 0) / span;
  const size = `${share < NARROW ? "narrow" : ""} ${share < SLIM ? "slim" : ""}`;
  const texts = slots.flatMap(({ step }) => step.text.map(({ text }) => (isSameText ? text.trim() : "+1")));
  const boxes = texts.map(
    (text) => html`<span style=${`width: ${width}`} title=${title}><b class=${size} .textContent=${text}></b></span>`,
  );
  const what = fill(isSameText ? words.same_text : words.as_many, { tokens: count(tokens, "token") });
  return html`<span class="ersd-lanes-name plain" .textContent=${words.without}></span>
    <div class="ersd-lane plain" role="img" aria-label=${`${words.without}, ${what}: ${duration(plain ?? 0).text}`} translate="no">
      ${boxes}
    </div>
    <p class="ersd-lanes-end plain"><b .textContent=${duration(plain ?? 0).text}></b> <span .textContent=${what}></span></p>`;
}

/** @param {number} tick @param {number} span */
function tickAt(tick, span) {
  const text = span < 9999.5 ? `${tick}${tick ? "" : " ms"}` : `${tick / 1000}${tick ? "" : " s"}`;
  return html`<span style=${`left: ${percent(tick, span)}`} .textContent=${text}></span>`;
}

/** @param {Interval} interval */
const lasting = ({ start, end }) => duration(end - start).text;

/** @param {number} part @param {number} whole */
const percent = (part, whole) => `${((100 * part) / whole).toFixed(3)}%`;

/** Left end and width; neighbours keep a seam as long as there is room for one. @param {Interval} interval @param {number} span */
const placed = ({ start, end }, span) => `left: ${percent(start, span)}; width: max(1px, calc(${percent(end - start, span)} - 1px))`;
