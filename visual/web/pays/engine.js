// The fields of "Does it pay for me?": what the calls of an engine cost, and how often its guesses are accepted. Menus fill them in.

/** @import * as T from "../types" */
import { find } from "../base/dom.js";
import { drawMenu } from "../base/templates.js";

const OWN = "own"; // in a menu: the fields are the reader's
const CHANCES = [0.9, 0.8, 0.7, 0.6, 0.5]; // of each guess, in the menu
const GIVEN = 16; // rates that the menu fills in
const PAUSE_MS = 300; // without a key, until what was typed is taken
const COSTS = /** @type {const} */ (["target-ms", "draft-ms", "row-ms"]);

export class Engine {
  /**
   * @param {HTMLElement} root
   * @param {string[]} fields names of what is asked with.
   * @param {() => void} onChange
   * @param {AbortSignal} ended
   */
  constructor(root, fields, onChange, ended) {
    this.names = fields;
    const part = (/** @type {string} */ name) => find(root, `[data-engine=${name}]`);
    this.fields = Object.fromEntries(fields.map((name) => [name, /** @type {HTMLInputElement} */ (part(name))]));
    this.place = /** @type {HTMLSelectElement} */ (part("place"));
    this.agreement = /** @type {HTMLSelectElement} */ (part("agreement"));
    this.onChange = onChange;
    /** @type {T.Elsewhere[]} */
    this.places = [];
    /** @type {T.Curves.Lines[]} */
    this.lines = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    root.addEventListener("input", (event) => this.listen(/** @type {HTMLElement} */ (event.target)), { signal: ended });
  }

  /** @param {HTMLElement} field that was changed. */
  listen(field) {
    clearTimeout(this.timer);
    if (field === this.place || field === this.agreement) {
      this.fill();
      this.onChange();
      return;
    }
    const menu = field === this.fields.rates ? this.agreement : this.place;
    menu.value = OWN;
    this.timer = setTimeout(() => this.onChange(), PAUSE_MS);
  }

  /** What is asked. @returns {Record<string, string>} */
  get values() {
    return Object.fromEntries(this.names.map((name) => [name, this.fields[name].value.trim().replace(/,\s+/g, ",")]));
  }

  /** Takes what an address has of them. @param {URLSearchParams} parameters */
  open(parameters) {
    for (const name of this.names) {
      const value = parameters.get(name);
      if (value === null) continue;
      this.fields[name].value = value;
      (name === "rates" ? this.agreement : this.place).dataset.asked = "";
    }
  }

  /**
   * Offers the costs of these places and the acceptance at these temperatures. What was chosen stays; at first that is the first of each.
   * @param {T.Elsewhere[]} places
   * @param {number[]} temperatures
   * @param {T.Curves.Lines[]} lines those that are measured.
   */
  offer(places, temperatures, lines) {
    this.places = places.filter(({ unit }) => unit === "ms");
    this.lines = lines;
    offerIn(this.place, {
      ...Object.fromEntries(this.places.map(({ label }) => [label, label.replace(/: [^:]*$/, "")])),
      [OWN]: "my engine",
    });
    offerIn(this.agreement, {
      ...Object.fromEntries(temperatures.map((temperature) => [`T = ${temperature}`, `as in this pair, T = ${temperature}`])),
      ...Object.fromEntries(CHANCES.map((chance) => [chance, `${100 * chance}% of each`])),
      [OWN]: "as in my log",
    });
    this.recognize(this.place, COSTS);
    this.recognize(this.agreement, ["rates"]);
    this.fill();
  }

  /**
   * Chooses what would fill in just what is there, as after a link: then it says where it is from.
   * @param {HTMLSelectElement} menu @param {readonly string[]} names of its fields
   */
  recognize(menu, names) {
    if (menu.value !== OWN) return;
    const { values } = this;
    const same = [...menu.options].find(({ value }) =>
      names.every((name) => this.filled(value)[name]?.replaceAll(" ", "") === values[name]),
    );
    if (same) menu.value = same.value;
  }

  /** Fills in what the menus say. */
  fill() {
    for (const menu of [this.place, this.agreement])
      for (const [name, value] of Object.entries(this.filled(menu.value))) this.fields[name].value = value;
  }

  /** What an entry of a menu fills in, by field. @param {string} entry @returns {Record<string, string>} */
  filled(entry) {
    const place = this.places.find(({ label }) => label === entry);
    if (place) return Object.fromEntries(costsOf(place).map((ms, index) => [COSTS[index], String(ms)]));
    const line = this.lines.find(({ temperature }) => `T = ${temperature}` === entry);
    const chance = Number(entry);
    const each = chance ? Array.from({ length: GIVEN }, (_, index) => chance ** (index + 1)) : null;
    const rates = line ? line.curves.sequence.next.slice(0, GIVEN) : each;
    return rates ? { rates: rates.map((rate) => Number(rate.toPrecision(3))).join(", ") } : {};
  }

  /** The measured lines that the rates are of. */
  get line() {
    return this.lines.find(({ temperature }) => `T = ${temperature}` === this.agreement.value);
  }

  /** Are the rates those of a log? */
  get isLogged() {
    return this.agreement.value === OWN;
  }

  /** Marks the field that cannot be taken; none: all are. @param {string} name */
  mark(name) {
    for (const [each, field] of Object.entries(this.fields)) field.setAttribute("aria-invalid", String(each === name));
  }
}

/**
 * Fills a menu; what is chosen stays if it is still there.
 * @param {HTMLSelectElement} menu @param {Record<string, string>} labels by value; the last one: the reader's own
 */
function offerIn(menu, labels) {
  const chosen = menu.dataset.asked === undefined ? menu.value : OWN;
  delete menu.dataset.asked;
  drawMenu(menu, labels, chosen in labels ? chosen : Object.keys(labels)[0]);
}

/** A target call with choosing its token, a draft call, and one more row, in milliseconds. @param {T.Elsewhere} place */
function costsOf({ calls, level, choice }) {
  const [[few, less], [many, more]] = calls;
  return [less + choice, level, (more - less) / (many - few)].map((ms) => Number(ms.toPrecision(3)));
}
