// Where the parts of some steps lie on one axis of milliseconds, and what their tokens would have taken without a draft.

/** @import * as T from "../types" */
import { decimal } from "../base/numbers.js";

const SHOWN = 5; // steps on the axis
const BEFORE = 2; // of them before the step in view
const MAX_TICKS = 8;

/** @typedef {{ start: number, end: number }} Interval milliseconds on the axis */
/** @typedef {Interval & { step: T.StepMessage, isInView: boolean, calls: Interval[] | null, draft: Interval, verify: Interval, accept: Interval }} Slot a step; `calls`: null where they are not known */
/** @typedef {{ draft: number, verify: number, accept: number, all: number }} Sums milliseconds, one decimal as they are printed */
/** @typedef {{ slots: Slot[], sums: Sums, tokens: number, plain: number | null, factor: number | null, ahead: Ahead | null, span: number, ticks: number[] }} Layout `plain`: milliseconds of the same tokens without a draft; null: not known */
/** @typedef {Slot & { isPrepared: boolean, waits: Interval, ahead: Interval[] }} AheadSlot the step, had the draft worked on while the target verified; `calls` and `draft`: of a new draft; `ahead`: where it prepares a step */
/** @typedef {{ slots: AheadSlot[], wait: number, all: number, factor: number | null }} Ahead the sums as they are printed */

/**
 * The steps that are drawn: the one in view with its neighbours. Step 1 reads the prompt too, so it is never among them.
 * @param {number} count steps received
 * @param {number} index of the step in view, from 0
 */
export function windowOf(count, index) {
  const first = Math.max(1, Math.min(index - BEFORE, count - SHOWN));
  return { first, end: Math.max(first, Math.min(count, first + SHOWN)) };
}

/**
 * @param {T.StepMessage[]} steps all that were received
 * @param {number} index of the step in view
 * @param {number | null} alone milliseconds per token without a draft, as printed; null: not known, or nothing to compare
 * @param {T.Predrafting | null} [predrafting] null: not known
 * @returns {Layout}
 */
export function layoutOf(steps, index, alone, predrafting) {
  const { first, end } = windowOf(steps.length, index);
  const sums = { draft: 0, verify: 0, accept: 0, all: 0 };
  const slots = steps.slice(first, end).map((step) => {
    const slot = slotOf(step, sums.all, step === steps[index]);
    for (const part of /** @type {const} */ (["draft", "verify", "accept"])) sums[part] = tenths(sums[part] + step.stats.times[part]);
    sums.all = tenths(sums.draft + sums.verify + sums.accept);
    return slot;
  });
  const tokens = slots.reduce((sum, { step }) => sum + step.text.length, 0);
  const plain = alone === null ? null : Number(decimal(tokens * alone, 1));
  const factor = plain !== null && sums.all ? plain / sums.all : null;
  const ahead = predrafting && slots.length ? aheadOf(slots, sums, plain, predrafting) : null;
  const span = Math.max(sums.all, ahead?.all ?? 0, plain ?? 0) || 1;
  return { slots, sums, tokens, plain, factor, ahead, span, ticks: ticksUpTo(span) };
}

/**
 * The same steps with a draft that prepares the next one while the target verifies.
 * @param {Slot[]} slots
 * @param {Sums} sums
 * @param {number | null} plain
 * @param {T.Predrafting} predrafting
 * @returns {Ahead}
 */
function aheadOf(slots, sums, plain, { is_prepared: isPrepared, waits, drafting }) {
  let [start, wait] = [0, 0];
  const moved = slots.map((slot) => {
    const entry = slot.step.index - 1; // lists begin with the second step
    const by = start - slot.start;
    const called = start + waits[entry];
    const [verify, accept] = [slot.verify, slot.accept].map((part) => moveBy(part, called - slot.verify.start));
    const next = called + (drafting[entry + 1] ?? 0); // after the last step there is nothing to prepare
    const ahead = [{ start: called, end: Math.min(next, accept.end) }];
    if (isPrepared[entry]) ahead.unshift({ start, end: called });
    wait = tenths(wait + waits[entry]);
    start = accept.end;
    return {
      ...slot,
      start: called - waits[entry],
      end: accept.end,
      calls: isPrepared[entry] ? [] : (slot.calls?.map((call) => moveBy(call, by)) ?? null),
      draft: moveBy(slot.draft, by),
      verify,
      accept,
      isPrepared: isPrepared[entry],
      waits: { start: called - waits[entry], end: called },
      ahead: ahead.filter((part) => part.end > part.start),
    };
  });
  const all = tenths(wait + sums.verify + sums.accept);
  return { slots: moved, wait, all, factor: plain !== null && all ? plain / all : null };
}

/** @param {Interval} interval @param {number} ms @returns {Interval} */
const moveBy = ({ start, end }, ms) => ({ start: start + ms, end: end + ms });

/** @param {T.StepMessage} step @param {number} start @param {boolean} isInView @returns {Slot} */
function slotOf(step, start, isInView) {
  const { draft, verify, accept } = step.stats.times;
  const [drafted, called] = [start + draft, start + draft + verify];
  const calls = step.draft_spans?.map(([from, to]) => ({ start: start + Math.min(from, draft), end: start + Math.min(to, draft) })) ?? null;
  return {
    step,
    isInView,
    start,
    end: called + accept,
    calls,
    draft: { start, end: drafted },
    verify: { start: drafted, end: called },
    accept: { start: called, end: called + accept },
  };
}

/** Round values from 0 that fit below `span`. @param {number} span */
export function ticksUpTo(span) {
  const power = 10 ** Math.floor(Math.log10(span / MAX_TICKS));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((each) => span / each <= MAX_TICKS) ?? span;
  return Array.from({ length: Math.floor(span / step + 1e-9) + 1 }, (_, place) => Number((place * step).toPrecision(12)));
}

/** @param {number} ms */
const tenths = (ms) => Number(decimal(ms, 1));
