// The butterfly of a decision as data of Plotly traces.

/** @import { Kit, MarkStyle } from "../base/kit_types.js" */
/** @import { Decision } from "../base/types.js" */
/** @import { Trace } from "../base/plotly_adapter.js" */
/** @import { BarValues } from "./bar_values.js" */
import { escape, shorten } from "../base/format.js";
import { digitsApart, number, quotient } from "../base/numbers.js";
import { isBeyond, barValuesOf } from "./bar_values.js";

// lengths of bars, in axes: probabilities may end a little beyond, times never do
const BEYOND = 1.2;
export const OFF_SCALE = 1.04; // a time later than the scale
const CUTS = [0.93, 0.97]; // through the bar of such a time, and of what never arrives
const NEVER = 1.08; // what never arrives
const LEAST = 0.012; // a time earlier than the scale

const LETTER = 7.6; // pixels, of a bold one

/** Makes the traces, with colours by name. */
export class Butterfly {
  /** @param {Kit} kit */
  constructor(kit) {
    this.kit = kit;
  }

  /**
   * The data of every trace, by the names of `kit.butterfly.traces`.
   *
   * @param {Decision} decision
   * @param {number | null} picked the try that the reader looks at, null for the decision.
   * @param {number} pixels width of the picture.
   * @returns {Record<string, Trace>}
   */
  data(decision, picked, pixels) {
    const sides = barValuesOf(decision, this.kit.kinds[decision.kind], picked);
    const marks = decision.marks.map((mark) => this.kit.marks[mark]);
    const hovertext = marks.map((mark, row) => this.hover(decision, row, sides, mark));
    const draft = this.lengths(sides.draft, decision);
    const target = this.lengths(sides.target, decision);
    const draftBefore = this.lengths(sides.draftBefore, decision);
    const targetBefore = this.lengths(sides.targetBefore, decision);
    return {
      draft_before: bars(draftBefore),
      target_before: bars(targetBefore),
      draft: { ...bars(draft), ...coloured(draft, marks, "draft"), hovertext, ...thinner(draftBefore) },
      target: { ...bars(target), ...coloured(target, marks, "target"), hovertext, ...thinner(targetBefore) },
      draft_breaks: this.breaks(sides.draft, decision),
      target_breaks: this.breaks(sides.target, decision),
      tokens: { ...this.tokens(decision, marks, pixels), hovertext },
      draft_values: this.values(sides.draft, draft, draftBefore, decision),
      target_values: this.values(sides.target, target, targetBefore, decision),
    };
  }

  /**
   * @param {number[] | null} values
   * @param {Decision} decision
   */
  lengths(values, decision) {
    return (values ?? []).map((value) => this.length(value, decision));
  }

  /**
   * A bar's length, in axes.
   *
   * @param {number} value
   * @param {Decision} decision
   */
  length(value, decision) {
    if (this.kit.kinds[decision.kind].axis === "probability") return Math.min(BEYOND, value / (decision.scale ?? 1));
    if (!Number.isFinite(value)) return NEVER;
    const { first, last } = this.kit.butterfly.decades;
    const place = value > 0 ? (Math.log10(value) - first) / (last - first) : 0;
    return Math.min(OFF_SCALE, Math.max(LEAST, place));
  }

  /**
   * Cuts through bars that go on past the scale: they end at the same length for different values.
   *
   * @param {number[] | null} values
   * @param {Decision} decision
   */
  breaks(values, decision) {
    const rows = (values ?? []).flatMap((value, row) => (this.isBeyond(value, decision) ? [row] : []));
    return { x: rows.flatMap(() => CUTS), y: rows.flatMap((row) => CUTS.map(() => row)) };
  }

  /**
   * @param {number | undefined} value
   * @param {Decision} decision
   */
  isBeyond(value, decision) {
    return this.kit.kinds[decision.kind].axis === "time" && value !== undefined && isBeyond(value, this.kit.butterfly.decades);
  }

  /**
   * The tokens in the middle; those that decided have a sign and are bold.
   *
   * @param {Decision} decision
   * @param {MarkStyle[]} marks
   * @param {number} pixels
   */
  tokens(decision, marks, pixels) {
    const { label_columns: most, middle } = this.kit.butterfly;
    const columns = Math.min(most, Math.floor((middle * pixels) / LETTER));
    const text = marks.map(({ sign }, row) => {
      const before = sign ? `${sign} ` : "";
      const name = escape(shorten(decision.names[row], columns - before.length));
      return sign ? `<b>${before}${name}</b>` : name;
    });
    return { x: marks.map(() => 0), y: marks.map((_, row) => row), text, textfont: { color: marks.map(({ ink }) => ink) } };
  }

  /**
   * Numbers at the ends of the bars that matter and of those past the scale; the others show theirs on hover. Where the smallest or
   * largest value decides, the number of the chosen token has enough digits to differ from the others.
   *
   * @param {number[] | null} values
   * @param {number[]} lengths
   * @param {number[]} before lengths of the outlines, where there are any.
   * @param {Decision} decision
   */
  values(values, lengths, before, decision) {
    const rows = lengths.map((_, row) => row);
    const written = rows.filter((row) => this.kit.marks[decision.marks[row]].sign || this.isBeyond(values?.[row], decision));
    const own = values?.[decision.chosen];
    const isCompared = own !== undefined && !decision.tries;
    const digits = written.map((row) => (isCompared ? digitsApart([values?.[row] ?? own, own], this.kit.numbers) : undefined));
    const most = isCompared ? Math.max(...digits.map((one) => one ?? 0)) : undefined;
    return {
      x: written.map((row) => Math.max(lengths[row], before[row] ?? 0)),
      y: written,
      text: written.map((row, place) => `\u2009${this.short(values?.[row], row === decision.chosen ? most : digits[place])}\u2009`),
    };
  }

  /**
   * A number short enough to fit after the longest bar: 1.6k for 1,623, 17k for 16,539, > 1M for more than a million.
   *
   * @param {number | null | undefined} value
   * @param {number} [digits]
   */
  short(value, digits) {
    if (!value || value < 999.5 || value === Infinity) return this.number(value, digits);
    return value < 999_500 ? `${(value / 1e3).toFixed(value < 9950 ? 1 : 0)}k` : "> 1M";
  }

  /**
   * @param {number | null | undefined} value
   * @param {number} [digits]
   */
  number(value, digits) {
    return number(value, this.kit.numbers, digits);
  }

  /**
   * The arrival of a token as a division that comes out.
   *
   * @param {string} name
   * @param {number} clock
   * @param {number} chance
   */
  arrives(name, clock, chance) {
    return chance ? `arrives ${name}${quotient(clock, chance, this.kit.numbers)}` : "never arrives";
  }

  /**
   * @param {Decision} decision
   * @param {number} row
   * @param {BarValues} sides
   * @param {MarkStyle} mark
   */
  hover(decision, row, sides, mark) {
    const { clock, q } = decision;
    const name = `<b>${escape(decision.names[row])}</b>${mark.drafted ? " · drafted here" : ""}`;
    const target = `target p ${this.number(decision.p[row])}`;
    const draft = q ? `draft q ${this.number(q[row])}` : "";
    if (clock) {
      const arrives = q ? `${draft} · ${this.arrives("E/q", clock[row], q[row])}` : "";
      const lines = [`clock E ${this.number(clock[row])}`, arrives, `${target} · ${this.arrives("E/p", clock[row], decision.p[row])}`];
      return [name, ...lines.filter(Boolean).map(escape)].join("<br>");
    }
    const here = draft && sides.draftBefore ? ` · here ${this.number(sides.draft?.[row])}` : "";
    const left = sides.targetBefore ? ` · left here ${this.number(sides.target[row])}` : "";
    return [name, ...[draft + here, target + left].filter(Boolean).map(escape)].join("<br>");
  }
}

/** @param {number[]} lengths */
const bars = (lengths) => ({ x: lengths, y: lengths.map((_, row) => row) });

/**
 * @param {number[]} lengths
 * @param {MarkStyle[]} marks
 * @param {"draft" | "target"} side
 */
const coloured = (lengths, marks, side) => ({ marker: { color: lengths.map((_, row) => marks[row][side]) } });

/**
 * Bars in front of outlines are thinner.
 *
 * @param {number[]} before
 */
const thinner = (before) => (before.length ? { width: 0.5 } : {});
