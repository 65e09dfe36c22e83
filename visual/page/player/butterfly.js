// The butterfly of one decision: from the columns of a panel (visual/race.py) to Plotly's traces.

import { escape, number, shorten, wrapped } from "./format.js";

const STATES = { a: "accepted", t: "target", r: "rejected", l: "leader", d: "drafted", "-": "" };
const SIGNS = { accepted: "✓★ ", target: "★ ", leader: "◆ ", rejected: "✕ " };
const BEYOND = 1.2; // where a bar ends that does not fit the scale
const NARROW = 380; // pixels, as on a phone
const MIDDLE = 0.27; // share of the width that the tokens have
const LETTER = 7.6; // pixels, of a bold one
const MOST_LEFT = 16; // residuals recorded per vertex: of more, the first ones and the last

// How many tries were rejected before the one in view; without one in view, before the decision fell.
export function rejectionsBefore(panel, tried) {
  const rejected = panel.tries.filter((one) => !one[4]).length;
  return tried === null ? rejected : Math.min(tried, rejected);
}

// The target's side after so many rejections: P itself, what was left, or null where it was not recorded.
function leftAfter(panel, count) {
  if (!count) return panel.p;
  const total = panel.tries.filter((one) => !one[4]).length;
  const kept = panel.left.length;
  const last = kept === MOST_LEFT ? total : kept;
  if (count !== last && count >= kept) return null;
  const left = panel.left[count === last ? kept - 1 : count - 1];
  return left === 0 ? panel.p : left || null;
}

// The draft's side at a try: Q, or what the child was drawn from or compared with there.
function drawnAt(panel, tried) {
  const one = tried === null ? null : panel.tries[tried];
  if (!one || one[5] === 1) return panel.q;
  const gone = panel.removes ? new Set(panel.tries.slice(0, tried).map((each) => each[1])) : new Set();
  return panel.q.map((q, row) => (gone.has(row) ? 0 : q * one[5]));
}

// What the two sides show, by panel and try in view.
function sides(panel, tried) {
  if (panel.kind === "race") {
    const time = (chances) => chances && chances.map((chance, i) => panel.clock[i] / chance);
    return { draft: time(panel.q), target: time(panel.p) };
  }
  if (panel.kind !== "coins") return { draft: panel.q, target: panel.p };
  const draft = drawnAt(panel, inView(panel, tried));
  const count = rejectionsBefore(panel, tried);
  const target = leftAfter(panel, count);
  return { draft, target: target || panel.p, draftBefore: draft === panel.q ? null : panel.q, targetBefore: target && target !== panel.p ? panel.p : null };
}

// The try whose sides are shown: the one chosen, else the accepted one; null after the last rejection.
export function inView(panel, tried) {
  if (tried !== null) return tried < panel.tries.length ? tried : null;
  const accepted = panel.tries.findIndex((one) => one[4]);
  return accepted < 0 ? null : accepted;
}

// Words about the try in view: under the picture, and over its two sides.
export function captions(panel, tried) {
  const count = rejectionsBefore(panel, tried);
  const at = inView(panel, tried);
  const after = `after ${count} rejection${count === 1 ? "" : "s"}`;
  const when = at === null ? `After ${count > 1 ? `all ${count} rejections` : "the rejection"}` : `Try ${at + 1}${count ? `, ${after}` : ""}`;
  const target = leftAfter(panel, count);
  const draft = at === null || panel.tries[at][5] === 1 ? "draft  q" : panel.removes ? "q, earlier out" : "draft  ρ · q";
  const changed = (target && target !== panel.p) || draft !== "draft  q";
  const bars = target === null ? "what was left is not recorded" : changed ? "outline: before" : "P and Q themselves";
  return { under: `${when} · ${bars}`, draft, target: target && target !== panel.p ? "left of  p" : "target  p" };
}

export class Butterfly {
  constructor(kit) {
    this.kit = kit;
  }

  // A bar's length on the scale of its picture, 0 to 1.
  length(value, panel) {
    if (panel.kind !== "race") return Math.min(BEYOND, value / panel.scale);
    if (!Number.isFinite(value)) return 1.08;
    const [first, last] = this.kit.race.decades;
    const place = value > 0 ? (Math.log10(value) - first) / (last - first) : 0;
    return Math.min(1.04, Math.max(0.012, place)); // what is off the scale ends at its edge, never is a little beyond
  }

  // The data of every template by name; `tried` is the try in view, null for the decision, `width` the picture's.
  data(panel, tried, width) {
    const shown = sides(panel, tried);
    const states = [...panel.marks].map((mark) => STATES[mark]);
    const bars = (values, colour, more) => {
      const lengths = (values || []).map((value) => this.length(value, panel));
      return { x: lengths, y: lengths.map((_, row) => row), ...more, ...(colour && { marker: { color: states.slice(0, lengths.length).map(colour) } }) };
    };
    const thin = (before) => (before ? { width: 0.5 } : {});
    const hovertext = states.map((_, row) => this.hover(panel, row, shown));
    const left = bars(shown.draft, (state) => (state === "leader" || state === "rejected" ? `$${state}` : state === "accepted" || state === "drafted" ? "$drafted" : "$bar"));
    const right = bars(shown.target, (state) => (state === "accepted" || state === "target" ? `$${state}` : state ? "$drafted" : "$bar"));
    const before = { draft: bars(shown.draftBefore), target: bars(shown.targetBefore) };
    return {
      "draft-before": before.draft,
      "target-before": before.target,
      draft: { ...left, hovertext, ...thin(shown.draftBefore) },
      target: { ...right, hovertext, ...thin(shown.targetBefore) },
      tokens: { ...this.tokens(panel, states, width), hovertext },
      "draft-values": this.values(shown.draft, left.x, before.draft.x, states),
      "target-values": this.values(shown.target, right.x, before.target.x, states),
    };
  }

  // The tokens in the middle; drafted ones stand out, and what decided has its sign.
  tokens(panel, states, width) {
    const columns = Math.min(this.kit.race.columns, Math.floor((MIDDLE * width) / LETTER));
    const text = states.map((state, row) => {
      const sign = SIGNS[state] || "";
      const name = escape(shorten(panel.names[row], columns - sign.length));
      return sign ? `<b>${sign}${name}</b>` : name;
    });
    const color = states.map((state) => (state === "drafted" ? "$ink" : state ? `$${state}-ink` : "$faint"));
    return { x: states.map(() => 0), y: states.map((_, row) => row), text, textfont: { color } };
  }

  // Numbers at the ends of the bars that matter; the others tell theirs on hover.
  values(values, lengths, before, states) {
    const rows = lengths.map((_, row) => row).filter((row) => SIGNS[states[row]]);
    const end = (row) => Math.max(lengths[row], before[row] || 0);
    return { x: rows.map(end), y: rows, text: rows.map((row) => `\u2009${number(values[row])}\u2009`) };
  }

  hover(panel, row, shown) {
    const p = panel.p[row];
    const q = panel.q && panel.q[row];
    const drafted = "ardl".includes(panel.marks[row]);
    const lines = [`<b>${escape(panel.names[row])}</b>${drafted ? " · drafted here" : ""}`];
    const race = panel.kind === "race";
    if (race) lines.push(`clock E ${number(panel.clock[row])}`);
    if (panel.q) lines.push(`draft q ${number(q)}${race ? ` · arrives E/q ${number(shown.draft[row])}` : shown.draftBefore ? ` · here ${number(shown.draft[row])}` : ""}`);
    lines.push(`target p ${number(p)}${race ? ` · arrives E/p ${number(shown.target[row])}` : shown.targetBefore ? ` · left here ${number(shown.target[row])}` : ""}`);
    return lines.join("<br>");
  }

  // What goes into the layout: rows, scale, the row of the try in view, why a side is missing.
  layout(base, panel, tried, { width, height, drafted }) {
    const layout = { ...base, width, height };
    layout.yaxis = { ...layout.yaxis, range: [Math.max(panel.p.length, 14) - 0.4, -0.6] };
    if (width < NARROW) {
      // room for the number at the end of the longest bar
      layout.xaxis = { ...layout.xaxis, range: [1.45, 0] };
      layout.xaxis2 = { ...layout.xaxis2, range: [0, 1.45] };
    }
    if (panel.scale) {
      const ticks = { tickvals: [0, 0.5, 1], ticktext: ["0", `${panel.scale / 2}`, `${panel.scale}`] };
      for (const axis of ["xaxis", "xaxis2"]) layout[axis] = { ...layout[axis], ...ticks };
    }
    if (!panel.q) {
      layout.xaxis = { ...layout.xaxis, showticklabels: false, showgrid: false };
      const text = wrapped(this.kit.words[drafted ? "leaf" : "no-draft"], 15);
      const small = width < NARROW;
      layout.annotations = [{ xref: "paper", yref: "paper", x: small ? 0.06 : 0.15, y: 0.98, yanchor: "top", showarrow: false, text, font: { size: small ? 10 : 12 } }];
    }
    const at = panel.kind === "coins" && tried !== null && panel.tries[tried] ? panel.tries[tried][1] : -1;
    if (at >= 0) layout.shapes = [{ type: "rect", xref: "paper", x0: 0, x1: 1, y0: at - 0.5, y1: at + 0.5, layer: "below", fillcolor: "$soft", line: { color: "$edge", width: 1 } }];
    return layout;
  }
}
