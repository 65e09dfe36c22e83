// A decision in motion: a filter over Plotly's finished picture. Each moment is a pure function of what is known then.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { timeAt } from "../race/time_scale.js";

/**
 * @typedef {object} Known  what is known of a decision at a moment
 * @property {number} draft share of the draft's half that is over
 * @property {boolean} scored the target's probabilities are known
 * @property {number} target share of the target's half that is over
 * @property {number | null} stage the try in view; null: as decided
 * @property {number} tries coins that have fallen
 */

/** @typedef {{ layers: T.Layers, show: (motion: DecisionMotion, known: Known) => void }} Picture  what is drawn, and how it is shown */
/** @typedef {Picture & { frame: T.Frame }} Drawn */

/** @type {Known} */
export const ALL = { draft: 1, scored: true, target: 1, stage: null, tries: Infinity };

const SCORED_FROM = 0.5; // share of the target's sweep over the tree
export const OVER = 0.999; // share from which a half is over

/**
 * What is known of a decision in a scene. The walk may come to it more than once.
 * @param {T.Story} story
 * @param {T.Scene} scene
 * @param {T.Decision} decision
 * @returns {Known}
 */
export function knownAt({ visits }, scene, decision) {
  const { phase, drafted, visit, settled, share, tries, trying } = scene;
  const places = visits.flatMap((one, place) => (one.decision === decision ? [place] : []));
  const last = places.at(-1);
  if (last === undefined || phase === "text") return ALL;
  const fallenAt = (/** @type {number} */ place) => visits[place].first + visits[place].tries;
  // a guess whose coin is not tossed is kept by one that follows it
  const isWhole = fallenAt(last) === (decision.tries?.length ?? 0) || settled === visits.length;
  if (phase === "walk" && last < settled && isWhole) return ALL;
  if (phase === "draft") return { ...ALL, draft: drafted, scored: false, target: 0, stage: 0, tries: 0 };
  if (phase === "score") return { ...ALL, scored: scene.sweep >= SCORED_FROM, target: 0, stage: 0, tries: 0 };
  const place = places.filter((each) => each <= visit).at(-1);
  if (place === visit && place >= settled) return { ...ALL, target: place === last ? share : 0, stage: trying ? trying - 1 : 0, tries };
  const fallen = place === undefined ? 0 : fallenAt(place);
  return { ...ALL, target: 0, stage: fallen, tries: fallen };
}

export class DecisionMotion {
  /** @param {HTMLElement} host of the picture @param {T.Plot} plot */
  constructor(host, plot) {
    this.plot = plot;
    this.cursors = { draft: find(host, ".ersd-cursor.draft"), target: find(host, ".ersd-cursor.target") };
  }

  /** @param {Drawn} drawn */
  begin(drawn) {
    this.drawn = drawn;
    this.pieces = this.plot.pieces();
    // Plotly uses elements again for another decision, also of another kind: what remained of a bar must not shrink that of a race
    for (const { group, points, texts } of this.pieces.values()) {
      for (const element of [group, ...points, ...texts]) element?.classList.remove("ersd-unseen", "ersd-dull");
      for (const element of points) element?.style.removeProperty("transform");
    }
  }

  /** @param {Known} known */
  show(known) {
    this.drawn?.show(this, known);
  }

  /** What is there once the decision is made, and what tells who won. @param {boolean} isOver */
  decided(isOver) {
    for (const name of ["tint", "centre_tint"]) this.each(name, () => isOver);
    this.group("breaks", isOver);
  }

  /** No cursor runs along the bars. */
  hideCursors() {
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

  /** @param {string} name @returns {[number, SVGElement][]} the points of a trace with their rows */
  points(name) {
    const rows = this.drawn?.layers.rows.get(name) ?? [];
    const { points = [], texts = [] } = this.pieces?.get(name) ?? {};
    return [...points, ...texts].flatMap((point, place) => (point ? [/** @type {[number, SVGElement]} */ ([rows[place], point])] : []));
  }

  /** @param {string} name @param {(row: number) => boolean} isSeen */
  each(name, isSeen) {
    for (const [row, point] of this.points(name)) point.classList.toggle("ersd-unseen", !isSeen(row));
  }

  /** @param {string} name @param {(row: number) => boolean} isDull without the colour of its outcome */
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
    const { centre, scale, height } = this.drawn.frame;
    const reach = scale * share;
    const [from, to] = side === "draft" ? [centre.left - reach, centre.left] : [centre.right, centre.right + reach];
    this.plot.clip(group, share >= OVER ? null : { x: from, y: 0, width: to - from, height });
  }

  /** @param {"draft" | "target"} side @param {number} share */
  cursor(side, share) {
    const cursor = this.cursors[side];
    const isMoving = share > 0 && share < OVER;
    cursor.hidden = !isMoving;
    if (!isMoving || !this.drawn) return;
    const { centre, scale, head, foot } = this.drawn.frame;
    const x = side === "draft" ? centre.left - scale * share : centre.right + scale * share;
    Object.assign(cursor.style, { transform: `translateX(${x}px)`, top: `${head}px`, height: `${foot - head}px` });
    const time = timeAt(share);
    find(cursor, "span").textContent = `t = ${time.toFixed(decimalsOf(time))}`;
  }
}

/** Is it the target's own token, which was not drafted? @param {T.Decision} decision @param {number} row */
export const isOwn = ({ chosen, marks }, row) => row === chosen && marks[row] === "target";

/** @param {number} time */
function decimalsOf(time) {
  if (time < 0.1) return 2;
  return time < 10 ? 1 : 0;
}
