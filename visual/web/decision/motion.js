// A decision in motion: a filter over Plotly's finished picture. Each moment is a pure function of what is known then.

/** @import * as T from "../types" */
import { make } from "../base/dom.js";
import { remainingAt } from "./remaining.js";
import { timeAt } from "./time_scale.js";

/**
 * @typedef {object} Known  what is known of a decision at a moment
 * @property {number} draft share of the draft's half that is over
 * @property {boolean} scored the target's probabilities are known
 * @property {number} target share of the target's half that is over
 * @property {number | null} stage the try in view; null: as decided
 * @property {number} tries coins that have fallen
 */

/** @type {Known} */
export const ALL = { draft: 1, scored: true, target: 1, stage: null, tries: Infinity };

const SCORED_FROM = 0.5; // share of the target's sweep over the tree
const OVER = 0.999;

/**
 * What is known in a scene of the decision at a visit.
 * @param {T.Scene} scene
 * @param {number} place index of the visit
 * @returns {Known}
 */
export function knownAt(scene, place) {
  const { phase, drafted, visit, settled, share, tries, trying } = scene;
  if (phase === "text" || (phase === "walk" && place < settled)) return ALL;
  if (phase === "draft") return { ...ALL, draft: drafted, scored: false, target: 0, stage: 0, tries: 0 };
  if (phase === "score") return { ...ALL, scored: scene.sweep >= SCORED_FROM, target: 0, stage: 0, tries: 0 };
  if (place !== visit) return { ...ALL, target: 0, stage: 0, tries: 0 };
  return { ...ALL, target: share, stage: trying ? trying - 1 : 0, tries };
}

/** Shows a drawn decision as far as it is known. */
export class DecisionMotion {
  /**
   * @param {HTMLElement} host of the picture
   * @param {T.Plot} plot
   */
  constructor(host, plot) {
    this.plot = plot;
    const cursor = (/** @type {string} */ side) => {
      const line = host.appendChild(make("div", `ersd-cursor ${side}`));
      line.append(make("span"));
      line.hidden = true;
      return line;
    };
    this.cursors = { draft: cursor("draft"), target: cursor("target") };
  }

  /**
   * @param {object} drawn
   * @param {T.Decision} drawn.decision
   * @param {T.Frame} drawn.frame
   * @param {T.Layers} drawn.layers
   * @param {Map<number, { draft: number | null, target: number }>} drawn.arrivals
   * @param {Map<number, { draft: number, target: number }>} drawn.labels
   * @param {boolean} drawn.isRace
   */
  begin(drawn) {
    this.drawn = drawn;
    this.pieces = this.plot.pieces();
    // Plotly uses elements again for another decision
    for (const { group, points } of this.pieces.values()) {
      for (const element of [group, ...points]) element?.classList.remove("ersd-unseen", "ersd-dull");
    }
  }

  /** @param {Known} known */
  show(known) {
    if (!this.drawn) return;
    const { decision, isRace } = this.drawn;
    const hasDraft = decision.q !== null;
    if (isRace) this.showRace(hasDraft ? known : { ...known, draft: 1 });
    else this.showCoins(known);
  }

  /** @param {Known} known */
  showRace({ draft, target, scored }) {
    const { decision, frame, arrivals, labels } = /** @type {NonNullable<typeof this.drawn>} */ (this.drawn);
    const { chosen } = decision;
    const came = (/** @type {number} */ row) => {
      const at = arrivals.get(row);
      return { draft: draft >= OVER || (at?.draft ?? 2) < draft, target: target >= OVER || (at?.target ?? 2) < target };
    };
    const isWon = came(chosen).target;
    const latest = frame.rows.filter(({ rank, isAfterGap }) => rank !== null && isAfterGap).map(({ row }) => row);
    const isThere = (/** @type {number} */ row) => isWon || !latest.includes(row);
    const isNumbered = (/** @type {number} */ row) => isThere(row) && (isWon || !isOwn(decision, row)); // no other such row has a number
    this.each("tint", () => isWon);
    this.each("lane_tint", () => isWon);
    this.group("breaks", isWon);
    for (const name of ["clocks", "dials"]) this.each(name, isThere);
    this.looks((row) => {
      if (row === chosen && isWon) return "decided";
      if (came(row).draft && decision.q) return "drafted";
      return isThere(row) ? "plain" : "";
    });
    for (const side of /** @type {const} */ (["draft", "target"])) {
      const share = side === "draft" ? draft : target;
      this.clip(side, share);
      this.each(`${side}_bars`, isThere);
      this.dull(`${side}_bars`, (row) => !came(row)[side] || (side === "target" && row === chosen && !isWon));
      this.each(`${side}_late`, (row) => isThere(row) && share >= OVER);
      this.each(`${side}_early`, (row) => isThere(row) && share > 0);
      for (const flag of ["poles", "pennants"]) this.each(`${side}_${flag}`, (row) => isNumbered(row) && came(row)[side]);
      const isClear = (/** @type {number} */ row) =>
        isNumbered(row) && came(row)[side] && (share >= OVER || share > (labels.get(row)?.[side] ?? 0));
      for (const label of ["within", "ends", "beyond"]) this.each(`${side}_${label}`, isClear);
      this.cursor(side, share);
    }
    this.each("target_p", (row) => scored && target === 0 && isThere(row));
  }

  /** @param {Known} known */
  showCoins({ draft, target, scored, stage, tries }) {
    const { decision, frame } = /** @type {NonNullable<typeof this.drawn>} */ (this.drawn);
    const isOver = target >= OVER;
    const { chosen, p } = decision;
    const fallen = new Set((decision.tries ?? []).slice(0, tries).map(({ vertex }) => decision.row_of[vertex]));
    const share = (/** @type {number} */ row) => frame.rows.findIndex((shown) => shown.row === row) / frame.rows.length;
    // the target's own token, brought up from further down, would give itself away
    const isBroughtUp = isOwn(decision, chosen) && frame.rows.some(({ row, isAfterGap }) => row === chosen && isAfterGap);
    const isThere = (/** @type {number} */ row) => isOver || row !== chosen || !isBroughtUp;
    const isDrawn = (/** @type {number} */ row) => isThere(row) && (draft >= OVER || share(row) < draft);
    this.each("tint", () => isOver);
    this.each("lane_tint", () => isOver);
    this.group("breaks", isOver);
    this.looks((row) => {
      if (isOver || (row !== chosen && fallen.has(row))) return "decided";
      if (!isThere(row)) return "";
      return isDrawn(row) && decision.q ? "drafted" : "plain";
    });
    this.clip("draft", 1);
    this.clip("target", 1);
    this.each("draft_bars", isDrawn);
    const isNumbered = (/** @type {number} */ row) => isThere(row) && (isOver || !isOwn(decision, row)); // no other such row has a number
    this.each("draft_beyond", (row) => isDrawn(row) && isNumbered(row));
    this.dull("draft_bars", (row) => !isDrawn(row));
    for (const name of ["target_bars", "target_outlines"]) this.each(name, (row) => scored && isThere(row));
    this.dull("target_bars", (row) => row === chosen && !isOver);
    const remaining = remainingAt(decision, stage);
    for (const [row, bar] of this.points("target_bars")) {
      const factor = remaining && p[row] ? remaining[row] / p[row] : 1;
      bar.style.transform = factor < 1 ? `scaleX(${factor})` : "";
    }
    const isRest = stage !== 0 && Boolean(decision.left?.length);
    this.group("target_note", !isRest);
    this.group("target_rest", isRest);
    const now = `target_beyond_${stage ?? "end"}`;
    for (const name of this.drawn?.layers.rows.keys() ?? []) {
      if (!name.startsWith("target_beyond_")) continue;
      this.group(name, scored && name === now);
      this.each(name, isNumbered);
    }
    for (const cursor of Object.values(this.cursors)) cursor.hidden = true;
  }

  /** The look of every token's name. @param {(row: number) => string} lookOf */
  looks(lookOf) {
    const rows = this.drawn?.layers.rows;
    const has = (/** @type {string} */ look, /** @type {number} */ row) => rows?.get(`names_${look}`)?.includes(row);
    const seen = (/** @type {number} */ row) => {
      const look = lookOf(row);
      if (look === "decided" && has("decided", row)) return "decided";
      return look && look !== "plain" && has("drafted", row) ? "drafted" : look && "plain";
    };
    for (const look of ["plain", "drafted", "decided"]) {
      this.each(`names_${look}`, (row) => seen(row) === look);
      this.each(`signs_${look}`, (row) => seen(row) === look);
    }
  }

  /**
   * @param {string} name
   * @returns {[number, SVGElement][]} the points of a trace with their rows
   */
  points(name) {
    const rows = this.drawn?.layers.rows.get(name) ?? [];
    const points = this.pieces?.get(name)?.points ?? [];
    return points.flatMap((point, place) => (point ? [/** @type {[number, SVGElement]} */ ([rows[place], point])] : []));
  }

  /** @param {string} name @param {(row: number) => boolean} isSeen */
  each(name, isSeen) {
    for (const [row, point] of this.points(name)) point.classList.toggle("ersd-unseen", !isSeen(row));
  }

  /**
   * @param {string} name
   * @param {(row: number) => boolean} isDull without the colour of its outcome
   */
  dull(name, isDull) {
    for (const [row, point] of this.points(name)) point.classList.toggle("ersd-dull", isDull(row));
  }

  /** @param {string} name @param {boolean} isSeen */
  group(name, isSeen) {
    this.pieces?.get(name)?.group.classList.toggle("ersd-unseen", !isSeen);
  }

  /** Cuts the bars of a side at its cursor. @param {"draft" | "target"} side @param {number} share */
  clip(side, share) {
    const group = this.pieces?.get(`${side}_bars`)?.group;
    if (!group || !this.drawn) return;
    const { lane, scale, height } = this.drawn.frame;
    const reach = scale * share;
    const [from, to] = side === "draft" ? [lane.left - reach, lane.left] : [lane.right, lane.right + reach];
    this.plot.clip(group, share >= OVER ? null : { x: from, y: 0, width: to - from, height });
  }

  /** @param {"draft" | "target"} side @param {number} share */
  cursor(side, share) {
    const cursor = this.cursors[side];
    const isMoving = share > 0 && share < OVER;
    cursor.hidden = !isMoving;
    if (!isMoving || !this.drawn) return;
    const { lane, scale, head, foot } = this.drawn.frame;
    const x = side === "draft" ? lane.left - scale * share : lane.right + scale * share;
    Object.assign(cursor.style, { transform: `translateX(${x}px)`, top: `${head}px`, height: `${foot - head}px` });
    const time = timeAt(share);
    /** @type {HTMLElement} */ (cursor.firstChild).textContent = `t = ${time.toFixed(decimalsOf(time))}`;
  }
}

/** Is it the target's own token, which was not drafted? @param {T.Decision} decision @param {number} row */
const isOwn = ({ chosen, marks }, row) => row === chosen && marks[row] === "target";

/** @param {number} time */
function decimalsOf(time) {
  if (time < 0.1) return 2;
  return time < 10 ? 1 : 0;
}
