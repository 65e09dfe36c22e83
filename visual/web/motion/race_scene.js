// The race of one vertex in motion: two lanes per token, one distance, two speeds. Only transforms and opacities change, so `seek` needs
// no layout.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { StepMessage } from "../base/types.js" */
/** @import { Lane, Runner, Side } from "./race_lanes.js" */
import { make } from "../base/dom.js";
import { ordinal, shorten } from "../base/format.js";
import { number } from "../base/numbers.js";
import { covered, DRAFT_STOPS, raceOf } from "./race_lanes.js";
import { writtenIn } from "./race_numbers.js";
import { describeRace } from "./race_description.js";

const HEADS = 46; // pixels, of the clocks above and the note below
const ROW = 29; // pixels that a runner takes at least
const NARROW_ROW = 40; // the same where its numbers stand below it
const FEWEST = 4;
const FLAG = 0.05; // share of the race that a flag takes to fall
const NARROW = 430; // pixels
const PHONE = 360;
const TINY = 300;
const HIGH = 0.62; // length of a lane that has room for a flag before its finish line

/**
 * When each race is run, as shares of the whole.
 * @typedef {{ seconds: number, held: number, draft: [number, number] | null, target: [number, number] | null }} Schedule
 * @type {Record<"draft" | "target" | "both", Schedule>}
 */
const SCHEDULES = {
  draft: { seconds: 1.4, held: 1, draft: [0, DRAFT_STOPS], target: null },
  target: { seconds: 1.6, held: 0.92, draft: [-1, 0], target: [0, 0.75] },
  both: { seconds: 3.2, held: 0.94, draft: [0, 0.42], target: [0.46, 0.86] },
};

/** @typedef {{ lane: Lane, side: Side, dot: HTMLElement, trail: HTMLElement, marks: HTMLElement[] }} Moving */

/** Draws the race at a given moment. */
export class RaceScene {
  /**
   * @param {StepMessage} step
   * @param {number} vertex
   * @param {{ side: "draft" | "target" | "both", width: number, height: number }} options
   * @param {Kit} kit
   */
  constructor(step, vertex, { side, width, height }, kit) {
    this.kit = kit;
    this.decision = step.decisions[vertex];
    this.isNarrow = width < NARROW;
    this.isPhone = width < PHONE;
    this.isTiny = width < TINY;
    const rows = Math.floor((height - HEADS) / (this.isNarrow ? NARROW_ROW : ROW));
    this.isTight = rows < FEWEST; // no room for the quotients
    this.race = raceOf(step, vertex, Math.max(FEWEST, rows));
    this.schedule = SCHEDULES[this.race.draftStop === null ? "target" : side];
    this.seconds = this.schedule.seconds;
    this.held = this.schedule.held;
    this.tries = 0;
    /** @type {Moving[]} */
    this.moving = [];
    /** @type {HTMLElement[]} */
    this.signs = []; // of the rows, shown when both races are over
    this.element = make("div", "ersd-lanes");
    /** @type {Record<Side, HTMLElement>} */
    this.hands = { draft: make("b"), target: make("b") };
    /** @type {Record<Side, HTMLElement>} */
    this.stops = { draft: make("span", "stop"), target: make("span", "stop") };
    this.build();
    this.words = describeRace(this.race, this.decision.names, this.schedule.target !== null, kit.numbers);
  }

  build() {
    const clocks = make("div", "clocks");
    clocks.append(this.clock("draft"), this.clock("target"));
    const rows = this.race.runners.map((runner) => this.row(runner));
    this.element.classList.toggle("narrow", this.isNarrow);
    this.element.classList.toggle("phone", this.isPhone);
    this.element.classList.toggle("tiny", this.isTiny);
    this.element.classList.toggle("tight", this.isTight);
    // a column as wide as its longest number, so that all lanes are equally wide
    const most = (/** @type {string} */ cell) => Math.max(...rows.flatMap((row) => [...row.querySelectorAll(cell)].map(lettersOf)));
    this.element.style.setProperty("--distance", String(most(".clock-of")));
    this.element.style.setProperty("--time", String(most(".times > span")));
    this.element.append(clocks, ...rows, make("p", "foot", this.foot()));
  }

  /** @param {Side} side */
  stopOf(side) {
    return side === "draft" ? this.race.draftStop : this.race.targetStop;
  }

  /**
   * The clock of a race, which runs from 0 to its stop.
   *
   * @param {Side} side
   */
  clock(side) {
    const { arrived } = this.race;
    const clock = make("div", `clock ${side}`);
    const stop = this.stopOf(side);
    if (stop === null) {
      clock.append(make("span", "", "draft: not run here"));
      return clock;
    }
    const place = ordinal(side === "draft" ? arrived : 1);
    const until = this.isNarrow ? `to its ${place}` : `to its ${place} arrival`;
    const words = make("p");
    this.stops[side].textContent = `t${this.isTiny ? "=" : " = "}${number(stop, this.kit.numbers)}`;
    words.append(make("span", "until", this.isPhone ? `${side}: ${place}` : `${side}, ${until}`), this.stops[side]);
    const strip = make("i", "strip");
    strip.append(this.hands[side]);
    clock.append(words, strip);
    return clock;
  }

  foot() {
    const { arrived, children, runners } = this.race;
    const isBroken = runners.some(({ isScaled }) => !isScaled);
    const isShort = this.isTiny || (this.isNarrow && isBroken && children > arrived);
    const both = isShort ? "speeds q and p" : "draft at speed q, target at p";
    const speeds = this.race.draftStop === null ? "at speed p" : both;
    const over = isShort ? "" : "over E: ";
    const words = [this.isNarrow ? `${over}${speeds}` : `all must cover their E: ${speeds}`];
    if (isBroken) words.push(this.isNarrow ? "broken: not to scale" : "broken lanes: not to scale");
    if (children > arrived) words.push(`${arrived} of ${children} ${this.isTiny ? "" : "children "}listed`);
    return words.slice(this.isTiny ? -2 : 0).join(" · ");
  }

  /** @param {Runner} runner */
  row(runner) {
    const { decision } = this;
    const row = make("div", "row");
    row.dataset.row = String(runner.row);
    const sign = make("b", decision.marks[runner.row], this.kit.marks[decision.marks[runner.row]].sign);
    this.signs.push(sign);
    const name = make("span", "name");
    name.append(sign, shorten(decision.names[runner.row], this.isNarrow ? 8 : 11));
    const written = writtenIn(runner, this.race, this.kit.numbers);
    const field = make("div", `field${runner.isScaled ? "" : " broken"}`);
    field.style.setProperty("--length", String(runner.length));
    field.append(...this.lane(runner, "draft"), ...this.lane(runner, "target"), make("i", "finish"));
    const times = make("span", "times");
    const sides = /** @type {Side[]} */ (runner.draft ? ["draft", "target"] : ["target"]);
    times.append(...sides.map((side, place) => this.time(side, runner, written.divisions[place])));
    const clock = make("span", "clock-of", `E ${written.over}`);
    row.append(name, field, clock, times);
    return row;
  }

  /**
   * A lane with its runner, and the flag that falls for the first to arrive.
   *
   * @param {Runner} runner
   * @param {Side} side
   */
  lane(runner, side) {
    const { [side]: lane, length } = runner;
    if (!lane) return [];
    const element = make("div", `lane ${side}`);
    const trail = make("i", "trail");
    const dot = make("i", "dot");
    dot.append(make("b"));
    element.append(trail, dot);
    const flags = lane.place === 1 ? [make("em", `flag ${side}${length > HIGH ? " before" : ""}`, this.first(runner, lane, side))] : [];
    this.moving.push({ lane, side, dot, trail, marks: [...flags] });
    return [element, ...flags];
  }

  /**
   * The flag of a winner; in the target's race with its sign, accepted or the target's own.
   *
   * @param {Runner} runner
   * @param {Lane} lane
   * @param {Side} side
   */
  first({ row }, { arrival }, side) {
    const { leader, accepted, target } = this.kit.signs;
    const own = this.decision.marks[row] === "target" ? target : accepted;
    const sign = side === "draft" ? leader : own;
    const words = this.isPhone ? sign : `${sign} ${side}’s first`;
    return `${words} ${number(arrival, this.kit.numbers)}`;
  }

  /**
   * The divisor of E, the time of arrival, and the place.
   *
   * @param {Side} side
   * @param {Runner} runner
   * @param {{ under: string, value: string }} written
   */
  time(side, runner, { under, value }) {
    const lane = runner[side];
    const line = make("span", side);
    const sign = /^[<>]/.test(value) ? "" : "= ";
    const quotient = make("span", "", `/ ${under} ${sign}${value}`);
    const place = make("b", "", lane?.place ? ordinal(lane.place) : "");
    line.append(quotient, place);
    const moving = this.moving.find((one) => one.lane === lane);
    moving?.marks.push(place);
    return line;
  }

  /**
   * @param {number} fraction of the whole, 0 to 1.
   */
  seek(fraction) {
    const { draft, target } = this.schedule;
    const times = { draft: timeAt(fraction, draft, this.race.draftStop), target: timeAt(fraction, target, this.race.targetStop) };
    for (const { lane, side, dot, trail, marks } of this.moving) {
      const share = covered(lane, times[side]);
      dot.style.transform = `translateX(${100 * share}%)`;
      trail.style.transform = `scaleX(${share})`;
      const fallen = this.sinceArrival(lane, side, fraction);
      for (const mark of marks) drop(mark, fallen);
    }
    for (const side of /** @type {Side[]} */ (["draft", "target"])) {
      const stop = this.stopOf(side);
      if (stop === null) continue;
      this.hands[side].style.transform = `translateX(${(100 * times[side]) / stop}%)`;
      this.stops[side].style.opacity = times[side] === stop ? "1" : "0";
    }
    const isOver = target !== null && fraction >= target[1];
    for (const sign of this.signs) sign.style.opacity = isOver ? "1" : "0";
  }

  /**
   * How far the flag of an arrival has fallen, 0 to 1.
   *
   * @param {Lane} lane
   * @param {Side} side
   * @param {number} fraction
   */
  sinceArrival(lane, side, fraction) {
    const span = this.schedule[side];
    const stop = this.stopOf(side);
    if (!span || !stop || !lane.place) return 0;
    const arrives = span[0] + Math.min(1, lane.arrival / stop) * (span[1] - span[0]);
    return fraction < arrives ? 0 : Math.min(1, (fraction - arrives) / FLAG + (fraction === 1 ? 1 : 0));
  }
}

/** @param {Element} cell */
const lettersOf = ({ textContent }) => textContent?.length ?? 0;

/**
 * The time on a race's clock, which runs evenly from 0 to the stop.
 *
 * @param {number} fraction
 * @param {[number, number] | null} span when the race is run; null: not at all.
 * @param {number | null} stop
 */
function timeAt(fraction, span, stop) {
  if (!span || stop === null) return 0;
  return stop * Math.min(1, Math.max(0, (fraction - span[0]) / (span[1] - span[0])));
}

/**
 * @param {HTMLElement} mark
 * @param {number} fallen 0: up and unseen, 1: down.
 */
function drop(mark, fallen) {
  mark.style.opacity = String(Math.min(1, 2 * fallen));
  mark.style.transform = `translateY(${-10 * (1 - fallen)}px)`;
}
