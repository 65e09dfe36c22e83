// The form in which a reader tests a text of their own, another seed, or a copy with a word more or less.

/** @import * as T from "../types" */
import { fill } from "../base/format.js";
import { Questions } from "../base/questions.js";

const WORD = /\s[\p{L}\p{M}]+(?=\s)/gu; // one that may be cut, with the space before it

/**
 * @typedef {{ text: string, seed: string, start: string, keys: string }} Fields as they were typed
 * @typedef {{ at: number, length: number, text: string, said: string }} Change of a text: characters that are new, or where some are missing
 * @typedef {Fields & { models: string, tests: number }} Question
 * @typedef {T.TextOfClocks | { refused: string, field: string }} Answer
 */

export class TestForm {
  /**
   * @param {HTMLFormElement} form
   * @param {T.WatermarkKit} kit
   * @param {(tested: T.TextOfClocks, asked: Fields, change: Change | null) => void} onTested
   */
  constructor(form, kit, onTested) {
    this.form = form;
    this.kit = kit;
    this.onTested = onTested;
    this.status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
    /** @type {Fields} */
    this.own = { text: "", seed: "", start: "", keys: "position" };
    this.models = "";
    /** @type {Map<string, Set<string>>} by text, the seeds and starts tried on it */
    this.tried = new Map();
    /** @type {Change | null} */
    this.change = null; // the last one that a button made
    /** @type {Fields} */
    this.asked = this.own;
    /** @type {Questions<Question, Answer>} */
    this.questions = new Questions(
      kit.address,
      (answer) => this.receive(answer),
      (problem) => this.refuse(problem, ""),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.test();
    });
    form.addEventListener("click", ({ target }) => {
      const action = target instanceof HTMLElement ? target.dataset.do : "";
      if (action === "own") this.fill(this.own);
      else if (action) this.edit(action === "insert");
    });
    this.field("text").addEventListener("paste", (event) => {
      if (!this.isShort(event.clipboardData?.getData("text") ?? "")) event.preventDefault(); // a field with so much text stops the page
    });
    form.addEventListener("change", () => this.showStart());
  }

  /** A field. @param {keyof Fields} name */
  field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name));
  }

  /** @returns {Fields} */
  get values() {
    const valueOf = (/** @type {keyof Fields} */ name) => this.field(name).value;
    return { text: valueOf("text"), seed: valueOf("seed"), start: valueOf("start"), keys: valueOf("keys") };
  }

  /** Another run is shown, or more of it. @param {Fields} own @param {string} models @param {boolean} isNew */
  follow(own, models, isNew) {
    const isUntouched = isNew || this.field("text").value === this.own.text;
    this.own = own;
    this.models = models;
    if (isNew) this.tried = new Map();
    if (isUntouched) this.fill(own);
    else if (isNew) this.refuse("", "");
  }

  /** @param {Fields} values */
  fill(values) {
    for (const name of /** @type {const} */ (["text", "seed", "start", "keys"])) this.field(name).value = values[name];
    this.change = null;
    this.refuse("", "");
    this.showStart();
  }

  showStart() {
    const label = /** @type {HTMLElement} */ (this.field("start").parentElement);
    label.hidden = this.field("keys").value === "context";
  }

  /** Inserts a word after a third of the text, or cuts one out, and tests the result. @param {boolean} isInserting */
  edit(isInserting) {
    const { words, insert } = this.kit;
    const text = this.field("text").value;
    const places = [...text.matchAll(WORD)];
    const third = places.slice(Math.floor(places.length / 3)).find(([word]) => word !== insert); // later, half of the clocks would be left
    if (!third) return this.refuse(words.no_word, "text");
    const [word, at] = [third[0], third.index];
    const length = isInserting ? insert.length : 0;
    const after = text.slice(at + (isInserting ? 0 : word.length));
    this.field("text").value = text.slice(0, at) + (isInserting ? insert : "") + after;
    const said = `${fill(isInserting ? words.inserted : words.cut, { word: (isInserting ? insert : word).trim() })} ${words[`after_${this.field("keys").value}`]}`;
    this.change = { at, length, text: this.field("text").value, said };
    return this.test();
  }

  /** Has a text so few bytes that it can be tested? If not, it is said. @param {string} text */
  isShort(text) {
    const { words, bytes: most } = this.kit;
    const bytes = new Blob([text]).size;
    if (bytes <= most) return true;
    this.refuse(fill(words.too_long, { most: most.toLocaleString("en"), bytes: bytes.toLocaleString("en") }), "text");
    return false;
  }

  test() {
    const { words } = this.kit;
    const asked = this.values;
    if (!this.isShort(asked.text)) return;
    const own = this.own.text === asked.text ? [keyOf(this.own)] : [];
    const tried = this.tried.get(asked.text) ?? new Set(own);
    const tests = new Set([...tried, keyOf(asked)]).size;
    this.asked = asked;
    this.refuse(words.asking, "");
    this.questions.ask({ ...asked, models: this.models, tests });
  }

  /** @param {Answer} answer */
  receive(answer) {
    if ("refused" in answer) {
      this.refuse(answer.refused, answer.field);
      return;
    }
    const { asked } = this;
    const tried = this.tried.get(asked.text) ?? new Set(this.own.text === asked.text ? [keyOf(this.own)] : []);
    this.tried.set(asked.text, tried.add(keyOf(asked)));
    this.refuse("", "");
    this.onTested(answer, asked, this.change?.text === asked.text ? this.change : null);
  }

  /** @param {string} words @param {string} name of the field at fault; may be empty */
  refuse(words, name) {
    this.status.textContent = words;
    for (const field of this.form.querySelectorAll("[name]")) {
      if (field.getAttribute("name") === name) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }
}

/** A seed, and a start where it plays a part. @param {Fields} fields */
const keyOf = ({ seed, start, keys }) => [seed.trim(), keys, keys === "context" ? "" : start.trim()].join("|");
