// The tiles: the figures of the run so far, of this step and of the vertex in view.

/** @import { Kit, Tile } from "../base/kit_types.js" */
/** @import { Decision, Figure, Stats, StepMessage } from "../base/types.js" */
import { times as factorOf } from "./cost_ratio.js";
import { make } from "../base/dom.js";
import { decimal, number } from "../base/numbers.js";

/** @typedef {{ tile: Tile, label: HTMLElement, value: HTMLElement, small: HTMLElement }} Place the elements of a tile */

/** Draws the tiles. */
export class Tiles {
  /**
   * @param {HTMLElement} box empty.
   * @param {Kit} kit
   */
  constructor(box, kit) {
    this.kit = kit;
    this.places = kit.tiles.map((tile) => placeOf(tile, box));
  }

  /**
   * @param {Stats} stats up to the step in view.
   * @param {Stats} newest up to the newest step.
   * @param {Decision | null} decision the decision in view.
   * @param {boolean} isTold whether the step in view is one of those in `stats`.
   */
  draw(stats, newest, decision, isTold) {
    for (const place of this.places) {
      const { tile } = place;
      if (tile.untold) place.label.textContent = isTold ? tile.label : tile.untold; // labels with terms from the glossary are left alone
      if (tile.shows === "run") put(place, stats.tiles[tile.id].value, stats.tiles[tile.id].small);
      else if (tile.shows === "whole") put(place, newest.tiles["per-call"].value, newest.tiles["per-call"].small);
      else if (tile.shows === "vertex") this.drawFact(place, decision);
      else if (tile.shows === "ranks") drawRanks(place, stats);
      else drawTimes(place, stats.times);
    }
  }

  /**
   * @param {Place} place
   * @param {Decision | null} decision
   */
  drawFact(place, decision) {
    const { id, small, none } = place.tile;
    const value = decision?.facts[/** @type {keyof Decision["facts"]} */ (id)];
    if (value !== undefined) put(place, number(value, this.kit.numbers), small);
    else put(place, "–", none);
  }
}

/**
 * The most important figures in one line, for views without the tiles.
 *
 * @param {StepMessage} last the last step that counts.
 * @param {StepMessage} newest
 * @param {boolean} isTold whether the last that counts is the step in view, and not the one before it.
 */
export function figuresOf({ stats, speedup }, newest, isTold) {
  const [here, whole] = [stats, newest.stats].map(({ tiles }) => quotient(tiles["per-call"]));
  const { value, small } = stats.tiles.accepted;
  const [drafted] = small.match(/^of [\d,]+/) ?? [small];
  const accepted = drafted === "of 0" ? "nothing drafted" : `accepted ${value} ${drafted}`;
  const factor =
    speedup.factor === null
      ? `speed-up: ${speedup.words.split(":")[0]}`
      : `${factorOf(speedup.factor)} times as fast as one by one here ${speedup.over}`;
  return `${isTold ? "up to" : "before"} this step: tokens per call ${here}, ${accepted}, ${factor} · whole run: ${whole}`;
}

/**
 * @param {Figure} tokensPerCall
 * @returns {string} as a division, of numbers alone.
 */
const quotient = ({ value, small }) => `${small.replace(/ (token|call)s?/g, "")} = ${value}`;

/**
 * Milliseconds of a step, and of its tokens without a draft.
 *
 * @param {StepMessage} step
 */
export function tookOf({ index, bar, stats: { times }, speedup: { alone } }) {
  const { draft, target, verify } = times;
  const prompt = index === 0 ? " with the prompt" : "";
  const count = bar.accepted + bar.own;
  const same = count === 1 ? "its token" : `its ${count} tokens`;
  const other = alone === null ? "" : `; ${same} one by one ${decimal(count * alone, 1)} ms`;
  const parts = `draft ${draft.toFixed(1)}, call ${target.toFixed(1)}, check ${verify.toFixed(1)}`;
  return `this step${prompt} ${(draft + target + verify).toFixed(1)} ms: ${parts}${other}`;
}

/**
 * @param {Tile} tile
 * @param {HTMLElement} box
 * @returns {Place}
 */
function placeOf(tile, box) {
  const element = make("div", `ersd-tile ersd-tile-${tile.id}`);
  element.title = tile.help;
  const value = make("div", "ersd-value", "–");
  const label = make("div", "ersd-label", tile.label);
  const small = make("div", "ersd-small", "\u00a0");
  element.append(label, value, small);
  box.append(element);
  return { tile, label, value, small };
}

/**
 * @param {Place} place
 * @param {string} figure
 * @param {string} words
 */
function put({ value, small }, figure, words) {
  value.textContent = figure;
  small.textContent = words;
}

/**
 * A bar per rank, as high as its share of the visits, with the count in its title: rounded shares would not add up.
 *
 * @param {Place} place
 * @param {Stats} stats
 */
function drawRanks({ value, small }, { ranks, visits }) {
  const names = ranks.map((_, place) => `${place + 1}${place + 1 < ranks.length ? "" : "+"}`);
  if (!value.firstElementChild) {
    value.replaceChildren(...names.map(() => make("i", "ersd-bar")));
    small.replaceChildren(...names.map((name) => make("b", "", name)));
  }
  ranks.forEach((count, place) => {
    const bar = /** @type {HTMLElement} */ (value.children[place]);
    bar.style.setProperty("--share", String(count / Math.max(1, visits)));
    bar.title = `rank ${names[place]}: at ${count} of ${visits} ${visits === 1 ? "visit" : "visits"}, ${decimal((100 * count) / Math.max(1, visits), 0)}%`;
    bar.dataset.count = String(count);
  });
}

/**
 * One bar with a part for each time.
 *
 * @param {Place} place
 * @param {Stats["times"]} times
 */
function drawTimes({ value, small }, times) {
  const parts = Object.entries(times);
  if (!value.firstElementChild) {
    value.replaceChildren(...parts.map(([name]) => make("i", `ersd-part ${name}`)));
    small.replaceChildren(...parts.map(([name]) => make("b", name)));
  }
  const sum = parts.reduce((all, [, milliseconds]) => all + milliseconds, 0) || 1;
  parts.forEach(([name, milliseconds], place) => {
    const part = /** @type {HTMLElement} */ (value.children[place]);
    part.style.flexGrow = String(Math.max(0.02, milliseconds / sum));
    part.title = `${name} ${milliseconds} ms`;
    small.children[place].textContent = `${name} ${milliseconds.toFixed(milliseconds >= 10 ? 0 : 1)}`;
  });
}
