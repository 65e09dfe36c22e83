// The list under the butterfly: a row per try, which shows the butterfly at that try; or, where a sequence is decided as a whole, a row
// per drafted token with its joint acceptance.

/** @import { Kit } from "../base/kit_types.js" */
/** @import { Decision, StepMessage } from "../base/types.js" */
/** @import { Choice, InView } from "./decision.js" */
/** @import { Glossary } from "../panels/glossary.js" */
import { around, make } from "../base/dom.js";
import { digitsApart, number } from "../base/numbers.js";
import { tryInView } from "./bar_values.js";

const SEQUENCE_HEAD = ["", "token", "p/q", "joint", "keep", "coin", ""];
const BELOW = 8; // pixels under the row that is scrolled to

/** Draws the list and reports which of its tries a reader points at. */
export class DecisionList {
  /**
   * @param {HTMLElement} list
   * @param {Kit} kit
   * @param {{ choice: (choice: Choice) => void, pick: (picked: number | null) => void }} on
   * @param {Glossary} glossary
   */
  constructor(list, kit, on, glossary) {
    this.glossary = glossary;
    this.list = list;
    this.kit = kit;
    this.on = on;
    /** @type {Decision | null} */
    this.decision = null;
    /** @type {StepMessage | Decision | null} */
    this.source = null; // what the rows were made of
    /** @type {Choice | null} */
    this.choice = null;
    this.isNew = false; // not yet brought into sight
    /** @type {number | null} */
    this.held = null; // the try that was clicked: shown until it is clicked again
    // a tap is a click and no hovering
    list.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.show(tryOf(event));
    });
    list.addEventListener("focusin", (event) => {
      if (event.target instanceof Element && event.target.matches(":focus-visible")) this.show(tryOf(event));
    });
    for (const leaving of ["pointerleave", "focusout"]) list.addEventListener(leaving, () => this.show(null));
    list.addEventListener("click", (event) => this.click(event));
  }

  /** @param {Event} event */
  click(event) {
    const token = around(event, "[data-vertex]");
    if (token) {
      this.on.choice({ vertex: Number(token.dataset.vertex), about: true });
      return;
    }
    const clicked = tryOf(event);
    this.held = clicked === this.held ? null : clicked;
    this.show(null);
  }

  /**
   * Shows the try pointed at, else the one held, else the decision.
   *
   * @param {number | null} pointed
   */
  show(pointed) {
    const { decision } = this;
    if (!decision?.tries) return;
    const picked = pointed ?? this.held;
    const shown = picked ?? tryInView(decision, null) ?? decision.tries.length;
    for (const button of this.list.querySelectorAll("[data-try]")) {
      const place = Number(/** @type {HTMLElement} */ (button).dataset.try);
      button.classList.toggle("shown", place === shown);
      button.setAttribute("aria-pressed", String(place === this.held));
    }
    this.on.pick(picked);
  }

  /**
   * @param {StepMessage} step
   * @param {Choice | null} choice
   * @param {InView} shown the one that belongs to it.
   */
  draw(step, choice, shown) {
    const { decision } = shown;
    const source = step.block ? step : decision;
    const isDrawn = this.source === source && this.choice === choice;
    Object.assign(this, { source, choice, decision });
    if (!isDrawn) this.replace(step, choice, shown);
    this.show(null);
    this.isNew ||= !isDrawn;
  }

  /**
   * @param {StepMessage} step
   * @param {Choice | null} choice
   * @param {InView} decision
   */
  replace(step, choice, { decision, vertex, subject }) {
    this.held = null;
    const inView = choice && (subject ?? step.tree.parents.indexOf(vertex));
    this.list.classList.toggle("block", step.block !== undefined);
    const rows = step.block ? this.sequenceRows(step, inView) : this.tryRows(step, decision);
    if (rows.length || this.list.firstChild) this.list.replaceChildren(...rows);
  }

  /**
   * Hides the rows of tries that are still to come, and all rows of a decision that is made in one go.
   *
   * @param {number} count tries that are over.
   * @param {boolean} isDecided
   */
  reveal(count, isDecided) {
    const seen = this.decision?.tries ? count : 0;
    [...this.list.children].forEach((item, place) => item.classList.toggle("unseen", !isDecided && place >= seen));
  }

  /** Scrolls the list, never the page, to the row that decided. */
  scroll() {
    const isNew = this.isNew;
    this.isNew = false;
    if (!isNew || !this.list.firstChild) return;
    this.list.scrollTop = 0;
    const button = /** @type {HTMLElement | null} */ (this.list.querySelector(".decides, .shown"));
    const item = button?.parentElement;
    if (!button || !item) return;
    const least = item.offsetTop - this.list.clientHeight + button.offsetHeight + BELOW;
    const [head, ...rows] = /** @type {HTMLElement[]} */ ([...this.list.children]);
    const above = head.classList.contains("head") ? head.offsetHeight : 0;
    const first = [...(above ? [] : [head]), ...rows].find(({ offsetTop }) => offsetTop - above >= least) ?? item;
    this.list.scrollTop = first.offsetTop - above; // no row is cut at the edge
  }

  /**
   * @param {StepMessage} step
   * @param {Decision} decision
   */
  tryRows({ tree }, decision) {
    if (!decision.tries) return [];
    const rows = decision.tries.map((one, place) => {
      const state = one.accepted ? "accepted" : "rejected";
      const parts = [make("span", "name", tree.names[one.vertex]), this.coinLine(one.coin, one.ratio), make("small", "", one.say)];
      const { item, button } = row(state, make("b", "", String(place + 1)), this.sign(state), ...parts);
      button.dataset.try = String(place);
      return item;
    });
    if (decision.tries.some(({ accepted }) => accepted)) return rows;
    const name = make("span", "name", decision.names[decision.chosen] ?? "");
    const last = row("target", make("b"), this.sign("target"), name, make("small", "", this.kit.kinds[decision.kind].drawn));
    last.button.dataset.try = String(decision.tries.length);
    return [...rows, last.item];
  }

  /**
   * @param {StepMessage} step
   * @param {number | null} inView the vertex whose row is marked.
   */
  sequenceRows({ tree, block }, inView) {
    if (!block) return [];
    const head = make("li", "head");
    head.append(...SEQUENCE_HEAD.map((words) => make("span", "", words)));
    this.glossary.mark(head.children);
    const items = block.ratio.map((ratio, place) => {
      const state = place < block.kept ? "accepted" : "rejected";
      const keep = block.keep[place];
      const coin = block.coin[place];
      const against = digitsApart([keep, coin], this.kit.numbers);
      const written = [number(ratio, this.kit.numbers), number(block.joint[place], this.kit.numbers)];
      const compared = [keep, coin].map((value) => number(value, this.kit.numbers, against));
      const numbers = [...written, ...compared].map((words) => make("span", "", words));
      const { item, button } = row(state, this.sign(state), make("span", "name", tree.names[place]), ...numbers, this.coinLine(coin, keep));
      button.dataset.vertex = String(place);
      button.title = tree.why[place];
      button.classList.toggle("shown", place === inView);
      button.classList.toggle("decides", place === block.kept - 1);
      if (place === block.kept) item.classList.add("cut");
      return item;
    });
    return [head, ...items];
  }

  /** @param {string} state */
  sign(state) {
    return make("i", "", this.kit.signs[state]);
  }

  /**
   * A coin on a line from 0 to 1; below the limit it is a success.
   *
   * @param {number} coin
   * @param {number} limit
   */
  coinLine(coin, limit) {
    const isBelow = coin < limit;
    const line = make("span", `ersd-coin ${isBelow ? "yes" : "no"}`);
    line.style.setProperty("--limit", String(Math.min(1, limit)));
    line.style.setProperty("--coin", String(coin));
    const digits = digitsApart([coin, limit], this.kit.numbers);
    const [thrown, against] = [coin, limit].map((value) => number(value, this.kit.numbers, digits));
    line.title = `coin ${thrown} is ${isBelow ? "below" : "not below"} ${against}`;
    return line;
  }
}

/**
 * The number of the try that an event happened to.
 *
 * @param {Event} event
 */
function tryOf(event) {
  const button = around(event, "[data-try]");
  return button ? Number(button.dataset.try) : null;
}

/**
 * @param {string} className
 * @param {...HTMLElement} parts
 */
function row(className, ...parts) {
  const button = make("button", className);
  button.type = "button";
  button.append(...parts);
  const item = make("li");
  item.append(button);
  return { item, button };
}
